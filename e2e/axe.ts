import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './playground.ts'

/** The rules whose answer depends on the theme; all others read names, roles and structure. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block']

/**
 * Expects that axe finds nothing on the page. The test needs `bypassCSP`: axe is injected as a string.
 *
 * @param what - `all` of axe's rules, or those of `colour`, for a theme of a page that has passed all of them.
 */
export async function expectNoFindings(page: Page, mode: string, what: 'all' | 'colour' = 'all'): Promise<void> {
  // Colours fade to those of another theme.
  await page.waitForFunction(() => document.getAnimations().length === 0)
  const axe = new AxeBuilder({ page })
  const { violations } = await (what === 'all' ? axe : axe.withRules(RULES_OF_COLOUR)).analyze()
  const findings = violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
  expect.soft(findings, `axe, ${mode}`).toEqual([])
}
