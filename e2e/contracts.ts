import type { Locator, Page } from '@playwright/test'
import { expect, type Playground } from './playground.ts'

/** Milliseconds for the compiler to load and start. */
export const COMPILE_MS = 200_000

export function editor(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Solidity source' })
}

export async function openContracts({ page }: Playground): Promise<void> {
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Contracts' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Contracts' })).toBeVisible()
  await expect(editor(page)).toBeVisible()
}

/** Replaces the editor's text, as pasting does. */
export async function write(page: Page, source: string): Promise<void> {
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(source)
}

export async function compile(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Compile', exact: true }).click()
  await expect(page.getByText(/^Compiled 1 contract in/)).toBeVisible({ timeout: COMPILE_MS })
}

/** Compiles an example and deploys it; it is then pre-confirmed and selected. */
export async function deploy(playground: Playground, example: string, name = example): Promise<void> {
  const { page } = playground
  await page.getByLabel('Example').selectOption(example)
  await compile(page)
  await page.getByRole('button', { name: `Deploy ${name}` }).click()
  const deployment = page.getByRole('region', { name: `Deployment of ${name}` })
  await expect(deployment.getByText('In the mempool', { exact: true })).toBeVisible()
  await playground.tick()
  await expect(deployment.getByText('Address:')).toBeVisible()
  await expect(page.getByLabel('Deployed contracts')).toContainText(name)
}

/** Ticks once the node has the one transaction that was just sent. */
export async function tickWithOne(playground: Playground): Promise<void> {
  await expect.poll(() => playground.request('txpool_status')).toMatchObject({ pending: '0x1' })
  await playground.tick()
}

/** Compiles a source on the screen **Contracts**, and pre-confirms the creation of one of its contracts. */
export async function deploySource(playground: Playground, source: string, contract: string): Promise<void> {
  const { page } = playground
  await openContracts(playground)
  await write(page, source)
  await page.getByRole('button', { name: 'Compile', exact: true }).click()
  await page.getByRole('button', { name: `Deploy ${contract}` }).click({ timeout: COMPILE_MS })
  await tickWithOne(playground)
}
