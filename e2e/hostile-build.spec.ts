import type { Page } from '@playwright/test'
import { toFunctionSelector } from 'viem'
import type { Address } from '../src/primitives/hex.ts'
import { compileStandard } from '../src/testing/solidity/solc.ts'
import { openContracts } from './contracts.ts'
import { expect, test, visit } from './playground.ts'
import { ALICE, sendFrom } from './token.ts'

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Vault {
    event Noted(uint256 amount);
    uint256 public stored;
    mapping(address => uint256) public share;

    function put(uint256 amount) external {
        stored += amount;
        share[msg.sender] += amount;
        emit Noted(amount);
        keep(amount);
    }

    function keep(uint256 amount) internal view {
        require(stored >= amount, "less");
    }
}
`

/** Characters that hide, reorder or replace their neighbours. */
const HOSTILE = '\u202e\u2066\u200b\u00ad\u3164\u0007\u001b'
const NAMES = ['Vault', 'Noted', 'stored', 'share', 'put', 'keep', 'amount']

/** Texts and attributes of the page that have such a character. */
function hostileParts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const unseen = /(?![\n\t\r])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
    const found: string[] = []
    const walk = (root: ParentNode) => {
      for (const element of root.querySelectorAll('*')) {
        for (const { name, value } of element.attributes) {
          if (unseen.test(value)) found.push(`${name}=${JSON.stringify(value.slice(0, 100))} of ${element.tagName}`)
        }
        for (const node of element.childNodes) {
          const isText = node.nodeType === Node.TEXT_NODE && !['SCRIPT', 'STYLE'].includes(element.tagName)
          if (isText && unseen.test(node.textContent ?? '')) found.push(`text ${JSON.stringify(node.textContent)}`)
        }
        if (element.shadowRoot) walk(element.shadowRoot)
      }
    }
    walk(document)
    if (unseen.test(document.title)) found.push(`title ${JSON.stringify(document.title)}`)
    return found
  })
}

test('whatever a build calls its contracts, functions and variables, no text and no label has characters that hide or reorder others', async ({
  playground,
  page,
}) => {
  test.slow()
  const { input, output } = compileStandard({ 'Vault.sol': SOURCE })
  const { bytecode } = output.contracts['Vault.sol']?.['Vault']?.evm ?? { bytecode: { object: '' } }
  await playground.open()
  await sendFrom(playground, { from: ALICE, input: `0x${bytecode.object}`, gas: '0x200000' })
  await playground.tick()
  const [receipt] = (await playground.request('eth_getBlockReceipts', ['pending'])) as [{ contractAddress: Address }]
  const account = receipt.contractAddress
  const data = `0x${'0'.repeat(63)}5`.slice(2)
  const selector = toFunctionSelector('put(uint256)')
  const hash = await sendFrom(playground, { from: ALICE, to: account, input: `${selector}${data}`, gas: '0x40000' })
  await playground.tick()

  // The names are changed where a compiler tells them; sources, code and places stay.
  const renamed = JSON.stringify(output, (key, value: unknown) => {
    if (typeof value !== 'string' || key === 'object' || value.length > 60) return value
    return NAMES.reduce((text, name) => text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `${name}${HOSTILE}x`), value)
  }).replaceAll('"Vault":{', `"Vault${JSON.stringify(HOSTILE).slice(1, -1)}x":{`)
  const build = `{"id":"1","_format":"hh-sol-build-info-1","solcVersion":"0.8.37","solcLongVersion":"0.8.37","input":${JSON.stringify(input)},"output":${renamed}}`
  await openContracts(playground)
  await page.getByRole('button', { name: 'Add artifacts…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add artifacts' })
  await dialog
    .getByLabel(/^Single files/)
    .setInputFiles({ name: 'build.json', mimeType: 'application/json', buffer: Buffer.from(build) })
  await expect(dialog.getByRole('status')).toContainText('Added 1 contract')
  expect(await hostileParts(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).click()

  const seen: string[] = []
  const look = async (what: string) => {
    for (const part of await hostileParts(page)) seen.push(`${what}: ${part}`)
  }
  await visit(playground, `/tx/${hash}`)
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click()
    await expect(page.getByRole('tabpanel')).toBeVisible()
    await expect(page.getByText('Loading')).toHaveCount(0)
    await look(`transaction, ${await tab.textContent()}`)
  }
  await page.getByRole('tab', { name: 'State changes' }).click()
  await expect(page.getByRole('table', { name: /^Changed variables of Vault/ })).toBeVisible()
  await look('state changes')
  await visit(playground, `/address/${account}`)
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click()
    await expect(page.getByRole('tabpanel')).toBeVisible()
    await expect(page.getByText('Loading')).toHaveCount(0)
    await look(`account, ${await tab.textContent()}`)
  }
  await page.getByRole('tab', { name: 'Storage' }).click()
  await expect(page.getByRole('table', { name: /^Variables of Vault/ })).toBeVisible()
  await look('storage')
  await visit(playground, `/tx/${hash}/debug`)
  await expect(page.getByRole('region', { name: 'Run' })).toBeVisible()
  for (let step = 0; step < 6; step++) {
    await page.keyboard.press('ArrowRight')
    await look('debugger')
  }
  expect([...new Set(seen)]).toEqual([])
})
