import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import { Age, AgeClock } from '#ui/chain/Age.tsx'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { PartialStrip } from '#ui/chain/PartialStrip.tsx'
import { Amount } from '#ui/components/Amount.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { FieldList, FieldRow } from '#ui/components/FieldList.tsx'
import { Segmented } from '#ui/components/form/Segmented.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { ScreenHeading } from '#ui/components/layout/ScreenHeading.tsx'
import { Term } from '#ui/components/Term.tsx'
import type { PartialSlot } from '#ui/feed/feed-state.ts'
import { useFeed } from '#ui/feed/store.ts'
import { formatCount, formatInteger, formatPercent } from '#ui/format/numbers.ts'
import { partialNumber } from '#ui/format/partial-number.ts'
import { useTitle } from '#ui/page/navigation.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'
import { blockReceiptsQuery, type FullBlock, partialCountsQuery } from '#ui/queries/blocks.ts'
import { usePace } from '#ui/queries/status.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { BlockTransactions } from './BlockTransactions.tsx'
import styles from './BlockView.module.css'
import { type HeaderField, mainFields, otherFields } from './header-fields.ts'

const css = classNames(styles)

const NO_SLOTS: readonly PartialSlot[] = []

/** Characters of a value that has a line of its own: hashes have, numbers and accounts have not. */
const LONG = 42

type Notation = 'decimal' | 'hex'
const NOTATIONS = [
  { value: 'decimal', label: 'Decimal' },
  { value: 'hex', label: 'Hex' },
] as const

/** A block with its partial blocks, its header and its transactions. The next block may replace it. */
export function BlockView({ block, isLive }: { block: FullBlock; isLive: boolean }) {
  const number = Number(block.number)
  useTitle(`${isLive ? 'Pending block' : 'Block'} ${number}`)
  const { partialsPerBlock } = usePace()
  const { preconfirms, devnet } = useCapabilities()
  const [notation, setNotation] = useState<Notation>('decimal')
  const provider = useProvider()
  const receipts = useQuery(blockReceiptsQuery(provider, isLive ? 'pending' : block.hash, block.hash))
  const live = useFeed((feed) => (isLive ? feed.live : undefined))
  const summary = useFeed((feed) => feed.sealed.find((sealed) => sealed.number === number))
  const told = useQuery({
    ...partialCountsQuery(provider, block.hash),
    enabled: devnet && !isLive && summary?.partials === undefined,
  })
  const partials = summary?.partials ?? told.data ?? undefined
  const newestNumber = useFeed((feed) => feed.live?.number ?? 0)
  const [choice, setChoice] = useState<{ block: number; partial: number }>()
  const chosen = choice?.block === number ? choice.partial : undefined
  const known = useMemo(
    () => (isLive ? live?.slots : slotsOf(block, receipts.data ?? [], partials)),
    [isLive, live, block, receipts.data, partials],
  )
  // While they are asked for, they have their place: what is below does not move.
  const slots = known ?? (told.isLoading ? NO_SLOTS : undefined)
  return (
    <>
      <ScreenHeading
        title={`${isLive ? 'Pending block' : 'Block'} #${number}`}
        lead={
          <span className={css('state')}>
            <Glyph sign={isLive ? (preconfirms ? 'preconfirmed' : 'mempool') : 'sealed'} size={14} />
            {isLive ? (
              <span>
                <Term of="pending" then=":">
                  Pending
                </Term>{' '}
                not final until it is sealed
              </span>
            ) : (
              <Term of="sealed">Sealed</Term>
            )}
          </span>
        }
      >
        <nav aria-label="Neighbouring blocks" className={css('neighbours')}>
          {number > 0 && (
            <AppLink to={`/block/${number - 1}`} className={css('neighbour')}>
              <ChevronLeft size={16} aria-hidden="true" />#{number - 1}
            </AppLink>
          )}
          {number < newestNumber && (
            <AppLink to={`/block/${number + 1}`} className={css('neighbour')}>
              #{number + 1}
              <ChevronRight size={16} aria-hidden="true" />
            </AppLink>
          )}
        </nav>
      </ScreenHeading>
      {slots && devnet && number > 0 && (
        <Panel
          title={
            <>
              <Term of="partial-block">Partial</Term> blocks
            </>
          }
          aside={isLive && live && `${live.index + 1} of ${partialsPerBlock}`}
        >
          <PartialStrip
            slots={slots}
            newest={live?.index}
            transactionCount={block.transactions.length}
            partialsPerBlock={Math.max(partialsPerBlock, partials?.length ?? 0)}
            sealed={!isLive}
            chosen={chosen}
            onChoose={(partial) => setChoice(partial === chosen ? undefined : { block: number, partial })}
          />
        </Panel>
      )}
      <Panel
        title="Header"
        aside={<Segmented legend="Numbers as" options={NOTATIONS} value={notation} onChange={setNotation} />}
      >
        <GasBar used={BigInt(block.gasUsed)} limit={BigInt(block.gasLimit)} isLive={isLive} />
        <FieldList>
          {mainFields(block).map((field) => (
            <Field key={field.name} field={field} notation={notation} />
          ))}
        </FieldList>
        <details className={css('more')}>
          <summary>All header fields</summary>
          <FieldList>
            {otherFields(block).map((field) => (
              <Field key={field.name} field={field} notation={notation} />
            ))}
          </FieldList>
        </details>
      </Panel>
      {receipts.error && <ErrorNote error={receipts.error} />}
      <Panel
        title="Transactions"
        aside={
          chosen === undefined ? (
            formatCount(block.transactions.length, 'transaction')
          ) : (
            <span className={css('chosen')}>
              only of partial block {partialNumber(chosen)}
              <Button size="small" onClick={() => setChoice(undefined)}>
                Show all {formatInteger(block.transactions.length)}
              </Button>
            </span>
          )
        }
      >
        <BlockTransactions block={block} receipts={receipts.data ?? []} slots={slots} isLive={isLive} only={chosen} />
      </Panel>
    </>
  )
}

