import type { FeedTransaction } from '#ui/feed/feed-state.ts'
import { statusLabel } from '#ui/feed/status-words.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { Glyph } from './Glyph.tsx'
import styles from './StateChip.module.css'

const css = classNames(styles)

/** A transaction's state as sign and words; a revert is shown beside the status. */
export function StateChip({
  status,
  outcome,
  withOutcome = false,
  size,
}: Pick<FeedTransaction, 'status' | 'outcome'> & {
  withOutcome?: boolean
  /**
   * `row`: in a row of fixed height; in a narrow window a revert is only its sign. `brief`: so it is in all but wide windows.
   */
  size?: 'row' | 'brief'
}) {
  return (
    <span className={css('chip', status, size && 'row', size)}>
      <Glyph sign={status} />
      <span>{statusLabel(status)}</span>
      {outcome === 'reverted' && (
        <span className={css('reverted')} title="reverted">
          <Glyph sign="reverted" size={10} />
          <span className={css('word')}>reverted</span>
        </span>
      )}
      {withOutcome && outcome === 'success' && <span className={css('success')}>success</span>}
    </span>
  )
}
