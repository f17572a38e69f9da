/** Milliseconds from frame to frame, after a change of the page, above which the browser paints too slowly: two frames of 60 Hz. */
const SLOW_MS = 34
/** Slow changes, less the others, after which the page is painted plainly. */
const ENOUGH = 6

/** The browser's frames. */
export interface FrameHost {
  readonly hidden: boolean
  requestAnimationFrame(callback: (timeMs: number) => void): unknown
}

/**
 * Watches whether the browser paints the page as fast as it changes. WebKit without a graphics card takes most of its time
 * for rounded corners, shadows and growing squares; where frames stay slow these are left out until the page is loaded anew.
 *
 * @param onChange - Calls its listener whenever the page changes; returns what stops that.
 * @param paintPlainly - Called once, when painting has been too slow for some seconds.
 */
export function watchPainting(
  onChange: (listener: () => void) => () => void,
  paintPlainly: () => void,
  host: FrameHost,
): void {
  let slow = 0
  let measuring = false
  const stop = onChange(() => {
    if (measuring || host.hidden) return
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
    slow = frameMs > SLOW_MS ? slow + 1 : Math.max(0, slow - 1)
    if (slow < ENOUGH) return
    stop()
    paintPlainly()
  }
}
