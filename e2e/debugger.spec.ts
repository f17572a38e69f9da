import { expectNoFindings } from './axe.ts'
import { deploySource, openContracts, tickWithOne } from './contracts.ts'
import { expect, type Playground, test, visit } from './playground.ts'
import { ALICE, BOB, deployToken, sendFrom, transferData } from './token.ts'

// axe is injected as a string, which the page's policy forbids.
test.use({ bypassCSP: true })

/** Pre-confirms a transfer of the token, and opens its debugger. */
async function debugTransfer(playground: Playground, amount = 5n): Promise<`0x${string}`> {
  const { address } = await deployToken(playground)
  const call = { from: amount > 1_000n ? BOB : ALICE, to: address, input: transferData(BOB, amount), gas: '0x186a0' }
  const hash = await sendFrom(playground, call as Parameters<typeof sendFrom>[1])
  await playground.tick()
  await visit(playground, `/tx/${hash}`)
  await playground.page.getByRole('link', { name: 'Debug step by step' }).click()
  await expect(playground.page.getByRole('heading', { level: 1, name: 'Debugger' })).toBeVisible()
  return hash
}

test('a transaction without sources is debugged by its instructions', async ({ playground, page }) => {
  await playground.open()
  await test.step('a pre-confirmed transaction is stepped through forwards and backwards', async () => {
    await debugTransfer(playground)
    const where = page.getByRole('region', { name: 'Run' }).getByRole('status')
    await expect(where).toContainText(/^Step 1 of \d+PUSH1 at 0000, depth 0/)
    const step = (name: string) => page.getByRole('button', { name, exact: true })
    await expect(step('Back into')).toBeDisabled()
    await step('Step into').click()
    await expect(where).toContainText(/^Step 2 of \d+PUSH1 at 0002/)
    const stack = page.getByRole('list', { name: 'Stack, top first' })
    await expect(stack.getByRole('listitem')).toHaveText([/0x80128/])
    await step('Step into').click()
    await expect(where).toContainText('MSTORE at 0004')
    await expect(stack.getByRole('listitem')).toHaveText([/0x40.*offset/, /0x80.*value/])
    await step('Step into').click()
    await expect(page.getByRole('region', { name: 'Memory, bytes' })).toContainText('0000000000000080')
    await step('Back over').click()
    await expect(where).toContainText('MSTORE at 0004')
    await step('To the end').click()
    await expect(where).toContainText('RETURN')
    await expect(step('Step over')).toBeDisabled()
  })

  await test.step('the next storage writes and logs are found, by buttons and by keys', async () => {
    await debugTransfer(playground)
    const where = page.getByRole('region', { name: 'Run' }).getByRole('status')
    await page.getByRole('button', { name: 'Next storage write' }).click()
    await expect(where).toContainText('SSTORE')
    const slots = page.getByRole('list', { name: 'Uses of the storage, newest first' })
    await expect(slots.getByRole('listitem').first()).toContainText(/^written at .*995/)
    await page.keyboard.press('w')
    await expect(slots.getByRole('listitem').first()).toContainText(/^written at \d+0x/)
    await page.keyboard.press('l')
    await expect(where).toContainText('LOG3')
    await expect(page.getByRole('button', { name: 'Next log' })).toBeDisabled()
    await page.keyboard.press('Shift+W')
    await expect(where).toContainText('SSTORE')
    await page.keyboard.press('Shift+O')
    await expect(where).toContainText(/^Step 1 of/)
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog')).toContainText('Next storage write')
    await page.keyboard.press('Escape')
  })

  await test.step('the end of a reverted call is found, and a breakpoint stops on the way to it', async () => {
    await debugTransfer(playground, 2_000n)
    const where = page.getByRole('region', { name: 'Run' }).getByRole('status')
    await page.getByRole('button', { name: 'Next revert' }).click()
    await expect(where).toContainText('REVERT')
    await expect(page.getByRole('list', { name: 'Call stack' })).toContainText('execution reverted')
    const instructions = page.getByRole('region', { name: 'Instructions' })
    const current = instructions.locator('[aria-current="step"]')
    await current.getByRole('button', { name: /^Breakpoint at/ }).click()
    await page.getByRole('button', { name: 'To the start' }).click()
    await expect(where).toContainText(/^Step 1 of/)
    await page.keyboard.press('b')
    await expect(where).toContainText('REVERT')
    await expect(current.getByRole('button')).toHaveAttribute('aria-pressed', 'true')
  })

  await test.step('a transfer without code, a waiting and an unknown transaction are told in words', async () => {
    await visit(playground, '/')
    const hash = await playground.sendTransfer()
    await visit(playground, `/tx/${hash}/debug`)
    await expect(page.getByText('It waits in the mempool and has not run yet.')).toBeVisible()
    await playground.tick()
    await expect(page.getByText('It ran no code')).toBeVisible()
    await visit(playground, `/tx/0x${'ab'.repeat(32)}/debug`)
    await expect(page.getByRole('heading', { name: 'Transaction not found' })).toBeVisible()
    await visit(playground, '/call/7/debug')
    await expect(page.getByRole('heading', { name: 'This call is not known' })).toBeVisible()
  })
})

