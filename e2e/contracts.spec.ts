import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { compileStandard } from '../src/testing/solidity/solc.ts'
import { withImports } from '../src/testing/solidity/sources.ts'
import { COMPILE_MS, compile, deploy, editor, openContracts, write } from './contracts.ts'
import { expect, test, visit } from './playground.ts'

test.beforeEach(async ({ playground }) => {
  test.slow()
  await playground.open()
  await openContracts(playground)
})

test('contracts are compiled, deployed and used; errors are told', async ({ playground, page }) => {
  await test.step('a counter is compiled, deployed, increased and read, and its event is pre-confirmed before it is sealed', async () => {
    await deploy(playground, 'Counter')
    const count = page.getByLabel('Answer of count')
    await expect(count).toHaveText('0')
    const creator = page.getByRole('paragraph').filter({ hasText: 'Created by' })
    await expect(creator.getByRole('link', { name: /^Account 0/ })).toBeVisible()
    await expect(creator.getByRole('link', { name: /^0x/ })).toHaveAttribute('href', /\/tx\/0x/)
    await page.getByRole('button', { name: 'Send increment' }).click()
    const outcome = page.getByRole('article', { name: 'increment' }).getByRole('status', { name: /^Transaction/ })
    await expect(outcome).toHaveAccessibleName(/in the mempool/)
    await expect(count).toHaveText('0')

    await playground.tick()
    await expect(count).toHaveText('1')
    await expect(outcome).toHaveAccessibleName(/pre-confirmed in block 1, partial block 3, success/)
    const event = page.getByRole('list', { name: 'Events' }).getByRole('listitem').filter({ hasText: 'Raised' })
    await expect(event).toContainText('Pre-confirmed')
    await expect(event).toContainText('Account 0')
    await playground.tick(8)
    await expect(event).toContainText('Sealed')
    await expect(event).toHaveCount(1)
    await expect(outcome).toHaveAccessibleName(/sealed in block 1/)
  })

  await test.step('an error with values is decoded before sending, and in a transaction sent anyway', async () => {
    await deploy(playground, 'Reverts')
    const spend = page.getByRole('article', { name: 'spend' })
    await spend.getByLabel('Argument 1: amount, uint256').fill('101')
    await spend.getByRole('button', { name: 'Send spend' }).click()
    await expect(spend.getByRole('alert')).toContainText('OverBudget')
    await expect(spend.getByRole('alert')).toContainText('101')
    expect(await playground.request('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })

    await spend.getByRole('button', { name: 'Send anyway' }).click()
    const outcome = spend.getByRole('status', { name: /^Transaction/ })
    await expect(outcome).toHaveAccessibleName(/in the mempool/)
    await playground.tick()
    await expect(outcome).toHaveAccessibleName(/pre-confirmed in block 2, partial block 3, reverted/)
    await expect(spend).toContainText('OverBudget')

    const share = page.getByRole('article', { name: 'share' })
    await share.getByLabel('Argument 1: people, uint256').fill('0')
    await share.getByRole('button', { name: 'Call: share' }).click()
    await expect(share.getByRole('alert')).toContainText('a division by zero')
    await share.getByLabel('Argument 1: people, uint256').fill('4')
    await share.getByRole('button', { name: 'Refresh: share' }).click()
    await expect(page.getByLabel('Answer of share')).toHaveText('25')
  })

  await test.step('a compiler error is shown at its line, and links to it', async () => {
    await write(
      page,
      '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n\ncontract A {\n    uint256 x = ü;\n}',
    )
    await page.keyboard.press('ControlOrMeta+Enter')
    const problems = page.getByRole('list', { name: 'Problems' })
    await expect(problems.getByRole('listitem')).toContainText('Error', { timeout: COMPILE_MS })
    await expect(page.getByText('1 error: nothing was compiled.')).toBeVisible()
    await expect(page.getByText('There is nothing to deploy')).toBeVisible()
    await problems.getByRole('button', { name: 'line 5, column 17' }).click()
    await expect(editor(page)).toBeFocused()

    await page.keyboard.press('Delete')
    await page.keyboard.type('7')
    await expect(problems).toBeHidden()
    await compile(page)
    await expect(page.getByRole('button', { name: 'Deploy A' })).toBeVisible()
  })

  await test.step('the libraries that a contract needs are deployed first, in one press, and used again', async () => {
    await write(
      page,
      `// SPDX-License-Identifier: MIT
  pragma solidity ^0.8.20;
  library Base { function one() external pure returns (uint256) { return 1; } }
  library Maths { function next(uint256 x) external pure returns (uint256) { return x + Base.one(); } }
  contract App {
      uint256 public start;
      constructor() { start = Maths.next(41); }
  }`,
    )
    await page.getByRole('button', { name: 'Compile', exact: true }).click()
    await expect(page.getByText(/^Compiled 3 contracts in/)).toBeVisible({ timeout: COMPILE_MS })
    const maths = page.getByLabel('Library Maths: its address')
    const base = page.getByLabel('Library Base: its address')
    await maths.fill('0x12')
    await page.getByRole('button', { name: 'Deploy App' }).click()
    await expect(maths).toHaveAccessibleDescription(/Not an address/)
    await expect(maths).toBeFocused()
    // With an address for Maths, nothing needs Base.
    await expect(base).toBeHidden()
    await maths.fill(`0x${'12'.repeat(20)}`)
    await page.getByRole('button', { name: 'Deploy App' }).click()
    const panel = page.getByRole('region', { name: 'Deploy', exact: true })
    await expect(panel.getByRole('alert')).toContainText('There is no library at 0x1212')

    await maths.fill('')
    await page.getByRole('button', { name: 'Deploy App' }).click()
    await expect(panel.getByText('Library 1 of 2: Base was sent')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(panel.getByRole('alert')).toContainText('stopped before Base was in a block')
    await playground.tick()

    await page.getByRole('button', { name: 'Deploy App' }).click()
    await expect(panel.getByText('Library 1 of 2: Base was sent')).toBeVisible()
    await playground.tick()
    await expect(panel.getByText('Library 2 of 2: Maths was sent')).toBeVisible()
    await playground.tick()
    const deployment = page.getByRole('region', { name: 'Deployment of App' })
    await expect(deployment.getByText('In the mempool', { exact: true })).toBeVisible()
    await playground.tick()
    await expect(page.getByLabel('Answer of start')).toHaveText('42')
    await expect(maths).toHaveValue(/^0x[0-9a-f]{40}$/)

    await page.getByRole('button', { name: 'Deploy App' }).click()
    await expect(deployment.getByText('In the mempool', { exact: true })).toBeVisible()
  })

  await test.step('everything works by keyboard, and shortcuts of the page do nothing in the editor', async () => {
    await editor(page).focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('pragma solidity ^0.8.20; contract B { uint256 public three = 3; }')
    await expect(editor(page)).toContainText('pragma solidity ^0.8.20; contract B { uint256 public three = 3; }')
    await page.keyboard.press('Tab')
    await expect(editor(page)).toBeFocused()
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(page.getByText(/^Compiled 1 contract in/)).toBeVisible({ timeout: COMPILE_MS })
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await expect(editor(page)).not.toBeFocused()
    await page.getByRole('button', { name: 'Deploy B' }).press('Enter')
    await expect(
      page.getByRole('region', { name: 'Deployment of B' }).getByText('In the mempool', { exact: true }),
    ).toBeVisible()
    await playground.tick()
    await expect(page.getByLabel('Answer of three')).toHaveText('3')
  })
})

test('a contract that was compiled elsewhere is verified by its project, with folders, remappings and settings', async ({
  playground,
  page,
}, testInfo) => {
  const head = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n'
  const files = {
    'src/Coin.sol': `${head}import {ERC20} from "@oz/token/ERC20/ERC20.sol";\nimport {Rates} from "./rates/Rates.sol";
contract Coin is ERC20("Coin", "C") { function rate() external pure returns (uint256) { return Rates.rate(); } }`,
    'src/rates/Rates.sol': `${head}library Rates { function rate() internal pure returns (uint256) { return 42; } }`,
    'remappings.txt': '@oz/=@openzeppelin/contracts/\n',
  }
  const settings = { optimizer: { enabled: true, runs: 7 }, evmVersion: 'osaka' }
  const { '': _, ...openZeppelin } = withImports('', 'import "@openzeppelin/contracts/token/ERC20/ERC20.sol";')
  const { 'remappings.txt': remapping, ...sources } = files
  const compiled = compileStandard({ ...sources, ...openZeppelin }, { ...settings, remappings: [remapping.trim()] })
  const coin = compiled.output.contracts['src/Coin.sol']?.['Coin']?.evm.bytecode.object
  const project = testInfo.outputPath('project')
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), { recursive: true })
    await writeFile(join(project, path), text)
  }
  const [from] = (await playground.request('eth_accounts')) as string[]
  const hash = await playground.request('eth_sendTransaction', [{ from, data: `0x${coin}` }])
  await playground.tick()
  const receipt = (await playground.request('eth_getTransactionReceipt', [hash])) as { contractAddress: string }

  await visit(playground, `/address/${receipt.contractAddress}/source`)
  await page.getByRole('button', { name: 'Verify with its sources…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Verify with its sources' })
  const folder = dialog.getByLabel(/^The project’s folder/)
  const compare = dialog.getByRole('button', { name: 'Compile and compare' })
  const alert = dialog.getByRole('alert')
  await folder.setInputFiles(project)
  await expect(dialog.getByText('Chosen: 2 Solidity files and 1 remapping.')).toBeVisible()
  await writeFile(join(project, 'src/Coin.sol'), `${files['src/Coin.sol']}\n`)
  await compare.click()
  await expect(alert).toContainText('a file was changed or deleted after it was chosen', { timeout: COMPILE_MS })

  await writeFile(join(project, 'src/Coin.sol'), files['src/Coin.sol'])
  const chooser = page.waitForEvent('filechooser')
  await folder.click()
  // A browser would ignore the same choice otherwise.
  await expect(folder).toHaveValue('')
  await (await chooser).setFiles(project)
  await expect(alert).toBeHidden()
  await compare.click()
  await expect(alert).toContainText('The closest is Coin in src/Coin.sol')
  await expect(alert).toBeInViewport()
  await dialog.getByLabel('Runs').fill('7')
  await compare.click()
  await expect(page.getByText(/^✓ Verified: recompiling gives the same deployed code, metadata included/)).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('region', { name: 'Source src/Coin.sol' })).toContainText('contract Coin')
  await expect(page.getByText(/optimizer for 7 runs.* 1 remapping/)).toBeVisible()
  await page.getByRole('tab', { name: 'Contract' }).click()
  await expect(page.getByLabel('Answer of rate')).toHaveText('42')
})

