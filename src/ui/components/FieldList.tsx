import type { ReactNode } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import { CopyButton } from './CopyButton.tsx'
import styles from './FieldList.module.css'
import type { TermId } from './glossary.ts'
import { Term } from './Term.tsx'

const css = classNames(styles)

/** Facts by name, in two columns where there is room. */
export function FieldList({ children }: { children: ReactNode }) {
  return (
    <div className={css('room')}>
      <dl className={css('list')}>{children}</dl>
    </div>
  )
}

/**
 * @param term - Glossary term for the name, if it needs one.
 * @param raw - The value as the node sent it, for the copy button.
 * @param wide - Whether it needs both columns.
 */
export function FieldRow({
  name,
  term,
  raw,
  mono = false,
  wide = false,
  children,
}: {
  name: string
  term?: TermId | undefined
  raw?: string
  mono?: boolean
  wide?: boolean
  children: ReactNode
}) {
  return (
    <div className={css('row', wide && 'wide')}>
      <dt className={css('name')}>{term ? <Term of={term}>{name}</Term> : name}</dt>
      <dd className={css('value')}>
        <span className={css('text', mono && 'mono')}>{children}</span>
        {raw !== undefined && <CopyButton value={raw} label={name} />}
      </dd>
    </div>
  )
}
