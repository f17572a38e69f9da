import type { Address } from '#primitives/hex.ts'
import { MARKED_SIDE } from './marks.ts'
import { lookOf, type Square, type SquareLook, type WantedSquares } from './square.ts'
import { layoutSquares, type SquareLayout } from './square-layout.ts'
import { drawSquare, flatLook, SOFTWARE, type SquareColors } from './square-sprite.ts'

const ENTER_MS = 160

/** Options for drawing squares. */
export interface Presentation {
  /** Where they begin; from the bottom on, rows are stacked upwards. */
  readonly align: 'top' | 'middle' | 'bottom'
  /** The match that stands out; all else is faint then. */
  readonly wanted: WantedSquares | undefined
  /** Marks of senders. */
  readonly marks?: ReadonlyMap<Address, number> | undefined
  /** The most squares of the canvases beside this one, whose squares have the same size. */
  readonly most?: number | undefined
}

/**
 * Draws squares on a canvas: only those whose look has changed, and in frames only as long as new ones grow. It sleeps
 * otherwise.
 */
export class SquarePainter {
  readonly #canvas: HTMLCanvasElement
  readonly #context: CanvasRenderingContext2D | null
  #squares: readonly Square[] = []
  #looks: readonly SquareLook[] = []
  #presentation: Presentation = { align: 'top', wanted: undefined }
  #colors: SquareColors
  #layout: SquareLayout = { size: 1, gap: 0, columns: 0, shown: 0 }
  #top = 0
  #width = 0
  #height = 0
  #scale = 1
  readonly #sprites = new Map<SquareLook, HTMLCanvasElement>()
  /** New squares: from which position on, and since when they grow. */
  #growing: { readonly from: number; readonly sinceMs: number } | undefined
  #frame: number | undefined

  constructor(canvas: HTMLCanvasElement, colors: SquareColors) {
    this.#canvas = canvas
    this.#context = canvas.getContext('2d', SOFTWARE)
    this.#colors = colors
  }

