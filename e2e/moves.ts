import type { Page } from '@playwright/test'

/** A part of the page that was drawn elsewhere than before, with no animation. */
interface Move {
  readonly what: string
  readonly from: string
  readonly to: string
}

/** `value`: the sum of the layout shift's values, each the moved share of the window times its distance. */
interface Moves {
  readonly value: number
  readonly moves: readonly Move[]
}

/**
 * Records what moves on the page from now on; the result tells it.
 *
 * @param sinceItsStart - Whether what has moved since the navigation counts as well.
 */
export async function watchMoves(page: Page, sinceItsStart = false): Promise<() => Promise<Moves>> {
  await page.evaluate((buffered) => {
    type Shift = PerformanceEntry & {
      value: number
      sources: { node?: Node; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
    }
    const seen: { value: number; moves: Move[] } = { value: 0, moves: [] }
    Object.assign(window, { seen })
    const place = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ')
    const observer = new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[]) {
        seen.value += value
        for (const { node, previousRect, currentRect } of sources) {
          const element = node instanceof Element ? node : node?.parentElement
          const what = `${element?.tagName} ${element?.className} ${node?.textContent?.slice(0, 60)}`
          seen.moves.push({ what, from: place(previousRect), to: place(currentRect) })
        }
      }
    })
    observer.observe({ type: 'layout-shift', buffered })
  }, sinceItsStart)
  return () => page.evaluate(() => (window as unknown as { seen: Moves }).seen)
}
