import { Snowflake } from 'lucide-react'
import { Button } from '#ui/components/Button.tsx'
import { unfreezeView, useFeed, useFrozenView, useNewBlocks } from '#ui/feed/store.ts'
import { formatInteger } from '#ui/format/numbers.ts'
import { FloatingNote } from './FloatingNote.tsx'

/** A note that the view is frozen and what it misses, with a button to unfreeze it. */
export function FrozenNote() {
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
