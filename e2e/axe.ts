import type { Page } from '@playwright/test'
import axe from 'axe-core'
import { expect } from './playground.ts'

declare global {
  interface Window {
    /** Injected. */
    axe: typeof axe
  }
}

/** The rules whose result depends on the theme; all others check names, roles and structure. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block']

/**
 * Expects that axe finds nothing on the page. The test needs `bypassCSP`, since axe is injected as a string.
 *
 * @param what - `all` rules of axe, or those of `colour`, for another theme of a page that has passed all of them.
 */
export async function expectNoFindings(page: Page, mode: string, what: 'all' | 'colour' = 'all'): Promise<void> {
  // Colours fade when the theme changes. Polled, since the headless shell draws no frame without changes.
  await page.waitForFunction(() => document.getAnimations().length === 0, undefined, { polling: 50 })
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const violations = await page.evaluate(
    async (rules) => {
      const options: axe.RunOptions = { resultTypes: ['violations'], preload: false, ...(rules && { runOnly: rules }) }
      const { runPartial, finishRun } = window.axe
      const partial = await runPartial(document, options)
      return (await finishRun([partial], options)).violations
    },
    what === 'colour' ? RULES_OF_COLOUR : undefined,
  )
  const findings = violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
  expect.soft(findings, `axe, ${mode}`).toEqual([])
}

/** Expects that axe finds nothing in the light theme, in which the page is, and no problem of colours in the dark one. */
export async function expectNoFindingsInBothThemes(page: Page, what: string): Promise<void> {
  await expectNoFindings(page, `${what}, light`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoFindings(page, `${what}, dark`, 'colour')
  await page.emulateMedia({ colorScheme: 'light' })
}
