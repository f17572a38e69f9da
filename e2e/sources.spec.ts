import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Address } from '../src/primitives/hex.ts'
import { compileStandard } from '../src/testing/solidity/solc.ts'
import { expectNoFindings } from './axe.ts'
import { deploySource, editor, openContracts, tickWithOne } from './contracts.ts'
import { expect, type Playground, test, visit } from './playground.ts'
import { sayData, TALKER } from './talker.ts'
import { ALICE, sendFrom } from './token.ts'

// axe is injected as a string, which the page's policy forbids.
test.use({ bypassCSP: true })

test('what a contract logs, and what its lines and functions cost, and what it stores, is shown at its call and its transaction', async ({
  playground,
  page,
}) => {
  test.slow()
  await playground.open()
  await deploySource(playground, TALKER, 'Talker')

  const refuse = page.getByRole('article', { name: 'refuse' })
  await refuse.getByRole('textbox').fill('7')
  await refuse.getByRole('button', { name: 'Send refuse' }).click()
  await expect(refuse.getByRole('list', { name: 'Console' })).toHaveText('about to refuse 7')

  const say = page.getByRole('article', { name: 'say', exact: true })
  await say.getByRole('textbox').fill('3')
  await say.getByRole('button', { name: 'Send say' }).click()
  await expect(say.getByRole('status', { name: /^Transaction/ })).toBeVisible()
  await tickWithOne(playground)
  await expect(say.getByRole('list', { name: 'Console' }).getByRole('listitem')).toHaveText(['saying 3 of 0', 'said 6'])
  await say.getByRole('link', { name: /^0x/ }).click()
  const card = page.getByRole('region', { name: 'Console' })
  await expect(card.getByRole('listitem')).toHaveText(['saying 3 of 0', 'said 6'])
  await expectNoFindings(page, 'a transaction with lines of the console')

  await page.getByRole('tab', { name: 'Gas' }).click()
  const functions = page.getByRole('table', { name: 'Gas by function' })
  await expect(functions.getByRole('row', { name: /^Talker.say 1 / })).toBeVisible()
  const lines = page.getByRole('region', { name: /^Gas by line of/ })
  const dearest = lines.getByRole('listitem').filter({ hasText: 'said += twice(i)' })
  await expect(dearest).toHaveText(/^10[\d,]{5,}\s*for/)
  await lines.scrollIntoViewIfNeeded()
  await expect(dearest, 'the dearest line is in sight at first').toBeInViewport()
  await expectNoFindings(page, 'the gas of functions and lines')

  await page.getByRole('link', { name: 'Debug step by step' }).click()
  await page.getByRole('button', { name: 'Next log' }).click()
  await expect(page.getByRole('region', { name: 'Run' }).getByRole('status')).toContainText('STATICCALL')

  await page.getByRole('link', { name: /^Transaction 0x/ }).click()
  await page.getByRole('tab', { name: 'State changes' }).click()
  const changes = page.getByRole('table', { name: 'Changed variables of Talker' })
  const said = changes.getByRole('row', { name: /^said/ }).getByRole('cell')
  const given = changes.getByRole('row', { name: /^given\[ Account 0 \]/ }).getByRole('cell')
  await expect(said).toHaveText(['uint256', '0', '6', '0'])
  await expect(given).toHaveText(['uint256', '0', '3', '0'])
  await expectNoFindings(page, 'state changes')
  await playground.tick(9)
  await expect(changes.getByRole('columnheader', { name: /^Sealed in #\d/ })).toBeVisible()
  await expect(said).toHaveText(['uint256', '0', '6', '6'])

  await page.getByRole('region', { name: 'Changes of Talker' }).getByRole('link', { name: 'Talker' }).click()
  await page.getByRole('tab', { name: 'Storage' }).click()
  const variables = page.getByRole('table', { name: 'Variables of Talker' })
  await expect(variables.getByRole('row', { name: 'said uint256 6' })).toBeVisible()
  await expect(variables.getByRole('row', { name: 'given[ Account 0 ] uint256 3' })).toBeVisible()
  await expectNoFindings(page, 'the storage by its layout')
  // The open tab follows the chain: sealed beside pre-confirmed, until the block is sealed.
  const talker = new URL(page.url()).pathname.split('/')[2] as Address
  await sendFrom(playground, { from: ALICE, to: talker, input: sayData(4n), gas: '0x40000' })
  await playground.tick()
  const saidRow = variables.getByRole('row', { name: /^said/ }).getByRole('cell')
  await expect(saidRow).toHaveText(['uint256', '6', '18'])
  await expect(variables.getByRole('row', { name: /^given/ }).getByRole('cell')).toHaveText(['uint256', '3', '7'])
  await playground.tick(9)
  await expect(saidRow).toHaveText(['uint256', '18'])
  await page.getByText('Slots', { exact: true }).click()
  await expect(page.getByRole('table', { name: 'Storage slots' })).toBeVisible()
})

const SCRIPTED = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Sum {
    function add(uint256 a) external pure returns (uint256) {
        return a + 1;
    }
}
`

/** Deploys as a script does, without the page's knowing its sources; resolves with the address. */
async function deployCode(playground: Playground, code: string): Promise<Address> {
  await sendFrom(playground, { from: ALICE, input: `0x${code}`, gas: '0x100000' })
  await playground.tick()
  const [receipt] = (await playground.request('eth_getBlockReceipts', ['pending'])) as [{ contractAddress: Address }]
  return receipt.contractAddress
}

/** A project of Foundry with one contract that was built. */
async function writeProject(folder: string, artifact: object, source: string): Promise<void> {
  await mkdir(path.join(folder, 'out', 'Sum.sol'), { recursive: true })
  await mkdir(path.join(folder, 'src'))
  await writeFile(path.join(folder, 'out', 'Sum.sol', 'Sum.json'), JSON.stringify(artifact))
  await writeFile(path.join(folder, 'src', 'Sum.sol'), source)
}

test('what a script deployed has its lines once the artifacts of its project are added', async ({
  playground,
  page,
}, testInfo) => {
  const json = compileStandard({ 'src/Sum.sol': SCRIPTED })
  const contract = json.output.contracts['src/Sum.sol']?.['Sum']
  const { bytecode, deployedBytecode } = contract?.evm ?? { bytecode: { object: '' }, deployedBytecode: { object: '' } }
  await playground.open()
  const address = await deployCode(playground, bytecode.object)
  const input = `0x1003e2d2${'ff'.repeat(32)}` as const
  const hash = await sendFrom(playground, { from: ALICE, to: address, input, gas: '0x30000' })
  await playground.tick()

  const project = testInfo.outputPath('project')
  const artifact = {
    abi: contract?.abi,
    bytecode: { ...bytecode, object: `0x${bytecode.object}` },
    deployedBytecode: { ...deployedBytecode, object: `0x${deployedBytecode.object}` },
    ast: json.output.sources['src/Sum.sol']?.ast,
    id: 0,
  }
  await writeProject(project, artifact, SCRIPTED)
  await writeFile(path.join(project, 'out', 'broken.json'), '{')

  await openContracts(playground)
  // Artifacts without the sources, dropped on the editor.
  const dropped = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([text], 'Sum.json', { type: 'application/json' }))
    return transfer
  }, JSON.stringify(artifact))
  await editor(page).dispatchEvent('drop', { dataTransfer: dropped })
  const dialog = page.getByRole('dialog', { name: 'Add artifacts' })
  await expect(dialog.getByRole('status')).toHaveText('Added 1 contract: Sum.')
  await expect(dialog).toContainText('The text of 1 of 1 source is missing')
  await dialog.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'Add artifacts…' }).click()
  await expectNoFindings(page, 'the dialog for artifacts')
  await dialog.getByLabel(/^A folder/).setInputFiles(project)
  await expect(dialog.getByRole('status')).toHaveText('Added 1 contract: Sum.')
  await expect(dialog.getByRole('listitem')).toHaveText(['out/broken.json: the file is not JSON'])
  await expectNoFindings(page, 'artifacts that were added')
  await dialog.getByRole('button', { name: 'Close' }).click()

  await visit(playground, `/tx/${hash}`)
  const why = page.getByRole('region', { name: 'Why it failed' })
  await expect(why.getByRole('listitem')).toHaveText([/^Sum.add.*src\/Sum.sol:6.*return a \+ 1;$/])

  // The contract has its name and its functions, too, by its code alone.
  await visit(playground, `/address/${address}/contract`)
  await expect(page.getByRole('heading', { level: 1, name: 'Sum' })).toBeVisible()
  await expect(page.getByRole('article', { name: 'add' })).toBeVisible()
})

test('artifacts of Foundry without layouts have their variables once the page has compiled their sources, too', async ({
  playground,
  page,
}, testInfo) => {
  test.slow()
  const source = SCRIPTED.replace('contract Sum {', 'contract Sum {\n    uint256 private total = 7;')
  const { output } = compileStandard({ 'src/Sum.sol': source })
  const contract = output.contracts['src/Sum.sol']?.['Sum']
  const { bytecode, deployedBytecode } = contract?.evm ?? { bytecode: { object: '' }, deployedBytecode: { object: '' } }
  await playground.open()
  const address = await deployCode(playground, bytecode.object)

  const project = testInfo.outputPath('project')
  const artifact = {
    abi: contract?.abi,
    bytecode: { ...bytecode, object: `0x${bytecode.object}`, functionDebugData: undefined },
    deployedBytecode: { ...deployedBytecode, object: `0x${deployedBytecode.object}`, functionDebugData: undefined },
    rawMetadata: contract?.metadata,
    id: 0,
  }
  await writeProject(project, artifact, source)
  await openContracts(playground)
  await page.getByRole('button', { name: 'Add artifacts…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add artifacts' })
  await dialog.getByLabel(/^A folder/).setInputFiles(project)
  await expect(dialog.getByRole('status')).toHaveText('Added 1 contract: Sum.')
  await dialog.getByRole('button', { name: 'Close' }).click()

  await visit(playground, `/address/${address}/storage`)
  const variables = page.getByRole('table', { name: 'Variables of Sum' })
  await expect(variables.getByRole('row', { name: /^total uint256/ })).toContainText('7')
})

const REFUSING = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Picky {
    uint256 private size;

    constructor(uint256 wanted) {
        size = wanted;
        require(size < 10, "too large");
    }
}
`

test('a creation that failed has its lines where the node knows its sources: the account has no code to know it by', async ({
  playground,
  page,
}) => {
  const { input, output } = compileStandard({ 'src/Picky.sol': REFUSING })
  const code = output.contracts['src/Picky.sol']?.['Picky']?.evm.bytecode.object ?? ''
  await playground.open()
  await playground.request('hardhat_addCompilationResult', ['0.8.30', input, output])
  const initcode = `0x${code}${'c'.padStart(64, '0')}` as const
  const hash = await sendFrom(playground, { from: ALICE, input: initcode, gas: '0x100000' })
  await playground.tick()
  await visit(playground, `/tx/${hash}`)
  const why = page.getByRole('region', { name: 'Why it failed' })
  await expect(why.getByRole('listitem')).toHaveText([/^Picky.constructor.*src\/Picky.sol:9.*"too large"\);$/])

  // What it wrote before it failed.
  await page.getByRole('link', { name: 'Debug step by step' }).click()
  await page.getByRole('button', { name: 'To the end' }).click()
  const variables = page.getByRole('list', { name: 'State variables of Picky' }).getByRole('listitem')
  await expect(variables.filter({ hasText: 'size' })).toContainText('12')
})
