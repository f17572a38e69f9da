import type { Hash } from '#primitives/hex.ts'
import type { TimelineEvent } from '#rpc-types/methods/devnet.ts'
import type { RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import { CopyTextButton } from '#ui/components/CopyButton.tsx'
import { formatDuration, formatEth, formatInteger } from '#ui/format/numbers.ts'
import { stepTimes } from '#ui/own/progress.ts'
import { useSession } from '#ui/page/session.ts'
import { viewAddress } from '#ui/page/view-address.ts'
import { useTimeline, useTransaction } from '#ui/queries/transactions.ts'
import { ShareLink } from './ShareLink.tsx'
import { viewedTransaction } from './view-name.ts'

/** The screen that is open: a transaction in words, and a link for those who have the same chain. */
export function ShareView({ path }: { path: string }) {
  const { remote, film } = useSession()
  const hash = viewedTransaction(path)
  return (
    <>
      {hash && <InWords hash={hash} />}
      {remote ? (
        <>
          <p>
            This link opens the same screen of the same chain, for whoever can reach {remote.endpoint.host}. It contains
            the endpoint’s address, with its key if it has one.
          </p>
          <ShareLink address={location.href} />
        </>
      ) : (
        <HereOnly isFilm={film !== undefined} path={path} />
      )}
    </>
  )
}

function HereOnly({ isFilm, path }: { isFilm: boolean; path: string }) {
  const { chain } = useSession()
  if (isFilm) return <p>This is a film: whoever has its file can watch it on any page of Blinknet.</p>
  return (
    <>
      <p>
        {chain === undefined
          ? 'This chain is only in this tab, so a link cannot lead others to it. Save a film, or make an exact link.'
          : `This chain is stored in this browser as “${chain}”: its links open only here. For others, save a film, or make an exact link.`}
      </p>
      {path === '/' && (
        <div>
          <CopyTextButton value={embedSnippet()}>the pending block as a frame, for a page of this site</CopyTextButton>
        </div>
      )}
    </>
  )
}

/** What happened to a transaction, in a few lines to paste anywhere. */
function InWords({ hash }: { hash: Hash }) {
  const { data } = useTransaction(hash)
  const { data: timeline } = useTimeline(hash)
  if (!data?.tx) return null
  const words = aboutTransaction(data.tx, data.receipt ?? undefined, timeline?.events ?? [])
  return (
    <>
      <p>What happened, in words:</p>
      <blockquote>
        {words.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </blockquote>
      <div>
        <CopyTextButton value={words.join('\n')}>these lines</CopyTextButton>
      </div>
    </>
  )
}

/** HTML that shows a chain in memory, small, inside another page. */
function embedSnippet(): string {
  const address = viewAddress('embed', '?storage=off').replaceAll('&', '&amp;')
  return `<iframe src="${address}" width="600" height="400" title="A Blinknet chain, live"></iframe>`
}

/**
 * A transaction in a few lines of text that stand alone.
 *
 * @param receipt - Of the pending or a sealed block; `undefined` while it waits.
 * @param events - Its steps, as far as the node remembers them.
 */
function aboutTransaction(
  tx: RpcTransaction,
  receipt: RpcReceipt | undefined,
  events: readonly TimelineEvent[],
): readonly string[] {
  const { preconfirmedMs, sealedMs } = stepTimes(events)
  const times = [
    preconfirmedMs !== undefined && `pre-confirmed after ${formatDuration(preconfirmedMs)}`,
    sealedMs !== undefined && `sealed after ${formatDuration(sealedMs)}`,
  ].filter((time) => time !== false)
  const where = receipt
    ? `${receipt.status === '0x0' ? 'Reverted' : 'Succeeded'} in block #${formatInteger(Number(receipt.blockNumber))}`
    : 'Waiting in the mempool'
  return [
    `Transaction ${tx.hash}`,
    `${where}${times.length > 0 ? `: ${times.join(', ')}` : ''}.`,
    `${formatEth(BigInt(tx.value))} from ${tx.from} to ${tx.to ?? 'a new contract'}`,
  ]
}
