import { useMarks } from '#ui/chain/squares/marks.ts'
import type { PartialSlot } from '#ui/feed/feed-state.ts'
import { GuestMark } from '#ui/room/GuestMark.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { firstMarks } from './guest-marks.ts'
import styles from './Senders.module.css'

const css = classNames(styles)

/** From this many transactions on, the squares of a cell of the stage have no room for marks. */
const CROWDED = 5
/** Marks beside the index of a partial block. */
const SHOWN = 2

/** The marks of the first guests in a crowded partial block; the number below its squares says how many there are. */
export function Senders({ transactions }: Pick<PartialSlot, 'transactions'>) {
  const { of: marks } = useMarks()
  if (!marks || transactions.length < CROWDED) return null
  return (
    <span className={css('senders')} aria-hidden="true">
      {firstMarks(transactions, marks, SHOWN).map((mark) => (
        <GuestMark key={mark} mark={mark} size={14} />
      ))}
    </span>
  )
}
