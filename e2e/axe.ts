import type { Page } from '@playwright/test'
import axe from 'axe-core'
import { expect } from './playground.ts'

declare global {
  interface Window {
    /** Injected. */
    axe: typeof axe
  }
}

/** The rules whose answer depends on the theme; all others read names, roles and structure. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block']

/**
 * Expects that axe finds nothing on the page. The test needs `bypassCSP`: axe is injected as a string.
 *
 * @param what - `all` of axe's rules, or those of `colour`, for a theme of a page that has passed all of them.
 */
export async function expectNoFindings(page: Page, mode: string, what: 'all' | 'colour' = 'all'): Promise<void> {
  // Colours fade to those of another theme. Asked every now and then: the headless shell draws no frame where nothing has changed.
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
