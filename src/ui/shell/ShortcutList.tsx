import { Fragment } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ShortcutList.module.css'
import { allShortcuts } from './shortcuts.ts'

const css = classNames(styles)

/** What the keys of the page do. */
export function ShortcutList() {
  return (
    <dl className={css('list')}>
      {allShortcuts().map(({ keys, what, where }) => (
        <div key={what} className={css('row')}>
          <dt className={css('keys')}>
            {keys.map((key, i) => (
              <Fragment key={key}>
                {i > 0 && <span className="visually-hidden"> and </span>}
                <kbd className={css('key')}>{key}</kbd>
              </Fragment>
            ))}
          </dt>
          <dd>
            {what}
            {where !== undefined && <span className="muted"> · {where}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
