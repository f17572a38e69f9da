import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { chainKeyOf } from '#client/session/chain-key.ts'
import { type Address as AddressHex, toQuantity } from '#primitives/hex.ts'
import { Address } from '#ui/chain/Address.tsx'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { LoadOlder } from '#ui/components/LoadOlder.tsx'
import { type Column, Table } from '#ui/components/Table.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { shortHex } from '#ui/format/hex.ts'
import { formatCount, formatInteger } from '#ui/format/numbers.ts'
import { formatTokenAmount } from '#ui/format/token-amount.ts'
import { useCapabilities, useProvider, useSession } from '#ui/page/session.ts'
import { type Holding, holdingsQuery, MAX_UNREAD, pendingTransfersQuery, tokenWordsQuery } from '#ui/queries/tokens.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Tokens.module.css'

const css = classNames(styles)

/** How many blocks are searched at first, and with each further press; public endpoints refuse longer ranges. */
const STEP = 5_000

/** Tokens that an account holds, sealed and pending, as the logs of transfers and the tokens' contracts tell. */
export function Tokens({ address }: { address: AddressHex }) {
  const provider = useProvider()
  const { preconfirms } = useCapabilities()
  const sealed = useFeed((feed) => feed.sealed[0])
  const [from, setFrom] = useState(() => Math.max(0, (sealed?.number ?? 0) - STEP))
  const hash = useFeed((feed) => feed.live?.hash)
  const logsBloom = useFeed((feed) => feed.live?.logsBloom)
  const transfers = useQuery({ ...pendingTransfersQuery(provider, address, { hash, logsBloom }), enabled: preconfirms })
  const newest = `${sealed?.hash} ${transfers.data ?? ''}`
  const [searched, setSearched] = useState(newest)
  const { data, error, isFetching } = useQuery({
    ...holdingsQuery(provider, address, { from, hasPending: preconfirms, version: searched }),
    // Holdings would be asked for again at once.
    enabled: !preconfirms || transfers.data !== undefined || transfers.error !== null,
  })
  // One search after the other: where transfers come faster than it ends, they would pile up, and none would be shown.
  if (!isFetching && searched !== newest) setSearched(newest)
  if (error) return <ErrorNote error={error} />
  if (!data) return <p className="empty">Looking for tokens…</p>
  return (
    <>
      {data.held.length === 0 ? (
        <p className="empty">
          This account holds no token (ERC-20, ERC-721 or ERC-1155) that was sent to it {since(data.from)}.
        </p>
      ) : (
        <>
          <p className="note">
            Names, symbols and amounts are what the tokens’ contracts say. Any contract can call itself anything.
          </p>
          <Table
            label="Tokens"
            columns={columnsOf(preconfirms)}
            items={data.held}
            keyOf={({ contract, id }) => `${contract} ${id}`}
            rows="compact"
            scrolls
          />
        </>
      )}
      <LoadOlder
        label="Search older blocks"
        isLoading={isFetching}
        onMore={data.from > 0 && data.from <= from ? () => setFrom(Math.max(0, from - STEP)) : undefined}
      >
        {formatCount(data.held.length, 'token')} held, of those that were sent here {since(data.from)}
        {preconfirms && ', including the pending block'}.
        {data.unread > 0 &&
          ` ${data.unread < MAX_UNREAD ? '' : 'At least '}${formatInteger(data.unread)} more that came earlier were not looked at.`}
      </LoadOlder>
    </>
  )
}

function since(from: number): string {
  return from === 0 ? 'since the first block' : `since block #${formatInteger(from)}`
}

function columnsOf(preconfirms: boolean): readonly Column<Holding>[] {
  return [
    { name: 'Token', isRowHead: true, cell: (holding) => <Token holding={holding} /> },
    { name: 'Standard', cell: ({ standard }) => standard },
    {
      name: 'Sealed',
      numeric: true,
      className: css('amount'),
      head: (
        <>
          <Glyph sign="sealed" size={10} /> Sealed
        </>
      ),
      cell: (holding) => <Held holding={holding} value={holding.sealed} />,
    },
    {
      name: 'Pending',
      numeric: true,
      className: css('amount'),
      head: (
        <>
          <Glyph sign={preconfirms ? 'preconfirmed' : 'mempool'} size={10} /> Pending
        </>
      ),
      cell: (holding) => (
        <>
          <Held holding={holding} value={holding.pending} />
          <Change holding={holding} />
        </>
      ),
    },
  ]
}

function useWords({ contract }: Holding) {
  return useQuery(tokenWordsQuery(useProvider(), chainKeyOf(useSession()), contract)).data
}

function Token({ holding }: { holding: Holding }) {
  const words = useWords(holding)
  const { contract, id } = holding
  return (
    <span className={css('token')}>
      {words?.name !== undefined && <span>{words.name}</span>}
      {words?.symbol !== undefined && <span className="muted">{words.symbol}</span>}
      {id !== undefined && (
        <span className={css('id')} title={String(id)}>
          #{idWords(id)}
        </span>
      )}
      <Address address={contract} />
    </span>
  )
}

function Held({ holding, value }: { holding: Holding; value: bigint | undefined }) {
  const words = useWords(holding)
  return (
    <span title={value === undefined ? undefined : String(value)}>
      {amountWords(holding.standard, value, words?.decimals)}
    </span>
  )
}

/** What the pending block changes. */
function Change({ holding }: { holding: Holding }) {
  const { standard, sealed, pending } = holding
  const words = useWords(holding)
  const change = (pending ?? 0n) - (sealed ?? 0n)
  if (change === 0n || standard === 'ERC-721') return null
  return (
    <span className={css('change')}>
      {change > 0n ? '+' : '−'}
      {formatTokenAmount(change > 0n ? change : -change, decimalsOf(standard, words?.decimals))}
    </span>
  )
}

/** Ids beyond this are hashes or addresses. */
const COUNTED = 10n ** 15n

function idWords(id: bigint): string {
  return id < COUNTED ? String(id) : shortHex(toQuantity(id))
}

/** Only amounts of ERC-20 have decimals. */
function decimalsOf(standard: Holding['standard'], decimals: number | undefined): number | undefined {
  return standard === 'ERC-20' ? decimals : undefined
}

function amountWords(standard: Holding['standard'], value: bigint | undefined, decimals: number | undefined): string {
  if (value === undefined) return '–'
  if (standard === 'ERC-721') return value > 0n ? 'held' : 'not held'
  return formatTokenAmount(value, decimalsOf(standard, decimals))
}
