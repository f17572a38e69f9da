import { TriangleAlert } from 'lucide-react'
import { othersText } from '#ui/format/contract-text.ts'
import { type ErrorWords, explainError } from '#ui/format/explain-error.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ErrorNote.module.css'

const css = classNames(styles)
/** Longest error shown, in characters; it may quote a node, a file or a link. */
const LONGEST = 1_000

/** An error: what failed, why, and what to do. Screen readers announce it at once. */
export function ErrorNote({ error }: { error: unknown }) {
  return (
    <div role="alert">
      <FailureNote {...explainError(error)} />
    </div>
  )
}

/** Tells a failure that is already explained and was announced elsewhere. */
export function FailureNote({ what, why }: ErrorWords) {
  return (
    <div className={css('note')}>
      <TriangleAlert size={16} aria-hidden="true" className={css('icon')} />
      <div>
        <p className={css('what')}>{othersText(what, LONGEST)}</p>
        <p className="muted">{othersText(why, LONGEST)}</p>
      </div>
    </div>
  )
}
