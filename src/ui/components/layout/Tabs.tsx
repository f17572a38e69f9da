import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Tabs.module.css'

const css = classNames(styles)

/** Classes of a row of tabs, `list`, and of each, `tab`: for links that look like them. */
export const tabClass = css

export interface Tab<Id extends string> {
  readonly id: Id
  readonly label: string
  /** Number of items in it. */
  readonly count?: number | undefined
}

/** The tab named by the end of an address; the first one if there is no name, `undefined` if the name is unknown. */
export function tabOf<Id extends string>(tabs: readonly Tab<Id>[], name: string | undefined): Id | undefined {
  return name === undefined ? tabs[0]?.id : tabs.find(({ id }) => id === name)?.id
}

/**
 * Tabs of a screen. Each has its own address, the first one the screen's, so they can be linked to and are part of the
 * history.
 *
 * @param base - The screen's address.
 */
export function Tabs<Id extends string>({
  label,
  base,
  tabs,
  current,
  children,
}: {
  label: string
  base: string
  tabs: readonly Tab<Id>[]
  current: Id
  children: ReactNode
}) {
  const group = useId()
  const search = useSearch()
  const [, navigate] = useLocation()
  const addressOf = (id: Id) => `${base}${id === tabs[0]?.id ? '' : `/${id}`}${search && `?${search}`}`

  function onKeyDown(event: KeyboardEvent<HTMLAnchorElement>, position: number): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const next = neighbour(event.key, position, tabs.length)
    const tab = next === undefined ? undefined : tabs[next]
    if (!tab) return
    event.preventDefault()
    // Moving through several tabs is one step of the history.
    navigate(addressOf(tab.id), { replace: true })
    event.currentTarget.parentElement?.querySelectorAll('a')[next ?? 0]?.focus()
  }

  return (
    <section className={css('tabs')} aria-label={label}>
      <div role="tablist" aria-label={label} className={css('list')}>
        {tabs.map(({ id, label: name, count }, position) => (
          <Link
            key={id}
            id={`${group}-${id}`}
            href={addressOf(id)}
            role="tab"
            aria-selected={id === current}
            aria-controls={id === current ? `${group}-panel` : undefined}
            tabIndex={id === current ? 0 : -1}
            className={css('tab')}
            onKeyDown={(event: KeyboardEvent<HTMLAnchorElement>) => onKeyDown(event, position)}
          >
            {name}
            {count !== undefined && <span className={css('count')}>{count}</span>}
          </Link>
        ))}
      </div>
      <div id={`${group}-panel`} role="tabpanel" aria-labelledby={`${group}-${current}`} className={css('panel')}>
        {children}
      </div>
    </section>
  )
}

/** The tab that a key selects. */
function neighbour(key: string, position: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (position + 1) % count
    case 'ArrowLeft':
      return (position + count - 1) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    case ' ':
      return position
    default:
      return undefined
  }
}
