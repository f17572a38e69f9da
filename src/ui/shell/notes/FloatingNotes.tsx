import { Snowflake } from 'lucide-react'
import { Button } from '#ui/components/Button.tsx'
import { unfreezeView, useFeed, useFrozenView, useNewBlocks } from '#ui/feed/store.ts'
import { formatInteger } from '#ui/format/numbers.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { FaultsNotice } from './FaultsNotice.tsx'
import { FileDropNote } from './FileDropNote.tsx'
import { FloatingNote } from './FloatingNote.tsx'
import styles from './FloatingNotes.module.css'
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

/** A note that the view is frozen and what it misses, with a button to unfreeze it. */
function FrozenNote() {
  const frozen = useFrozenView((view) => view.sinceMs !== undefined)
  return frozen ? <Note /> : null
}

function Note() {
  const number = useFeed((feed) => feed.live?.number)
  const missed = useNewBlocks()
  return (
    <FloatingNote
      name="Frozen view"
      icon={Snowflake}
      what={`View frozen${number === undefined ? '' : ` at block ${formatInteger(number)}`}`}
      detail={
        missed === 0 ? 'the chain keeps running' : `+${formatInteger(missed)} new ${missed === 1 ? 'block' : 'blocks'}`
      }
    >
      <Button size="small" onClick={unfreezeView}>
        Unfreeze
      </Button>
    </FloatingNote>
  )
}
