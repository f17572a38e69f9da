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

/** Below this side, in CSS pixels, hatching cannot be told from a plain fill. */
const HATCH_SIDE = 8

/** The picture of a look, drawn once and then copied. */
export function drawSquare(look: SquareLook, size: number, scale: number, colors: SquareColors): HTMLCanvasElement {
  const sprite = document.createElement('canvas')
  sprite.width = sprite.height = Math.max(1, Math.ceil(size * scale))
  const context = sprite.getContext('2d', SOFTWARE)
  if (!context) return sprite
  const [sign, ...marks] = look.split(' ') as ['mempool' | 'preconfirmed' | 'sealed' | 'reverted', ...string[]]
  // Its edges may lie between two pixels: what it covers is exactly its share, however small it is.
  const side = size
  context.scale(scale, scale)
  context.globalAlpha = marks.includes('faint') ? 0.25 : 1
  context.strokeStyle = context.fillStyle = colors[sign]
  const own = marks.includes('own')
  if (sign === 'mempool' && side >= SIGN_SIDE) drawRing(context, side, own)
  else if (sign === 'preconfirmed') drawHatched(context, side, own)
  else if (sign === 'reverted' && side >= 8) drawCross(context, side, own)
  else context.fillRect(0, 0, side, side)
  if (sign === 'sealed' && own && side >= 8) drawDot(context, side)
  if (marks.includes('found')) {
    context.strokeStyle = colors.found
    context.lineWidth = Math.min(2, side / 2)
    context.strokeRect(context.lineWidth / 2, context.lineWidth / 2, side - context.lineWidth, side - context.lineWidth)
  }
  return sprite
}

function drawRing(context: CanvasRenderingContext2D, side: number, own: boolean): void {
  context.lineWidth = own ? 2.5 : 1.25
  context.beginPath()
  context.arc(side / 2, side / 2, side / 2 - context.lineWidth / 2, 0, 2 * Math.PI)
  context.stroke()
}

function drawHatched(context: CanvasRenderingContext2D, side: number, own: boolean): void {
  const alpha = context.globalAlpha
  const hasLines = side >= HATCH_SIDE
  // Without lines as light as the hatching is on the average, so that it is never taken for solid.
  context.globalAlpha = alpha * (hasLines ? 0.28 : 0.62)
  context.fillRect(0, 0, side, side)
  context.globalAlpha = alpha
  if (hasLines) {
    context.lineWidth = 1.25
    context.beginPath()
    for (let offset = -side; offset < side; offset += 4) {
      context.moveTo(offset, side)
      context.lineTo(offset + side, 0)
    }
    context.stroke()
  }
  if (!own || side < SIGN_SIDE) return
  context.lineWidth = hasLines ? 2 : 1
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
