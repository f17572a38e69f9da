import type { Hash } from '#primitives/hex.ts'
import { AppLink } from '#ui/components/AppLink.tsx'
import { describeProgress } from '#ui/feed/status-words.ts'
import { shortHex } from '#ui/format/hex.ts'
import type { Progress } from '#ui/own/progress.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { StateChip } from './StateChip.tsx'
import styles from './TransactionStatus.module.css'

const css = classNames(styles)

/** Progress and outcome of one transaction; its accessible name has both in full. */
export function TransactionStatus({ hash, progress }: { hash: Hash; progress: Progress }) {
  return (
    // Changes of the page's own transactions are announced elsewhere.
    <output aria-live="off" aria-label={`Transaction ${hash}: ${describeProgress(progress)}`}>
      <StateChip status={progress.status} outcome={progress.outcome} withOutcome />
    </output>
  )
}

/** The status with a link to the transaction. */
export function TransactionLine({ hash, progress }: { hash: Hash; progress: Progress }) {
  return (
    <div className={css('line')}>
      <TransactionStatus hash={hash} progress={progress} />
      <AppLink to={`/tx/${hash}`} className="mono">
        {shortHex(hash)}
      </AppLink>
    </div>
  )
}
