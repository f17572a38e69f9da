import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { expectNoFindings } from './axe.ts'
import { COMPILE_MS, editor, openContracts, write } from './contracts.ts'
import { expect, test } from './playground.ts'

const HEAD = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const item = (page: Page, name: string) => page.getByRole('treeitem', { name, exact: true })
const project = (page: Page) => page.getByLabel('Project or example')

async function addFile(page: Page, name: string, text: string): Promise<void> {
  await button(page, 'New file').click()
  await page.getByLabel('Name of the new file').fill(name)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name of the new file')).toBeHidden()
  await write(page, text)
}

async function compileOwn(page: Page, contracts: string): Promise<void> {
  await button(page, 'Compile').click()
  await expect(page.getByText(new RegExp(`^Compiled ${contracts} in`))).toBeVisible({ timeout: COMPILE_MS })
}

// axe is injected as a string, which the page's policy forbids.
test.use({ bypassCSP: true })

test.beforeEach(async ({ playground }) => {
  test.slow()
  await playground.open()
  await openContracts(playground)
})

test('projects are compiled: their files import each other and packages, and come as folders and zip files', async ({
  page,
}) => {
  await test.step('files in folders import each other, and a problem leads to its file and line', async () => {
    await button(page, 'New project').click()
    await write(page, `${HEAD}import {Prices} from "./src/lib/Prices.sol";\ncontract Shop is Prices {}\n`)
    await addFile(page, 'src/lib/Prices.sol', `${HEAD}contract Prices { uint256 public price = ü; }`)
    await item(page, 'Contract.sol').click()
    await expect(editor(page)).toContainText('contract Shop')
    await button(page, 'Compile').click()
    const place = page.getByRole('list', { name: 'Problems' }).getByRole('button')
    await expect(place.first()).toHaveText('src/lib/Prices.sol, line 3, column 42', { timeout: COMPILE_MS })
    await expect(item(page, 'Prices.sol, has problems')).toBeVisible()
    await place.first().click()
    await expect(editor(page)).toBeFocused()
    await expect(editor(page)).toContainText('contract Prices')
    await page.keyboard.press('Delete')
    await page.keyboard.type('7')
    await compileOwn(page, '2 contracts')
    await expect(button(page, 'Deploy Prices')).toBeVisible()
    await page.getByLabel('Contract', { exact: true }).selectOption('Shop')
    await expect(button(page, 'Deploy Shop')).toBeVisible()
  })

  await test.step('an import that is not there says what can be imported', async () => {
    await button(page, 'New project').click()
    await write(page, `${HEAD}import "@openzeppelin/contracts/security/Pausable.sol";\n`)
    await button(page, 'Compile').click()
    const problem = page.getByRole('list', { name: 'Problems' }).getByRole('listitem')
    await expect(problem).toContainText('There is: @openzeppelin/contracts/utils/Pausable.sol', { timeout: COMPILE_MS })
  })

  await test.step('a folder of Foundry is opened without what its tools made, and goes out and in as a zip file', async () => {
    const parent = await mkdtemp(path.join(tmpdir(), 'blinknet-'))
    try {
      const files: Readonly<Record<string, string>> = {
        'shop/src/Shop.sol': `${HEAD}import {Ownable} from "@oz/access/Ownable.sol";\ncontract Shop is Ownable(msg.sender) {}`,
        'shop/test/Shop.t.sol': 'import "forge-std/Test.sol"; contract ShopTest is Test {}',
        'shop/foundry.toml':
          '[profile.default]\noptimizer_runs = 77\nremappings = ["@oz/=lib/openzeppelin-contracts/contracts/"]\n',
        'shop/out/Shop.sol/Shop.json': '{}',
        'shop/node_modules/x/X.sol': 'contract X {}',
      }
      for (const [name, text] of Object.entries(files)) {
        await mkdir(path.dirname(path.join(parent, name)), { recursive: true })
        await writeFile(path.join(parent, name), text)
      }
      await button(page, 'Open…').click()
      await page.getByLabel('A folder, such as a Foundry or Hardhat project').setInputFiles(path.join(parent, 'shop'))
      const dialog = page.getByRole('dialog', { name: 'Open a project' })
      await expect(dialog).toContainText('Opened “shop” with 3 files.')
      await expect(dialog).toContainText('shop/out/')
      await expect(dialog).toContainText('shop/node_modules/')
      await expectNoFindings(page, 'light')
      await dialog.getByRole('button', { name: 'Close' }).click()
      await expect(page.getByText(/^Compiler options: optimizer for 77 runs/)).toBeVisible()
      await compileOwn(page, '1 contract')

      await button(page, 'Share…').click()
      const saved = page.waitForEvent('download')
      await button(page, 'Download as a zip file').click()
      const file = path.join(parent, (await saved).suggestedFilename())
      expect(path.basename(file)).toBe('shop.zip')
      await (await saved).saveAs(file)
      expect((await readFile(file)).subarray(0, 2).toString()).toBe('PK')
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()

      await button(page, 'Open…').click()
      await page.getByLabel('Solidity files, or one zip file').setInputFiles(file)
      await expect(dialog).toContainText('Opened “shop” with 3 files.')
      await dialog.getByRole('button', { name: 'Close' }).click()
      await expect(project(page).locator('option:checked')).toHaveText('shop 2')
      await expect(editor(page)).toContainText('contract Shop')
    } finally {
      await rm(parent, { recursive: true, force: true })
    }
  })
})

