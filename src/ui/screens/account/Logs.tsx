import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address } from '#primitives/hex.ts'
import type { RpcLog } from '#rpc-types/objects.ts'
import { LogList } from '#ui/chain/decoded/LogList.tsx'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { LoadOlder } from '#ui/components/LoadOlder.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { shortHex } from '#ui/format/hex.ts'
import { formatCount, formatInteger } from '#ui/format/numbers.ts'
import { useProvider } from '#ui/page/session.ts'
import { logsQuery } from '#ui/queries/accounts.ts'
import { useVersion } from './use-version.ts'

/** How many blocks are searched at first, and with each further press. */
const STEP = 1_000
/** How many logs are drawn at first. */
const SHOWN = 50

/** Logs that the account emitted as a contract. */
export function Logs({ address }: { address: Address }) {
  const head = useFeed((feed) => feed.sealed[0]?.number) ?? 0
  const [from, setFrom] = useState(() => Math.max(0, head - STEP))
  const [shown, setShown] = useState(SHOWN)
  const { data, error, isFetching } = useQuery(logsQuery(useProvider(), address, from, useVersion()))
  if (error) return <ErrorNote error={error} />
  if (!data) return <p className="empty">Searching the newest blocks for logs…</p>
  const left = data.length - shown
  return (
    <>
      {data.length === 0 ? (
        <p className="empty">This account wrote no logs {since(from)}. Only contracts write logs.</p>
      ) : (
        <LogList logs={data.slice(0, shown)} aside={whereFrom} />
      )}
      <LoadOlder
        label={left > 0 ? `Show more of ${formatInteger(left)} left` : 'Search older blocks'}
        isLoading={left <= 0 && isFetching}
        onMore={
          left > 0 ? () => setShown(shown + 4 * SHOWN) : from > 0 ? () => setFrom(Math.max(0, from - STEP)) : undefined
        }
      >
        {formatCount(data.length, 'log')} {since(from)}, including the pending block.
      </LoadOlder>
    </>
  )
}

function since(from: number): string {
  return from === 0 ? 'since the first block' : `since block #${from}`
}

function whereFrom(log: RpcLog) {
  const sealed = BigInt(log.blockHash) !== 0n
  return (
    <>
      <span className="muted">
        <Glyph sign={sealed ? 'sealed' : 'preconfirmed'} size={10} /> {sealed ? 'sealed' : 'pre-confirmed'} in{' '}
        <AppLink to={`/block/${Number(log.blockNumber)}`}>#{Number(log.blockNumber)}</AppLink>
      </span>
      <AppLink to={`/tx/${log.transactionHash}/logs`} className="mono">
        {shortHex(log.transactionHash)}
      </AppLink>
    </>
  )
}
