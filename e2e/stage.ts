import type { Page } from '@playwright/test'
import { expect } from './playground.ts'

const SIZES = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
  { width: 1024, height: 768 },
]

/** Runs inside the page: whether no text is smaller than a fortieth of the window's height, and what does not fit. */
function measureStage(): {
  readonly textIsReadable: boolean
  readonly scrolls: boolean
  readonly cut: readonly string[]
} {
  const stage = document.querySelector('main') ?? document.body
  const texts = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT)
  let smallest = 1
  const cut: string[] = []
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement
    const text = texts.currentNode.textContent?.trim() ?? ''
    if (!element?.checkVisibility() || text === '') continue
    const { width, top, bottom, left, right } = element.getBoundingClientRect()
    if (width <= 4) continue
    const zoom = (element as HTMLElement & { currentCSSZoom?: number }).currentCSSZoom ?? 1
    smallest = Math.min(smallest, (Number.parseFloat(getComputedStyle(element).fontSize) * zoom) / innerHeight)
    const panel = element.closest('section')?.getBoundingClientRect() ?? stage.getBoundingClientRect()
    const isInside =
      top >= panel.top - 1 && bottom <= panel.bottom + 1 && left >= panel.left - 1 && right <= panel.right + 1
    if (!isInside || bottom > innerHeight || right > innerWidth) cut.push(text)
  }
  const { scrollWidth, scrollHeight } = document.documentElement
  return { textIsReadable: smallest > 0.0249, scrolls: scrollWidth > innerWidth || scrollHeight > innerHeight, cut }
}

/** Expects that all of the stage is readable and in sight at every size of a projector. */
export async function expectStageFits(page: Page): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size)
    // The stage fits itself to the window a moment after that has changed.
    await expect
      .poll(() => page.evaluate(measureStage), { message: `at ${size.width} × ${size.height}` })
      .toEqual({ textIsReadable: true, scrolls: false, cut: [] })
  }
}
