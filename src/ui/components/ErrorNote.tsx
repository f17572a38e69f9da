import { TriangleAlert } from 'lucide-react'
import { explainError } from '#ui/format/explain-error.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ErrorNote.module.css'

const css = classNames(styles)

/** What failed, why, and what to do. */
export function ErrorNote({ error }: { error: unknown }) {
  const { what, why } = explainError(error)
  return (
    <div role="alert" className={css('note')}>
      <TriangleAlert size={16} aria-hidden="true" className={css('icon')} />
      <div>
        <p className={css('what')}>{what}</p>
        <p className={css('why')}>{why}</p>
      </div>
    </div>
  )
}