test('the files of a project are walked, renamed and edited', async ({ page }) => {
  await test.step('a file that is no project changes nothing', async () => {
    await button(page, 'Open…').click()
    const zip = { name: 'notes.zip', mimeType: 'application/zip', buffer: Buffer.from('not an archive') }
    await page.getByLabel('Solidity files, or one zip file').setInputFiles(zip)
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText('it is not a zip file')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await expect(project(page).locator('option:checked')).toHaveText('Counter')
  })

  await test.step('the tree works by keyboard: walk, open, rename, delete, and bring back', async () => {
    await button(page, 'New project').click()
    await addFile(page, 'src/A.sol', 'contract A {}')
    await addFile(page, 'src/B.sol', 'contract B {}')
    await item(page, 'B.sol').click()
    await page.keyboard.press('ArrowUp')
    await expect(item(page, 'A.sol')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(editor(page)).toContainText('contract A')
    await item(page, 'A.sol').focus()
    await page.keyboard.press('F2')
    await expect(page.getByLabel('New name')).toBeFocused()
    await page.getByLabel('New name').fill('src/B.sol')
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('New name')).toHaveAccessibleDescription('src/B.sol is there already.')
    await page.getByLabel('New name').fill('src/deep/C.sol')
    await page.keyboard.press('Enter')
    await expect(item(page, 'C.sol')).toBeFocused()

    await page.keyboard.press('ArrowLeft')
    await expect(item(page, 'deep')).toBeFocused()
    await expect(item(page, 'deep')).toHaveAttribute('aria-expanded', 'true')
    await page.keyboard.press('ArrowLeft')
    await expect(item(page, 'C.sol')).toBeHidden()
    await page.keyboard.press('Home')
    await expect(item(page, 'src')).toBeFocused()
    await page.keyboard.press('Delete')
    await expect(item(page, 'src')).toBeHidden()
    await expect(item(page, 'Contract.sol')).toBeFocused()
    await button(page, 'Undo').click()
    await expect(item(page, 'B.sol')).toBeVisible()
    await item(page, 'B.sol').click()
    await expect(editor(page)).toContainText('contract B')
  })

  await test.step('each file has an undo history of its own', async () => {
    await button(page, 'New project').click()
    await addFile(page, 'A.sol', '// one')
    await editor(page).press('ControlOrMeta+End')
    await page.keyboard.type(' two')
    await item(page, 'Contract.sol').click()
    await expect(editor(page)).toContainText('contract Contract')
    await item(page, 'A.sol').click()
    await expect(editor(page)).toContainText('// one two')
    await editor(page).press('ControlOrMeta+z')
    await expect(editor(page)).not.toContainText('two')
    await editor(page).press('ControlOrMeta+z')
    await editor(page).press('ControlOrMeta+z')
    await editor(page).press('ControlOrMeta+z')
    await expect(editor(page)).not.toContainText('contract Contract')
  })
})

test('a link with a project asks first, and a damaged one changes nothing', async ({ playground, page }) => {
  await test.step('a damaged link with a project says so and changes nothing', async () => {
    await page.goto('about:blank')
    await page.goto('/contracts?clock=manual&storage=off#p=AAAA')
    await playground.ready()
    const notice = page.getByRole('region', { name: 'Shared project' })
    await expect(notice).toContainText('The project in this link cannot be read: it is damaged.')
    await notice.getByRole('button', { name: 'Close' }).click()
    await expect(notice).toBeHidden()
    await expect(editor(page)).toContainText('contract Counter')
  })

  await test.step('a link with a project asks, and opens it as a new one', async () => {
    await button(page, 'New project').click()
    await write(page, `${HEAD}contract Shared { uint256 public seven = 7; }`)
    await button(page, 'Rename project').click()
    await page.getByLabel('Name of the project').fill('From a friend')
    await page.keyboard.press('Enter')
    await button(page, 'Share…').click()
    const dialog = page.getByRole('dialog', { name: 'Share this project' })
    await expect(dialog).toContainText('This link contains the project')
    const address = new URL(await dialog.getByRole('code').innerText())
    await expectNoFindings(page, 'light')

    await page.goto('about:blank')
    await page.goto(`${address.pathname}?clock=manual&storage=off${address.hash}`)
    await playground.ready()
    const notice = page.getByRole('region', { name: 'Shared project' })
    await expect(notice).toContainText('“From a friend”, 1 file: Contract.sol')
    await expectNoFindings(page, 'light')
    await notice.getByRole('button', { name: 'Open as a new project' }).click()
    await expect(notice).toBeHidden()
    expect(new URL(page.url()).hash).toBe('')
    await expect(editor(page)).toContainText('contract Shared')
    await expect(project(page).locator('option:checked')).toHaveText('From a friend 2')
  })
})
