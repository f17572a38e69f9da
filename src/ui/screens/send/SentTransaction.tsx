import type { Hash } from '#primitives/hex.ts'
import { TransactionLine } from '#ui/chain/TransactionStatus.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { knownProgress, progressOfAll } from '#ui/own/progress.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { useTimeline, useTransaction } from '#ui/queries/transactions.ts'
import { Steps } from '#ui/screens/tx/Steps.tsx'

/**
 * A transaction's progress.
 *
 * @param full - With the time of each step, if the chain reports it.
 * @param helps - Whether a nonce gap before it can be filled here.
 */
export function SentTransaction({ hash, full, helps = true }: { hash: Hash; full: boolean; helps?: boolean }) {
  const { devnet } = useCapabilities()
  const { data, error } = useTransaction(hash)
  const { data: timeline } = useTimeline(hash)
  const seen = useFeed((feed) => feed.transactions.get(hash))
  const events = timeline?.events ?? []
  const progress = knownProgress(seen, progressOfAll(events, data?.tx ?? null, data?.receipt ?? null))
  return (
    <>
      <TransactionLine hash={hash} progress={progress} />
      {devnet && full && <Steps tx={data?.tx ?? null} events={events} progress={progress} helps={helps} />}
      {error && <ErrorNote error={error} />}
    </>
  )
}
