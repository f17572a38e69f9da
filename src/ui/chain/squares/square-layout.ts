export interface SquareLayout {
  /** Side of a square in CSS pixels, with fractions. */
  readonly size: number
  readonly gap: number
  readonly columns: number
  /** Squares that fit; fewer than asked for only if there are more than the area has CSS pixels. */
  readonly shown: number
}

/** CSS pixels from one of the largest squares to the next. */
const MAX_PITCH = 18
/** Largest pitch where squares have marks. */
const MARKED_PITCH = 27
/** Share of the distance to the next square that a square takes up. */
const FILL = 7 / 9

/**
 * The squares of which `count` fit into `width` × `height` CSS pixels.
 *
 * More transactions never look like fewer: the area that all squares cover together only grows with `count`. Hence the
 * sides have fractions, and are a little smaller than the largest that would fit. A pitch p always fits if
 * (width / p − 1) · (height / p − 1) = count, and then all squares together cover FILL² · (width − p) · (height − p),
 * which grows as p shrinks.
 *
 * @param most - The most squares of the areas beside this one, which are equally large: their squares have one size.
 */
export function layoutSquares(
  count: number,
  width: number,
  height: number,
  { marked = false, most = 0 }: { readonly marked?: boolean; readonly most?: number } = {},
): SquareLayout {
  const room = Math.floor(width) * Math.floor(height)
  const shown = Math.min(count, room)
  if (shown === 0) return { size: 1, gap: 0, columns: 0, shown }
  const fitted = Math.min(Math.max(count, most), room)
  // The positive root of (fitted − 1) p² + (width + height) p − width · height, in a form that also holds for one square.
  const sum = width + height
  const area = width * height
  const root = (2 * area) / (sum + Math.sqrt(sum * sum + 4 * (fitted - 1) * area))
  const pitch = Math.min(marked ? MARKED_PITCH : MAX_PITCH, root)
  const size = pitch * FILL
  return { size, gap: pitch - size, columns: Math.floor(width / pitch), shown }
}
