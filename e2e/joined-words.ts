import type { Page } from '@playwright/test'

/**
 * Texts that are drawn as one word though there is a space in them: a row in flexible boxes drops the spaces beside its parts,
 * and needs a gap of its own. What tests read as the text still has them.
 */
export function joinedWords(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const PART = '\u0000'
    const found = [...document.querySelectorAll('*')].filter((element) => {
      const { display, flexDirection, columnGap } = getComputedStyle(element)
      if (!display.endsWith('flex') || flexDirection.startsWith('column') || Number.parseFloat(columnGap) > 0)
        return false
      const parts = [...element.childNodes].map((node) => (node instanceof Text ? node.data : PART)).join('')
      return new RegExp(`[^\\s${PART}]\\s+${PART}|${PART}\\s+[^\\s${PART}]`).test(parts)
    })
    return [...new Set(found.map(({ textContent }) => textContent.slice(0, 80)))]
  })
}
