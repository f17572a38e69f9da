import type { Hash } from '#primitives/hex.ts'
import { AppLink } from '#ui/components/AppLink.tsx'
import { describeProgress } from '#ui/feed/stage.ts'
import { mediumHex } from '#ui/format/hex.ts'
import type { Progress } from '#ui/own/progress.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { StateChip } from './StateChip.tsx'
import styles from './TransactionStatus.module.css'

const css = classNames(styles)

/** Progress and outcome of one transaction; its accessible name says all of it. */
export function TransactionStatus({ hash, progress }: { hash: Hash; progress: Progress }) {
  return (
    // What happens to own transactions is announced elsewhere.
    <output aria-live="off" aria-label={`Transaction ${hash}: ${describeProgress(progress)}`}>
      <StateChip stage={progress.stage} outcome={progress.outcome} withOutcome />
    </output>
  )
}

/** The same with the way to the transaction. */
export function TransactionLine({ hash, progress }: { hash: Hash; progress: Progress }) {
  return (
    <div className={css('line')}>
      <TransactionStatus hash={hash} progress={progress} />
      <AppLink to={`/tx/${hash}`} className="mono">
        {mediumHex(hash)}
      </AppLink>
    </div>
  )
}
