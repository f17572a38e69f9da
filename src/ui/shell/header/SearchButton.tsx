import { Search } from 'lucide-react'
import { openDialog } from '#ui/page/shell-dialog.ts'
import { isMac } from '#ui/page/use-shortcut.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './SearchButton.module.css'

const css = classNames(styles)

/** A button that looks like the search field it opens. */
export function SearchButton() {
  return (
    <button
      type="button"
      className={css('button')}
      aria-haspopup="dialog"
      aria-keyshortcuts={isMac() ? 'Meta+K' : 'Control+K'}
      onClick={() => openDialog('palette')}
    >
      <Search size={15} aria-hidden="true" />
      <span className={css('words')}>
        Search<span className={css('more')}> or run a command</span>
      </span>
      <kbd className={css('key')} aria-hidden="true">
        {isMac() ? '⌘K' : 'Ctrl K'}
      </kbd>
    </button>
  )
}
