import { classNames } from '#ui/styles/class-names.ts'
import { FaultsNotice } from './FaultsNotice.tsx'
import { FileDropNote } from './FileDropNote.tsx'
import styles from './FloatingNotes.module.css'
import { FrozenNote } from './FrozenNote.tsx'
import { HighlightNote } from './HighlightNote.tsx'

const css = classNames(styles)

/** A stack of notes above the page. */
export function FloatingNotes() {
  return (
    <div className={css('notes')}>
      <FaultsNotice />
      <FileDropNote />
      <HighlightNote />
      <FrozenNote />
    </div>
  )
}
