import { Search } from 'lucide-react'
import { openDialog } from '#ui/page/shell-dialog.ts'
import { isMac } from '#ui/page/use-shortcut.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './SearchButton.module.css'

const css = classNames(styles)

/** Opens the palette, and shows its key. */
export function SearchButton() {
  return (
    <button
      type="button"
      className={css('button')}
      aria-haspopup="dialog"
      aria-label="Search or run a command"
      title="Search or run a command"
      aria-keyshortcuts={isMac() ? 'Meta+K' : 'Control+K'}
      onClick={() => openDialog('palette')}
    >
      <Search size={15} aria-hidden="true" />
      <kbd className={css('key')} aria-hidden="true">
        {isMac() ? '⌘K' : 'Ctrl K'}
      </kbd>
    </button>
  )
}