  /** Shows these squares in the place of those before. @param grow - Whether new ones may grow into sight. */
  show(squares: readonly Square[], presentation: Presentation, grow: boolean): void {
    const before = this.#looks
    const realigned = presentation.align !== this.#presentation.align
    this.#squares = squares
    this.#presentation = presentation
    const moved = this.#relayout() || realigned
    this.#look()
    if (moved && before.length > 0) return this.#paintAll()
    if (this.#touching()) {
      if (this.#looks.some((look, i) => look !== before[i]) || before.length !== squares.length) this.#paintAll()
      return
    }
    if (grow && squares.length > before.length) this.#startGrowing(before.length)
    this.#paintChanged(before)
  }

  /** Takes the canvas's size as it is now: with fractions, so that equal columns are equal. In CSS pixels. */
  resize({ width, height }: { readonly width: number; readonly height: number }): void {
    // A stage enlarges everything.
    const scale = window.devicePixelRatio * ((this.#canvas as { currentCSSZoom?: number }).currentCSSZoom ?? 1)
    if (width === this.#width && height === this.#height && scale === this.#scale) return
    this.#width = width
    this.#height = height
    this.#scale = scale
    this.#canvas.width = Math.round(width * scale)
    this.#canvas.height = Math.round(height * scale)
    this.#sprites.clear()
    this.#relayout()
    this.#look()
    this.#paintAll()
  }

  recolor(colors: SquareColors): void {
    if (colors === this.#colors) return
    this.#colors = colors
    this.#sprites.clear()
    this.#paintAll()
  }

  /** The square at a point of the canvas, in CSS pixels. */
  at(x: number, y: number): Square | undefined {
    const { size, gap, columns, shown } = this.#layout
    const column = Math.floor(x / (size + gap))
    const row = Math.floor((this.#stacks() ? this.#height - y : y - this.#top) / (size + gap))
    if (column < 0 || column >= columns || row < 0) return undefined
    const position = row * columns + column
    return position < shown ? this.#squares[position] : undefined
  }

  stop(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    this.#frame = undefined
    this.#growing = undefined
  }

  /** @returns Whether squares stand elsewhere now. */
  #relayout(): boolean {
    const { size, columns } = this.#layout
    const top = this.#top
    const layout = layoutSquares(this.#squares.length, this.#width, this.#height, {
      marked: this.#presentation.marks !== undefined,
      most: this.#presentation.most ?? 0,
    })
    const used = Math.ceil(layout.shown / Math.max(1, layout.columns)) * (layout.size + layout.gap) - layout.gap
    this.#layout = layout
    this.#top = this.#presentation.align === 'middle' ? Math.round((this.#height - used) / 2) : 0
    if (layout.size !== size) this.#sprites.clear()
    return layout.size !== size || layout.columns !== columns || this.#top !== top
  }

  /** Squares without room for a mark share few pictures: drawing one takes longer than copying hundreds. */
  #look(): void {
    const { wanted, marks } = this.#presentation
    const shown = this.#layout.size < MARKED_SIDE ? undefined : marks
    this.#looks = this.#squares.map((square) => lookOf(square, wanted, shown))
  }

  /** Whether the gaps are narrower than a pixel: neighbours then share pixels, and none can be painted alone. */
  #touching(): boolean {
    return this.#layout.gap * this.#scale < 1
  }

  #startGrowing(from: number): void {
    this.#growing = { from: Math.min(from, this.#growing?.from ?? from), sinceMs: performance.now() }
    this.#frame ??= requestAnimationFrame(this.#onFrame)
  }

  readonly #onFrame = (): void => {
    this.#frame = undefined
    const growing = this.#growing
    if (!growing) return
    const share = Math.min(1, (performance.now() - growing.sinceMs) / ENTER_MS)
    if (share === 1) this.#growing = undefined
    for (let i = growing.from; i < this.#layout.shown; i++) this.#paint(i, share)
    if (share < 1) this.#frame = requestAnimationFrame(this.#onFrame)
  }

  #paintAll(): void {
    this.stop()
    this.#context?.clearRect(0, 0, this.#canvas.width, this.#canvas.height)
    if (this.#touching()) return this.#fillAll()
    for (let i = 0; i < this.#layout.shown; i++) this.#paint(i, 1, false)
  }

  /** Fills squares that share pixels. Each adds what it covers, so that together they cover exactly what they should. */
  #fillAll(): void {
    const context = this.#context
    if (!context) return
    const side = this.#layout.size * this.#scale
    context.globalCompositeOperation = 'lighter'
    let last: SquareLook | undefined
    for (let i = 0; i < this.#layout.shown; i++) {
      const look = this.#looks[i]
      if (!look) continue
      if (look !== last) {
        const { color, alpha } = flatLook(look, this.#colors)
        context.fillStyle = color
        context.globalAlpha = alpha
        last = look
      }
      const [x, y] = this.#place(i)
      context.fillRect(x, y, side, side)
    }
    context.globalCompositeOperation = 'source-over'
    context.globalAlpha = 1
  }

  #paintChanged(before: readonly SquareLook[]): void {
    const { shown } = this.#layout
    const growFrom = this.#growing?.from ?? Number.POSITIVE_INFINITY
    const end = Math.max(shown, before.length)
    for (let i = 0; i < end; i++) {
      if (i >= shown) this.#erase(i)
      else if (i < growFrom && this.#looks[i] !== before[i]) this.#paint(i, 1)
    }
  }

  /** @param share - Of its full size, 0 to 1. @param erase - Whether something may stand there. */
  #paint(position: number, share: number, erase = true): void {
    const look = this.#looks[position]
    const context = this.#context
    if (!look || !context) return
    if (erase) this.#erase(position)
    const [x, y] = this.#place(position)
    const { size } = this.#layout
    const side = Math.max(1, Math.ceil(size * this.#scale))
    const grown = side * (0.3 + 0.7 * share)
    context.globalAlpha = share
    context.drawImage(this.#sprite(look), x + (side - grown) / 2, y + (side - grown) / 2, grown, grown)
    context.globalAlpha = 1
  }

  #erase(position: number): void {
    const [x, y] = this.#place(position)
    const side = Math.max(1, Math.ceil(this.#layout.size * this.#scale))
    this.#context?.clearRect(x, y, side, side)
  }

  /** Upper left corner in the canvas's own pixels. */
  #place(position: number): readonly [x: number, y: number] {
    const { size, gap, columns } = this.#layout
    const step = (size + gap) * this.#scale
    const row = Math.floor(position / columns)
    const x = (position % columns) * step
    const y = this.#stacks()
      ? this.#height * this.#scale - (row + 1) * step + gap * this.#scale
      : this.#top * this.#scale + row * step
    // Rounded, a gap of less than a pixel would be none here and one there: lines through the block that mean nothing.
    return this.#touching() ? [x, y] : [Math.round(x), Math.round(y)]
  }

  #stacks(): boolean {
    return this.#presentation.align === 'bottom'
  }

  #sprite(look: SquareLook): HTMLCanvasElement {
    const known = this.#sprites.get(look)
    if (known) return known
    const sprite = drawSquare(look, this.#layout.size, this.#scale, this.#colors)
    this.#sprites.set(look, sprite)
    return sprite
  }
}
