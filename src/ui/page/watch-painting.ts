/** Milliseconds from frame to frame, after a change of the page, above which the browser paints too slowly: two frames of 60 Hz. */
const SLOW_MS = 34
/** Slow changes, less the others, after which the page is painted plainly. */
const ENOUGH = 6

/** Fast changes, less the slow ones, after which the page is painted in full again. */
const ENOUGH_FAST = 60

/** The browser's frames. */
export interface FrameHost {
  readonly hidden: boolean
  /** Whether the page is being recorded: it is then painted in full, and not judged. */
  readonly recorded: boolean
  requestAnimationFrame(callback: (timeMs: number) => void): unknown
}

/**
 * Watches whether the browser paints the page as fast as it changes. WebKit without a graphics card takes most of its time
 * for rounded corners, shadows and growing squares; where frames stay slow these are left out until frames stay fast. Each
 * time that they turn slow again, the page has to be fast for twice as long.
 *
 * @param onChange - Calls its listener whenever the page changes.
 * @param paint - Called with `plain` when painting has been too slow for some seconds, and with `full` when it is fast again.
 */
export function watchPainting(
  onChange: (listener: () => void) => unknown,
  paint: (how: 'plain' | 'full') => void,
  host: FrameHost,
): void {
  let slow = 0
  let fast = 0
  let isPlain = false
  let enoughFast = ENOUGH_FAST
  let measuring = false
  onChange(() => {
    if (measuring || host.hidden || host.recorded) return
    measuring = true
    host.requestAnimationFrame((first) =>
      host.requestAnimationFrame(() =>
        host.requestAnimationFrame((third) => {
          measuring = false
          note((third - first) / 2)
        }),
      ),
    )
  })

  function note(frameMs: number): void {
    const isSlow = frameMs > SLOW_MS
    slow = isSlow ? slow + 1 : Math.max(0, slow - 1)
    fast = isSlow ? Math.max(0, fast - 1) : fast + 1
    if (!isPlain && slow >= ENOUGH) change('plain')
    else if (isPlain && fast >= enoughFast) {
      enoughFast *= 2
      change('full')
    }
  }

  function change(how: 'plain' | 'full'): void {
    isPlain = how === 'plain'
    slow = 0
    fast = 0
    paint(how)
  }
}
