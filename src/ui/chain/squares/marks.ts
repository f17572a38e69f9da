import type { ComponentType } from 'react'
import { create } from 'zustand'
import type { Address } from '#primitives/hex.ts'
import type { PartialSlot } from '#ui/feed/feed-state.ts'

/** Below this side, in CSS pixels, a square has no room for a mark that one recognises. */
export const MARKED_SIDE = 12

/** Draws the mark with this number in the middle of a square. @param side - In CSS pixels. */
export type DrawMark = (context: CanvasRenderingContext2D, mark: number, side: number) => void

interface Marks {
  readonly of?: ReadonlyMap<Address, number>
  readonly draw?: DrawMark
  /** The senders of a partial block whose squares are too small for marks; in the upper right corner of its cell. */
  readonly Senders?: ComponentType<Pick<PartialSlot, 'transactions'>>
}

/** Marks of senders on their squares: set where a room is open, with the code that shows them. */
export const useMarks = create<Marks>()(() => ({}))
