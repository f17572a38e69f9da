import { create } from 'zustand'
import type { Address } from '#primitives/hex.ts'

/** Below this side, in CSS pixels before the stage is enlarged, a square has no room for a mark that one recognises. */
export const MARKED_SIDE = 9

/** Draws the mark with this number in the middle of a square. @param side - In CSS pixels. */
export type DrawMark = (context: CanvasRenderingContext2D, mark: number, side: number) => void

interface Marks {
  readonly of?: ReadonlyMap<Address, number>
  readonly draw?: DrawMark
}

/** Marks of senders on their squares: set where a room is open, with the code that shows them. */
export const useMarks = create<Marks>()(() => ({}))
