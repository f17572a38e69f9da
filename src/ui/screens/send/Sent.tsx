import type { Hash } from '#primitives/hex.ts'
import { AppLink } from '#ui/components/AppLink.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Panel } from '#ui/components/Panel.tsx'
import { StateChip } from '#ui/components/StateChip.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { mediumHex } from '#ui/format/hex.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { describeProgress } from '#ui/format/stage.ts'
import { knownProgress, progressByAnswers, progressOf } from '#ui/own/progress.ts'
import { useTimeline, useTransaction } from '#ui/queries/transactions.ts'
import { Steps } from '#ui/screens/tx/Steps.tsx'
import { useCapabilities } from '#ui/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Sent.module.css'

const css = classNames(styles)

/** Timelines that are shown in full; more of them say no more. */
const IN_FULL = 3

/** What was sent, and how far each of them has come. */
export function Sent({
  hashes,
  failure,
  failureTitle,
}: {
  hashes: readonly Hash[]
  failure: unknown
  failureTitle: string | undefined
}) {
  return (
    <Panel title="Sent" aside={hashes.length > 1 ? formatCount(hashes.length, 'transaction') : 'measured in the node'}>
      <ul className={css('list')}>
        {hashes.map((hash, i) => (
          <li key={hash} className={css('item')}>
            <SentTransaction hash={hash} full={i < IN_FULL} />
          </li>
        ))}
      </ul>
      {failureTitle && failure !== undefined && <p className={css('title')}>{failureTitle}</p>}
      {failure !== undefined && <ErrorNote error={failure} />}
    </Panel>
  )
}

function SentTransaction({ hash, full }: { hash: Hash; full: boolean }) {
  const { devnet } = useCapabilities()
  const { data, error } = useTransaction(hash)
  const { data: timeline } = useTimeline(hash)
  const seen = useFeed((feed) => feed.transactions.get(hash))
  const events = timeline?.events ?? []
  const answered = devnet ? progressOf(events) : progressByAnswers(data?.tx ?? null, data?.receipt ?? null)
  const progress = knownProgress(seen, answered)
  return (
    <>
      <div className={css('what')}>
        <output aria-live="off" aria-label={`Transaction ${hash}: ${describeProgress(progress)}`}>
          <StateChip stage={progress.stage} outcome={progress.outcome} withOutcome />
        </output>
        <AppLink to={`/tx/${hash}`} className="mono">
          {mediumHex(hash)}
        </AppLink>
      </div>
      {devnet && full && <Steps events={events} progress={progress} />}
      {error && <ErrorNote error={error} />}
    </>
  )
}