/** Presses a button, and Cancel as soon as it is there. */
function pressThenCancel(button: HTMLElement): Promise<void> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      const cancel = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Cancel')
      if (!cancel) return
      observer.disconnect()
      cancel.click()
      resolve()
    })
    observer.observe(document.body, { childList: true, subtree: true })
    button.click()
  })
}

test.describe('a stored chain', () => {
  test.use({ storage: 'stored' })

  test('the source and the contract survive a reload', async ({ playground, page }) => {
    await deploy(playground, 'Counter')
    await playground.tick(10)
    await editor(page).click()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.type('// my own counter')
    // The example is now a project of one's own, stored once typing pauses.
    await expect(page.getByLabel('Example')).not.toHaveValue(/^example:/)
    await expect(page.getByText('Saved in this browser.')).toBeVisible()
    await page.reload()
    await playground.ready()
    await expect(editor(page)).toContainText('// my own counter')
    await expect(page.getByLabel('Deployed contracts')).toContainText('Counter')
    await expect(page.getByLabel('Answer of count')).toHaveText('0')
    await page.getByText('Source code', { exact: true }).click()
    await expect(page.getByRole('region', { name: 'Source', exact: true })).toContainText('contract Counter')
    const address = await page.getByLabel('Deployed contracts').inputValue()
    await page.getByRole('button', { name: 'Forget' }).click()
    await expect(page.getByText('No contracts yet.')).toBeVisible()

    // The contract's code is enough to find the build, which really is compiled again; what came of it lasts as long as the page.
    await visit(playground, `/address/${address}`)
    await page.getByRole('tab', { name: 'Source' }).click()
    await expect(page.getByRole('region', { name: 'Source Counter.sol' })).toContainText('contract Counter')
    await expect(page.getByText(/^Not verified yet/)).toBeVisible()
    const verify = page.getByRole('button', { name: 'Verify' })
    // At once, before the compiler has anything to do.
    await verify.evaluate(pressThenCancel)
    await verify.click()
    const verified = page.getByText(
      /^✓ Verified: recompiling gives the same deployed code, .* The constructor is not compared/,
    )
    await expect(verified).toBeVisible({ timeout: COMPILE_MS })
    await page.getByRole('tab', { name: 'Code' }).click()
    await page.getByRole('tab', { name: 'Source' }).click()
    await expect(verified).toBeVisible()

    await playground.request('anvil_setCode', [address, '0x6001'])
    await expect(page.getByText(/^The page has no source of this code/)).toBeVisible()
  })

  test('a contract of a stored chain is awaited across a reload, and goes with its chain', async ({
    playground,
    page,
  }) => {
    await test.step('a deployment that is in no block yet is still awaited after a reload', async () => {
      await page.getByLabel('Example').selectOption('Counter')
      await compile(page)
      await page.getByRole('button', { name: 'Deploy Counter' }).click()
      const waiting = page.getByRole('list', { name: 'Contracts waiting for a block' })
      await expect(waiting.getByRole('listitem')).toContainText('Counter is waiting for a block')
      await page.reload()
      await playground.ready()
      await expect(waiting.getByRole('listitem')).toContainText('Counter is waiting for a block')
      await playground.tick()
      await expect(page.getByLabel('Deployed contracts')).toContainText('Counter')
      await expect(waiting).toBeHidden()
      await expect(page.getByLabel('Answer of count')).toHaveText('0')
    })

    await test.step('a fresh chain does not know the contracts of the old one', async () => {
      await playground.tick(10)
      await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain('Counter')
      await playground.request('devnet_startChain', [{}])
      await expect(page.getByText('No contracts yet.')).toBeVisible()
    })
  })
})