test('the address keeps the step, and other screens do not have it', async ({ playground, page }) => {
  await playground.open({ storage: 'stored' })
  const hash = await debugTransfer(playground)
  const slider = page.getByRole('slider', { name: 'Step' })
  await slider.fill('40')
  await expect(page).toHaveURL(new RegExp(`/tx/${hash}/debug\\?step=40&clock=manual$`))
  await page.reload()
  await playground.ready()
  await expect(page.getByRole('region', { name: 'Run' }).getByRole('status')).toContainText('Step 41 of')
  await expect(slider).toHaveAttribute('aria-valuetext', /^step 41 of \d+: [A-Z0-9]+ at 00.. in transfer, depth 0$/)
  await page.getByRole('link', { name: /^Transaction 0x/ }).click()
  await expect(page).toHaveURL(new RegExp(`/tx/${hash}\\?clock=manual$`))
})

const NESTED = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Vault {
    mapping(address => uint256) public balance;

    function take(address who, uint256 n) external {
        uint256 has = balance[who];
        require(has >= n, "too little");
        balance[who] = has - n;
    }
}

contract Bank {
    Vault public vault = new Vault();
    uint256 public total;

    function deposit(uint256 n) external {
        add(n);
        total += 1;
    }

    function withdraw(uint256 n) external {
        vault.take(msg.sender, n);
        total -= n;
    }

    function add(uint256 n) internal {
        total += n;
    }
}
`

test('with its source a transaction and a refused call are debugged line by line', async ({ playground, page }) => {
  test.slow()
  await playground.open()
  await deploySource(playground, NESTED, 'Bank')

  await test.step('a call that was refused before it was sent is debugged', async () => {
    const withdraw = page.getByRole('article', { name: 'withdraw' })
    await withdraw.getByRole('textbox').fill('7')
    await withdraw.getByRole('button', { name: 'Send withdraw' }).click()
    const trace = withdraw.getByRole('list', { name: 'Stack trace, innermost first' })
    await expect(trace.getByRole('listitem')).toHaveText([
      /^Vault.take.*:9.*require\(has >= n, "too little"\);$/,
      /^Bank.withdraw.*:24.*vault.take\(msg.sender, n\);$/,
    ])
    await expect(withdraw.getByText('“too little”'), 'the reason is said once').toHaveCount(1)
    await expectNoFindings(page, 'where a refused call failed')
    await withdraw.getByRole('button', { name: 'Debug this call' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Debugger' })).toBeVisible()
    await page.getByRole('button', { name: 'Next revert' }).click()
    const current = page.getByRole('region', { name: /^Source / }).locator('[aria-current="step"]')
    await expect(current).toContainText('require(has >= n, "too little");')
    await expect(page.getByRole('list', { name: 'Call stack' })).toContainText(/Vault.take.*Bank.withdraw/)
  })

  await test.step('the stack trace of a failed transaction has its lines, and leads to the debugger', async () => {
    await openContracts(playground)
    const withdraw = page.getByRole('article', { name: 'withdraw' })
    await withdraw.getByRole('textbox').fill('7')
    await withdraw.getByRole('button', { name: 'Send withdraw' }).click()
    await withdraw.getByRole('button', { name: 'Send anyway' }).click()
    await expect(withdraw.getByRole('status', { name: /^Transaction/ })).toBeVisible()
    await tickWithOne(playground)
    await withdraw.getByRole('link', { name: /^0x/ }).click()
    const why = page.getByRole('region', { name: 'Why it failed' })
    await expect(why).toContainText('“too little”')
    await expectNoFindings(page, 'why a transaction failed')
    await why.getByRole('link', { name: 'Debug Bank.withdraw, line 24' }).click()
    await expect(page.getByRole('region', { name: 'Run' }).getByRole('status')).toContainText(':24 in Bank.withdraw')
  })

  await test.step('a call and a transfer that a contract refuses have their stack trace where they are sent', async () => {
    const [bank] = await playground
      .request('eth_getBlockReceipts', ['pending'])
      .then((receipts) =>
        (receipts as { readonly contractAddress: string }[]).map(({ contractAddress }) => contractAddress),
      )
    const screens = page.getByRole('navigation', { name: 'Screens' })
    await screens.getByRole('link', { name: 'Send' }).click()
    await page.getByRole('radio', { name: 'Call', exact: true }).check()
    await page.getByLabel('Contract', { exact: true }).fill(bank ?? '')
    await page.getByLabel('Function', { exact: true }).last().fill('withdraw(uint256)')
    await page.getByLabel('uint256').fill('7')
    const form = page.getByRole('region', { name: 'Transaction', exact: true })
    const trace = form.getByRole('list', { name: 'Stack trace, innermost first' })
    await expect(trace.getByRole('listitem')).toHaveText([/^Vault.take.*:9/, /^Bank.withdraw.*:24/])
    await expectNoFindings(page, 'a refused call in the form')
    const shown = await trace.elementHandle()
    await playground.tick(11)
    await expect(trace).toBeVisible()
    expect(await shown?.evaluate((list) => list.isConnected), 'it stays while the next block is asked').toBe(true)

    await screens.getByRole('link', { name: 'Live' }).click()
    const transfer = page.getByRole('region', { name: 'Send a transfer' })
    await transfer.getByLabel('To', { exact: true }).fill(bank ?? '')
    await transfer.getByRole('button', { name: 'Sign & send' }).click()
    await expect(transfer.getByRole('alert')).toContainText('The contract refused the call.')
    await expect(transfer.getByRole('listitem')).toHaveText([/^Bank/])
    await transfer.getByRole('button', { name: 'Debug this call' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Debugger' })).toBeVisible()
  })

  await test.step('lines are stepped through, into functions and out of them, and lines have breakpoints', async () => {
    await openContracts(playground)
    const deposit = page.getByRole('article', { name: 'deposit' })
    await deposit.getByRole('textbox').fill('5')
    await deposit.getByRole('button', { name: 'Send deposit' }).click()
    const status = deposit.getByRole('status', { name: /^Transaction/ })
    await expect(status).toBeVisible()
    await tickWithOne(playground)
    await deposit.getByRole('link', { name: /^0x/ }).click()
    await page.getByRole('link', { name: 'Debug step by step' }).click()

    const where = page.getByRole('region', { name: 'Run' }).getByRole('status')
    const source = page.getByRole('region', { name: /^Source / })
    const current = source.locator('[aria-current="step"]')
    await expect(where).toContainText(':19 in Bank.deposit')
    await expect(current).toContainText('add(n);')
    const passed = page.getByRole('list', { name: 'Arguments of Bank.deposit, as they were passed' })
    const state = page.getByRole('list', { name: 'State variables of Bank' }).getByRole('listitem')
    await expect(passed.getByRole('listitem')).toHaveText(['nuint256, argument5'])
    await expect(state).toHaveText([/^vaultcontract Vault0x/, 'totaluint2560'])
    await page.keyboard.press('n')
    await expect(current).toContainText('total += 1;')
    await expect(state).toHaveText([/^vaultcontract Vault0x/, 'totaluint2565changed'])
    await page.keyboard.press('Shift+N')
    await expect(current).toContainText('add(n);')
    await page.keyboard.press('i')
    await expect(current).toContainText('total += n;')
    await expect(page.getByRole('list', { name: 'Call stack' }).getByRole('listitem')).toHaveText([
      /^Bank.add.*:29/,
      /^Bank.deposit.*:19/,
    ])
    await page.keyboard.press('o')
    await expect(where).toContainText('in Bank.deposit')

    await page.getByRole('button', { name: 'To the start' }).click()
    await source.getByRole('button', { name: 'Breakpoint at line 20' }).click()
    await page.keyboard.press('b')
    await expect(current).toContainText('total += 1;')
    await page.getByText('Instructions', { exact: true }).click()
    await expect(page.getByRole('region', { name: 'Instructions' }).locator('[aria-current="step"]')).toBeVisible()
    await expectNoFindings(page, 'the debugger with a source')
  })
})
