import type { Page } from '@playwright/test'
import { expect } from './playground.ts'

const SIZES = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
  { width: 1024, height: 768 },
]

/**
 * Runs inside the page: whether no text is smaller than a fortieth of the window's height, what does not fit, such as a name
 * with dots at its end or a code for phones, and what lies over something else.
 */
function measureStage(): {
  readonly textIsReadable: boolean
  readonly scrolls: boolean
  readonly cut: readonly string[]
  readonly over: readonly string[]
} {
  const stage = document.querySelector('main') ?? document.body
  const texts = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT)
  let smallest = 1
  const cut: string[] = []
  const over: string[] = []
  const lines: { readonly text: string; readonly element: Element; readonly box: DOMRect }[] = []
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
    // A key of which only the sign is seen has its name in its title; other words are for readers alone.
    const isShort =
      getComputedStyle(element).overflowX === 'hidden' &&
      element.scrollWidth > element.clientWidth + 1 &&
      !element.closest('button, legend, .visually-hidden')
    if (!isInside || isShort || bottom > innerHeight || right > innerWidth) cut.push(text)
    if (!element.checkVisibility({ opacityProperty: true })) continue
    const range = document.createRange()
    range.selectNodeContents(texts.currentNode)
    for (const box of range.getClientRects()) lines.push({ text, element, box })
  }
  for (const code of stage.querySelectorAll('[role="img"]')) {
    const { bottom, right, left } = code.getBoundingClientRect()
    const panel = code.closest('section')?.getBoundingClientRect()
    if (panel && (bottom > panel.bottom + 1 || right > panel.right + 1 || left < panel.left - 1)) cut.push('a picture')
  }
  for (const [i, { text, element, box }] of lines.entries()) {
    for (const other of lines.slice(i + 1)) {
      if (element === other.element || element.contains(other.element) || other.element.contains(element)) continue
      const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left)
      const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top)
      // Lines of one height of type may share their leading.
      if (across > 3 && down > box.height / 3) over.push(`${text} over ${other.text}`)
    }
  }
  const { scrollWidth, scrollHeight } = document.documentElement
  return {
    textIsReadable: smallest > 0.0249,
    scrolls: scrollWidth > innerWidth || scrollHeight > innerHeight,
    cut,
    over,
  }
}

/** Expects that all of the stage is readable and in sight at every size of a projector. */
export async function expectStageFits(page: Page): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size)
    // The stage fits itself to the window a moment after that has changed.
    await expect
      .poll(() => page.evaluate(measureStage), { message: `at ${size.width} × ${size.height}` })
      .toEqual({ textIsReadable: true, scrolls: false, cut: [], over: [] })
  }
}
