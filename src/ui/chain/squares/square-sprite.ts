import { useMarks } from './marks.ts'
import type { SquareLook } from './square.ts'

/** CSS colours of the signs. */
export interface SquareColors {
  readonly mempool: string
  readonly preconfirmed: string
  readonly sealed: string
  readonly reverted: string
  /** Outline of what is looked for. */
  readonly found: string
}

/** The colours that hold for an element at present. */
export function readColors(element: Element): SquareColors {
  const computed = getComputedStyle(element)
  const read = (name: string) => computed.getPropertyValue(name)
  return {
    mempool: read('--mempool'),
    preconfirmed: read('--preconfirmed'),
    sealed: read('--sealed'),
    reverted: read('--failed'),
    found: computed.color,
  }
}

/** Some small squares at a time: without a graphics card it takes longer to have it paint them than to paint them here. */
export const SOFTWARE: CanvasRenderingContext2DSettings = { willReadFrequently: true }

/** Below this side, in CSS pixels, a square has no room for a sign. */
const SIGN_SIDE = 4

/** Opacity of the lighter half of a pre-confirmed square. */
const LIGHT_HALF = 0.28
const FAINT = 0.25

/** A look where squares are too small for a sign: a colour that covers as much as the sign does. */
export function flatLook(look: SquareLook, colors: SquareColors): { readonly color: string; readonly alpha: number } {
  const [sign, ...marks] = look.split(' ') as ['mempool' | 'preconfirmed' | 'sealed' | 'reverted', ...string[]]
  if (marks.includes('found')) return { color: colors.found, alpha: 1 }
  const share = sign === 'preconfirmed' ? (1 + LIGHT_HALF) / 2 : 1
  return { color: colors[sign], alpha: share * (marks.includes('faint') ? FAINT : 1) }
}

/** The picture of a look, drawn once and then copied. */
export function drawSquare(look: SquareLook, size: number, scale: number, colors: SquareColors): HTMLCanvasElement {
  const sprite = document.createElement('canvas')
  sprite.width = sprite.height = Math.max(1, Math.ceil(size * scale))
  const context = sprite.getContext('2d', SOFTWARE)
  if (!context) return sprite
  const [sign, ...marks] = look.split(' ') as ['mempool' | 'preconfirmed' | 'sealed' | 'reverted', ...string[]]
  // A square's edges may lie between two pixels: what it covers is exactly its share, however small it is.
  const side = size
  context.scale(scale, scale)
  context.globalAlpha = marks.includes('faint') ? FAINT : 1
  context.strokeStyle = context.fillStyle = colors[sign]
  const own = marks.includes('own')
  if (sign === 'mempool' && side >= SIGN_SIDE) drawRing(context, side, own)
  else if (sign === 'preconfirmed') drawHalf(context, side, own)
  else if (sign === 'reverted' && side >= 8) drawCross(context, side, own)
  else context.fillRect(0, 0, side, side)
  if (sign === 'sealed' && own && side >= 8) drawDot(context, side)
  if (marks.includes('found')) {
    context.strokeStyle = colors.found
    context.lineWidth = Math.min(2, side / 2)
    context.strokeRect(context.lineWidth / 2, context.lineWidth / 2, side - context.lineWidth, side - context.lineWidth)
  }
  // A number at the end is the sender's mark.
  const mark = Number(marks.at(-1))
  if (mark >= 0) useMarks.getState().draw?.(context, mark, side)
  return sprite
}

function drawRing(context: CanvasRenderingContext2D, side: number, own: boolean): void {
  context.lineWidth = own ? 2.5 : 1.25
  context.beginPath()
  context.arc(side / 2, side / 2, side / 2 - context.lineWidth / 2, 0, 2 * Math.PI)
  context.stroke()
}

/** One half solid, one light: at every size the same sign, which covers the same share. */
function drawHalf(context: CanvasRenderingContext2D, side: number, own: boolean): void {
  const alpha = context.globalAlpha
  context.globalAlpha = alpha * LIGHT_HALF
  context.fillRect(0, 0, side, side)
  context.globalAlpha = alpha
  context.beginPath()
  context.moveTo(0, 0)
  context.lineTo(0, side)
  context.lineTo(side, side)
  context.fill()
  if (!own || side < SIGN_SIDE) return
  context.lineWidth = side >= 8 ? 2 : 1
  const inset = context.lineWidth / 2
  context.strokeRect(inset, inset, side - 2 * inset, side - 2 * inset)
}

/** A solid square with a cross left out of it. */
function drawCross(context: CanvasRenderingContext2D, side: number, own: boolean): void {
  context.fillRect(0, 0, side, side)
  context.globalCompositeOperation = 'destination-out'
  context.lineWidth = own ? 1 : 1.5
  context.beginPath()
  const [from, to] = [side * 0.28, side * 0.72]
  context.moveTo(from, from)
  context.lineTo(to, to)
  context.moveTo(to, from)
  context.lineTo(from, to)
  context.stroke()
  context.globalCompositeOperation = 'source-over'
}

/** The mark of an own square that is solid. */
function drawDot(context: CanvasRenderingContext2D, side: number): void {
  context.globalCompositeOperation = 'destination-out'
  context.beginPath()
  context.arc(side / 2, side / 2, side / 5, 0, 2 * Math.PI)
  context.fill()
  context.globalCompositeOperation = 'source-over'
}