function Field({ field: { name, raw, decimal, term, unit }, notation }: { field: HeaderField; notation: Notation }) {
  const asDecimal = notation === 'decimal' ? decimal : undefined
  return (
    <FieldRow name={name} term={term} raw={raw} mono={asDecimal === undefined} wide={raw.length > LONG}>
      {asDecimal !== undefined && unit === 'wei' ? <Amount wei={BigInt(raw)}>{asDecimal}</Amount> : (asDecimal ?? raw)}
      {asDecimal !== undefined && unit === 'seconds' && (
        <AgeClock>
          {' · '}
          <Age timestamp={Number(raw)} />
        </AgeClock>
      )}
    </FieldRow>
  )
}

/**
 * The partial blocks of a sealed block.
 *
 * @param partials - Transactions added at each index; `undefined`, if nobody knows, gives `undefined`.
 */
export function slotsOf(
  block: Pick<FullBlock, 'transactions'>,
  receipts: readonly Pick<RpcReceipt, 'transactionHash' | 'status'>[],
  partials: readonly number[] | undefined,
): readonly PartialSlot[] | undefined {
  if (!partials) return undefined
  const failed = new Set(
    receipts.filter(({ status }) => status === '0x0').map(({ transactionHash }) => transactionHash),
  )
  let start = 0
  return partials.map((count, index) => {
    const transactions = block.transactions
      .slice(start, start + count)
      .map(({ hash, from, to, value }) => ({ hash, from, to, value: BigInt(value), reverted: failed.has(hash) }))
    start += count
    return { index, transactions }
  })
}

/** Shows how much of a block's gas is used. */
function GasBar({ used, limit, isLive }: { used: bigint; limit: bigint; isLive: boolean }) {
  const share = limit === 0n ? 0 : Number((used * 10_000n) / limit) / 100
  const words = `${formatInteger(used)} of ${formatInteger(limit)} gas, ${formatPercent(used, limit)}`
  return (
    <div
      role="meter"
      aria-label="Gas used"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share}
      aria-valuetext={words}
      className={css('bar')}
    >
      <div className={css('fill', isLive && 'live', used > 0n && 'some')} style={{ width: `${share}%` }} />
    </div>
  )
}
