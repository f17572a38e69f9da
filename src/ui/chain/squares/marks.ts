import { create } from 'zustand'
import type { Address } from '#primitives/hex.ts'

/** Draws the mark with this number in the middle of a square, if it has room for it. @param side - In CSS pixels. */
export type DrawMark = (context: CanvasRenderingContext2D, mark: number, side: number) => void

interface Marks {
  readonly of?: ReadonlyMap<Address, number>
  readonly draw?: DrawMark
}

/** Marks of senders on their squares: set where a room is open, with the code that draws them. */
export const useMarks = create<Marks>()(() => ({}))
