import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { chainKeyOf } from '#client/session/chain-key.ts'
import { type Address as AddressHex, toQuantity } from '#primitives/hex.ts'
import { Address } from '#ui/chain/Address.tsx'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
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
          <div className={css('scroll')}>
            <table className={css('table')} aria-label="Tokens">
              <thead>
                <tr>
                  <th scope="col">Token</th>
                  <th scope="col">Standard</th>
                  <th scope="col" className={css('numeric')}>
                    <Glyph sign="sealed" size={10} /> Sealed
                  </th>
                  <th scope="col" className={css('numeric')}>
                    <Glyph sign={preconfirms ? 'preconfirmed' : 'mempool'} size={10} /> Pending
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.held.map((holding) => (
                  <Row key={`${holding.contract} ${holding.id}`} holding={holding} />
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      <div className={css('foot')}>
        <p role="status" className="note">
          {formatCount(data.held.length, 'token')} held, of those that were sent here {since(data.from)}
          {preconfirms && ', including the pending block'}.
          {data.unread > 0 &&
            ` ${data.unread < MAX_UNREAD ? '' : 'At least '}${formatInteger(data.unread)} more that came earlier were not looked at.`}
        </p>
        {data.from > 0 && data.from <= from && (
          <Button size="small" disabled={isFetching} onClick={() => setFrom(Math.max(0, from - STEP))}>
            Search older blocks
          </Button>
        )}
      </div>
    </>
  )
}

function since(from: number): string {
  return from === 0 ? 'since the first block' : `since block #${formatInteger(from)}`
}

function Row({ holding }: { holding: Holding }) {
  const { standard, contract, id, sealed, pending } = holding
  const { data: words } = useQuery(tokenWordsQuery(useProvider(), chainKeyOf(useSession()), contract))
  const change = (pending ?? 0n) - (sealed ?? 0n)
  const amount = (value: bigint | undefined) => amountWords(standard, value, words?.decimals)
  return (
    <tr>
      <th scope="row">
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
      </th>
      <td>{standard}</td>
      <td className={css('numeric')} title={sealed === undefined ? undefined : String(sealed)}>
        {amount(sealed)}
      </td>
      <td className={css('numeric')} title={pending === undefined ? undefined : String(pending)}>
        {amount(pending)}
        {change !== 0n && standard !== 'ERC-721' && (
          <span className={css('change')}>
            {change > 0n ? '+' : '−'}
            {formatTokenAmount(change > 0n ? change : -change, decimalsOf(standard, words?.decimals))}
          </span>
        )}
      </td>
    </tr>
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
