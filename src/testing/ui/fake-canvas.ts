/** An image at a position, in canvas pixels. */
export interface Drawn {
  readonly picture: unknown
  readonly x: number
  readonly y: number
  readonly width: number
  readonly alpha: number
}

const NOTHING = (): void => {}

/** A canvas that records the images on it, and how many were ever copied to it. */
export class FakeCanvas {
  clientWidth = 0
  clientHeight = 0
  shown: readonly Drawn[] = []
  copied = 0
  #width = 0
  #height = 0
  readonly #context = this.#createContext()

  get width(): number {
    return this.#width
  }
  /** Setting it clears the canvas, as in a browser. */
  set width(pixels: number) {
    this.#width = pixels
    this.shown = []
  }
  get height(): number {
    return this.#height
  }
  set height(pixels: number) {
    this.#height = pixels
    this.shown = []
  }

  getContext(): unknown {
    return this.#context
  }

  #createContext() {
    const context = {
      globalAlpha: 1,
      fillStyle: '',
      clearRect: (x: number, y: number, width: number, height: number) => {
        const isInside = (one: Drawn) => one.x >= x && one.x < x + width && one.y >= y && one.y < y + height
        this.shown = this.shown.filter((one) => !isInside(one))
      },
      drawImage: (picture: unknown, x: number, y: number, width: number) => {
        this.copied++
        this.shown = [...this.shown, { picture, x, y, width, alpha: context.globalAlpha }]
      },
      fillRect: (x: number, y: number, width: number) => {
        this.shown = [...this.shown, { picture: context.fillStyle, x, y, width, alpha: context.globalAlpha }]
      },
      // Draws the images themselves, whose looks are not tested.
      scale: NOTHING,
      strokeRect: NOTHING,
      beginPath: NOTHING,
      moveTo: NOTHING,
      lineTo: NOTHING,
      arc: NOTHING,
      fill: NOTHING,
      stroke: NOTHING,
    }
    return context
  }
}
