export interface SquareLayout {
  /** Side of a square in CSS pixels. */
  readonly size: number
  readonly gap: number
  readonly columns: number
  /** Squares that fit; fewer than asked for only if not even the smallest do. */
  readonly shown: number
}

const SIDES: readonly (readonly [size: number, gap: number])[] = [
  [14, 4],
  [10, 3],
  [8, 3],
  [6, 2],
  [4, 2],
  [3, 1],
  [2, 1],
  [1, 1],
  [1, 0],
]

/** The largest squares of which `count` fit into `width` × `height` CSS pixels. */
export function layoutSquares(count: number, width: number, height: number): SquareLayout {
  let layout: SquareLayout = { size: 1, gap: 0, columns: 0, shown: 0 }
  for (const [size, gap] of SIDES) {
    const columns = Math.max(0, Math.floor((width + gap) / (size + gap)))
    const rows = Math.max(0, Math.floor((height + gap) / (size + gap)))
    layout = { size, gap, columns, shown: Math.min(count, columns * rows) }
    if (layout.shown === count) return layout
  }
  return layout
}