test('contracts that were deployed elsewhere are added by their address', async ({ playground, page }) => {
  await test.step('a well-known contract is added by its address alone, if it has the code that is known', async () => {
    await page.getByRole('button', { name: 'At address…' }).click()
    const form = page.getByRole('form', { name: 'Contract at an address' })
    await form.getByLabel('Address of the contract').fill('0xca11bde05977b3631167028862be2a173976ca11')
    await expect(form.getByLabel('ABI as JSON')).toHaveAccessibleDescription(/the page knows the ABI of Multicall3/)
    await form.getByRole('button', { name: 'Add' }).click()
    await expect(page.getByLabel('Deployed contracts')).toContainText('Multicall3')
    await expect(page.getByLabel('Answer of getChainId')).toContainText('31,337')

    const permit2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'
    await visit(playground, `/address/${permit2}/contract`)
    await expect(page.getByRole('article', { name: 'nonceBitmap' })).toBeVisible()
    await playground.request('anvil_setCode', [permit2, '0x6001'])
    await visit(playground, `/address/${permit2}/code`)
    await page.getByRole('tab', { name: 'Contract' }).click()
    await expect(page.getByText(/does not know this contract’s ABI/)).toBeVisible()
  })

  await test.step('an existing contract is added by its address and its ABI', async () => {
    await openContracts(playground)
    await page.getByRole('button', { name: 'At address…' }).click()
    const form = page.getByRole('form', { name: 'Contract at an address' })
    await form.getByRole('button', { name: 'Add' }).click()
    await expect(form.getByLabel('Address of the contract')).toHaveAccessibleDescription(/Enter the address/)
    await form.getByLabel('Address of the contract').fill('0xca11bde05977b3631167028862be2a173976ca11')
    await form.getByLabel('Name').fill('Clock')
    const abi = [
      { type: 'function', name: 'getBlockNumber', inputs: [], outputs: [{ type: 'uint256' }], stateMutability: 'view' },
    ]
    await form.getByLabel('ABI as JSON').fill(JSON.stringify(abi))
    await expect(form.getByText(/The page knows this contract as Multicall3/)).toBeVisible()
    await form.getByRole('checkbox', { name: 'Replace what the page knows of it instead' }).check()
    await form.getByRole('button', { name: 'Add' }).click()
    // The ABI that was given, not the one that the page knows.
    await expect(page.getByLabel('Deployed contracts')).toContainText('Clock')
    await expect(page.getByLabel('Answer of getChainId')).toHaveCount(0)
    await expect(page.getByLabel('Answer of getBlockNumber')).toHaveText('2')
    await playground.tick(10)
    await expect(page.getByLabel('Answer of getBlockNumber')).toHaveText('3')
  })
})

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('the compiler works offline once it was used', async ({ playground, page, context }) => {
    await compile(page)
    await expect(page.getByText(/saved in this browser/)).toBeVisible()
    // The service worker caches the page itself, after the first view.
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    await page.reload()
    await context.setOffline(true)
    await expect(editor(page)).toBeVisible()
    await compile(page)
    // The browser logs this itself if it checks for a newer service worker meanwhile.
    const others = playground.complaints.filter((complaint) => !complaint.endsWith('net::ERR_INTERNET_DISCONNECTED'))
    playground.complaints.splice(0, playground.complaints.length, ...others)
  })
})
