import { Children, type ReactNode } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './DataTable.module.css'

const css = classNames(styles)

export interface Column {
  readonly name: string
  /** Right-aligned; left out on the narrowest phones. */
  readonly numeric?: boolean
  /** Left out where there is little room. */
  readonly detail?: boolean
}

/** A table with a name; `children` are its rows, with a cell for each column. */
export function DataTable({
  name,
  columns,
  empty,
  children,
}: {
  name: string
  columns: readonly Column[]
  /** What to say when there are no rows. */
  empty: string
  children: ReactNode
}) {
  const hidden = columns.map((column, i) => (column.detail ? css(`detail${i + 1}`) : '')).join(' ')
  const numeric = columns.map((column, i) => (column.numeric ? css(`numeric${i + 1}`) : '')).join(' ')
  return (
    <>
      <table className={`${css('table')} ${hidden} ${numeric}`} aria-label={name}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col">
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
      {Children.count(children) === 0 && <p className={css('empty')}>{empty}</p>}
    </>
  )
}
