import type { Page } from '@playwright/test'

/** Records layout shifts in the window from now on; the returned function resolves with their sum. */
export async function watchMoves(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
    })
    observer.observe({ type: 'layout-shift' })
  })
  return () =>
    page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0))
}
