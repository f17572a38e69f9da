import type { Page } from '@playwright/test'
import { RECORD_LIMITS, type RecordedPicture } from '#report/test-record.ts'

/** A picture's most pixels; that of a page is as wide or as high. */
const SIZE = { width: 800, height: 500 }
const QUALITY = 60
/** Pictures of a second, at most. */
const FPS = 5
/** Longest wait for the picture of a page that may hang, in milliseconds. */
const LAST_MS = 3_000

/** The part of Playwright's screencast used here; before 1.59 there is none. */
interface ScreencastLike {
  start(options: {
    readonly onFrame: (frame: { readonly data: Buffer }) => void
    readonly size: typeof SIZE
    readonly quality: number
    readonly fps: number
  }): Promise<unknown>
}

const screencastOf = (page: Page) => (page as { readonly screencast?: ScreencastLike }).screencast

/** What the pages of a test look like: whenever one changes, and at its end. */
export class Pictures {
  readonly #isOn: boolean
  readonly #taken: RecordedPicture[] = []
  #isOver = false
  #characters = 0

  constructor(isOn: boolean) {
    this.#isOn = isOn
  }

  /** In order. */
  get taken(): readonly RecordedPicture[] {
    return this.#taken
  }

  /**
   * Pictures a page from now on. The test goes on meanwhile, and does without if the page is already being filmed, or gone.
   *
   * @param onRefusal - Called with the reason if an open page cannot be filmed.
   */
  watch(page: Page, onRefusal: (reason: string) => void): void {
    const screencast = this.#isOn ? screencastOf(page) : undefined
    if (!screencast) return
    const onFrame = ({ data }: { readonly data: Buffer }) => {
      if (!this.#isOver) this.#add(data)
    }
    screencast.start({ onFrame, size: SIZE, quality: QUALITY, fps: FPS }).catch((error: unknown) => {
      if (!page.isClosed()) onRefusal(error instanceof Error ? error.message : String(error))
    })
  }

  /** No page is pictured from now on; Playwright closes them. */
  end(): void {
    this.#isOver = true
  }

  /** Has at least one picture, if a page can give one. */
  async last(pages: readonly Page[]): Promise<void> {
    if (this.#taken.length > 0) return
    for (const page of pages) {
      try {
        this.#add(await page.screenshot({ type: 'jpeg', quality: QUALITY, scale: 'css', timeout: LAST_MS }))
      } catch {
        // A page that hangs or is closed has none.
      }
    }
  }

  #add(data: Buffer): void {
    const base64 = data.toString('base64')
    if (this.#taken.at(-1)?.base64 === base64) return
    this.#taken.push({ atMs: Date.now(), name: '', type: 'image/jpeg', base64 })
    this.#characters += base64.length
    while (this.#taken.length > RECORD_LIMITS.pictures || this.#characters > RECORD_LIMITS.pictureCharacters) {
      this.#thin()
    }
  }

  /** Drops the picture that stood for the shortest time, so that all of a long test stays in sight. The last one stays. */
  #thin(): void {
    let shortest = 0
    let leastMs = Number.POSITIVE_INFINITY
    for (let i = 0; i + 1 < this.#taken.length; i++) {
      const stoodMs = (this.#taken[i + 1]?.atMs ?? 0) - (this.#taken[i]?.atMs ?? 0)
      if (stoodMs < leastMs) [shortest, leastMs] = [i, stoodMs]
    }
    const [dropped] = this.#taken.splice(shortest, 1)
    this.#characters -= dropped?.base64.length ?? 0
  }
}
