import { create } from 'zustand'
import { useMarks } from '#ui/chain/squares/marks.ts'
import type { PartialSlot } from '#ui/feed/feed-state.ts'
import { GuestMark } from '#ui/room/GuestMark.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { firstMarks } from './guest-marks.ts'
import styles from './Senders.module.css'

const css = classNames(styles)

/** Marks beside the index of a partial block; in 4:3 there is room for the first. */
const SHOWN = 2

/** How many squares of a partial block have room for marks on the stage as it is now. */
export const useMarkedSquares = create<{ readonly most: number }>()(() => ({ most: 0 }))

/** The marks of the first guests in a partial block that has more; the number below its squares says how many there are. */
export function Senders({ transactions }: Pick<PartialSlot, 'transactions'>) {
  const { of: marks } = useMarks()
  const { most } = useMarkedSquares()
  if (!marks || transactions.length <= most) return null
  return (
    <span className={css('senders')} aria-hidden="true">
      {firstMarks(transactions, marks, SHOWN).map((mark) => (
        <GuestMark key={mark} mark={mark} size={12} />
      ))}
    </span>
  )
}
