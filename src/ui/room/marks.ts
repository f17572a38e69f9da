import type { DrawMark } from '#ui/chain/squares/marks.ts'

/** Outlines on a grid of 24, which a phone's screen and the canvas of the stage share. */
const SHAPES = [
  { name: 'star', path: 'M12 1l3.2 7.2 7.8.8-5.9 5.2 1.7 7.8-6.8-4-6.8 4 1.7-7.8L1 9l7.8-.8z' },
  { name: 'diamond', path: 'M12 1l10 11-10 11L2 12z' },
  { name: 'plus', path: 'M8 1h8v7h7v8h-7v7H8v-7H1V8h7z' },
  { name: 'triangle', path: 'M12 2l11 20H1z' },
  {
    name: 'heart',
    path: 'M12 22L2.6 12.4C-.4 9.2 1 3 6 2.6c2.8-.2 4.9 1.3 6 3.4 1.1-2.1 3.2-3.6 6-3.4 5 .4 6.4 6.6 3.4 9.8z',
  },
  { name: 'hexagon', path: 'M6.5 2h11L23 12l-5.5 10h-11L1 12z' },
  { name: 'arrow', path: 'M2 7h9V1l12 11-12 11v-6H2z' },
  { name: 'hourglass', path: 'M2 1h20l-7 11 7 11H2l7-11z' },
] as const

/** Each has a contrast of at least 3:1 against both backgrounds; none is the colour of a state. */
const COLORS = [
  { name: 'green', css: '#1f9d55' },
  { name: 'violet', css: '#8b5cf6' },
  { name: 'red', css: '#e5484d' },
  { name: 'cyan', css: '#0891b2' },
  { name: 'brown', css: '#a16207' },
  { name: 'magenta', css: '#c026d3' },
  { name: 'lime', css: '#5f990c' },
  { name: 'grey', css: '#7a8594' },
] as const

/** A guest's sign: a shape and a colour; neighbours in number differ in both. */
export interface MarkLook {
  /** `green star`. */
  readonly name: string
  readonly path: string
  readonly color: string
}

/** @param mark - As the room gives it; any whole number. */
export function markLook(mark: number): MarkLook {
  const shape = SHAPES[mark % SHAPES.length] ?? SHAPES[0]
  const color = COLORS[(mark + Math.floor(mark / SHAPES.length)) % COLORS.length] ?? COLORS[0]
  return { name: `${color.name} ${shape.name}`, path: shape.path, color: color.css }
}

/** Share of a square's side that a mark takes up, and of the disc that is left free around it; more where there is little. */
const SHARE = { mark: 0.56, disc: 0.84 }
const SMALL = { mark: 0.74, disc: 1 }
/** In CSS pixels before the stage is enlarged. */
const SMALL_BELOW = 14

/** Draws a mark on a square: the square's sign stays visible around it. */
export const drawMark: DrawMark = (context, mark, side) => {
  const { path, color } = markLook(mark)
  const share = side < SMALL_BELOW ? SMALL : SHARE
  context.save()
  context.globalCompositeOperation = 'destination-out'
  context.globalAlpha = 1
  context.beginPath()
  context.arc(side / 2, side / 2, (side * share.disc) / 2, 0, 2 * Math.PI)
  context.fill()
  context.restore()
  context.save()
  context.fillStyle = color
  context.translate((side * (1 - share.mark)) / 2, (side * (1 - share.mark)) / 2)
  context.scale((side * share.mark) / 24, (side * share.mark) / 24)
  const outline = new Path2D(path)
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- A canvas is not an array.
  context.fill(outline)
  context.restore()
}
