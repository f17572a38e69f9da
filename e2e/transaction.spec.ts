import { encodeFunctionData, multicall3Abi } from 'viem'
import { expect, test, visit } from './playground.ts'
import { ALICE, BOB, deployToken, MULTICALL3, sendFrom, transferData } from './token.ts'

test('calls, logs, errors and gas are decoded', async ({ playground, page }) => {
  await playground.open()
  await test.step('a list names what is called, as a guess where only the selector is known', async () => {
    await sendFrom(playground, { from: ALICE, to: BOB, input: `0x7ff36ab5${'00'.repeat(64)}` })
    await playground.tick()
    await expect(page.getByRole('cell', { name: 'swapExactETHForTokens (a guess)' })).toBeVisible()
  })
  await test.step('calls, logs and errors of unknown contracts are decoded by the standards', async () => {
    const { address } = await deployToken(playground)
    const hash = await sendFrom(playground, { from: ALICE, to: address, input: transferData(BOB, 5n) })
    await playground.tick()
    await visit(playground, `/tx/${hash}`)
    const panel = page.getByRole('tabpanel')
    await expect(panel).toContainText('transfer')
    await expect(panel).toContainText('a guess by selector: the bytes match ERC-20')

    await page.getByRole('tab', { name: 'Logs 1' }).click()
    await expect(page).toHaveURL(new RegExp(`/tx/${hash}/logs\\?clock=manual`))
    await expect(panel.getByRole('listitem')).toContainText('Transfer')
    await expect(panel.getByRole('listitem').getByRole('link', { name: 'Account 1' })).toBeVisible()

    const failed = await sendFrom(playground, {
      from: BOB,
      to: address,
      input: transferData(ALICE, 99n),
      gas: '0x186a0',
    })
    await playground.tick()
    await visit(playground, `/tx/${failed}`)
    await expect(panel).toContainText('ERC20InsufficientBalance')
    await expect(panel).toContainText('ERC-6093')
    const why = page.getByRole('region', { name: 'Why it failed' })
    await expect(why).toContainText('ERC20InsufficientBalance(sender: 0x7099…79c8, balance: 5, needed: 99)')
    await page.getByRole('tab', { name: 'Logs' }).click()
    await expect(panel).toContainText('A reverted transaction has no logs')
  })

  await test.step('the calls of a transaction are a tree that is used by keyboard', async () => {
    const { address } = await deployToken(playground)
    const input = encodeFunctionData({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      args: [
        [
          { target: address, allowFailure: true, callData: transferData(BOB, 0n) },
          { target: address, allowFailure: true, callData: transferData(BOB, 1n) },
        ],
      ],
    })
    const hash = await sendFrom(playground, { from: ALICE, to: MULTICALL3, input })
    await playground.tick()
    await visit(playground, `/tx/${hash}/calls`)
    const calls = page.getByRole('list', { name: 'Calls' })
    await expect(calls).toContainText('aggregate3(calls: [')
    await expect(calls).toContainText('transfer(to: 0x7099…79c8, amount: 1)')
    await expect(calls).toContainText('reverted ERC20InsufficientBalance(sender: 0xca11…ca11, balance: 0, needed: 1)')
    await expect(calls.getByRole('listitem')).toHaveCount(4)

    const toggle = calls.getByRole('button', { name: 'What happened in call CALL at depth 0' })
    await toggle.focus()
    await page.keyboard.press('ArrowLeft')
    await expect(toggle).toHaveAttribute('aria-expanded', 'false')
    await expect(calls.getByRole('listitem')).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(calls.getByRole('listitem')).toHaveCount(4)

    await page.getByRole('button', { name: 'Replay' }).click()
    await expect(page.getByText(/^Ran again on the same state in .* the same as in the receipt\.$/)).toBeVisible()
  })

  await test.step('the gas of a transaction is shown by call, and adds up to the receipt’s', async () => {
    const { address } = await deployToken(playground)
    const input = encodeFunctionData({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      args: [[{ target: address, allowFailure: true, callData: transferData(BOB, 1n) }]],
    })
    const hash = await sendFrom(playground, { from: ALICE, to: MULTICALL3, input })
    await playground.tick()
    const { gasUsed } = (await playground.request('eth_getTransactionReceipt', [hash])) as { gasUsed: string }
    await visit(playground, `/tx/${hash}/gas`)
    const panel = page.getByRole('tabpanel')
    await expect(panel).toContainText(`${Number(gasUsed).toLocaleString('en-US')} gas = `)
    const table = page.getByRole('table', { name: 'Gas by call' })
    const rows = table.getByRole('row')
    await expect(rows).toHaveText([
      /^Call/,
      /^the transaction.*100.00%/,
      /intrinsic/,
      /aggregate3/,
      /transfer.*reverted/,
    ])
    const own = await table.locator('tbody tr td:nth-of-type(2)').allTextContents()
    expect(own.reduce((sum, text) => sum + Number(text.replaceAll(',', '')), 0)).toBe(Number(gasUsed))
    await table.getByRole('link', { name: /^Debug .*transfer from its start$/ }).click()
    await expect(page).toHaveURL(/\/debug\?step=\d+&clock=manual/)
    await expect(page.getByRole('list', { name: 'Call stack' }).getByRole('listitem')).toHaveCount(2)
  })
})

test('the tabs of a transaction work once it is in a block and while it waits', async ({ playground, page }) => {
  await playground.open()
  await test.step('the tabs of a transaction are changed by arrow keys and by going back', async () => {
    const { preconfirmed } = await playground.populate()
    await playground.openTransaction(preconfirmed)
    const tab = (name: string) => page.getByRole('tab', { name, exact: true })
    await tab('Raw').click()
    await expect(page.getByRole('table', { name: 'Fields of the transaction' })).toContainText('Nonce')
    await page.keyboard.press('ArrowRight')
    await expect(tab('Receipt')).toBeFocused()
    await expect(tab('Receipt')).toHaveAttribute('aria-selected', 'true')
    await page.goBack()
    await expect(tab('Overview')).toHaveAttribute('aria-selected', 'true')
    await page.goForward()
    await expect(tab('Receipt')).toHaveAttribute('aria-selected', 'true')
  })

  await test.step('a waiting transaction can be executed as a trial', async () => {
    await visit(playground, '/')
    const hash = await playground.sendTransfer()
    await playground.openTransaction(hash)
    await page.getByRole('tab', { name: 'Calls' }).click()
    await page.getByRole('button', { name: 'Run a trial' }).click()
    await expect(page.getByRole('list', { name: 'Calls' })).toContainText('0.01 ETH')
  })
})

test('the sealed receipt is shown beside the pre-confirmed one, and only the block hash is new', async ({
  playground,
  page,
}) => {
  await playground.open({ storage: 'stored' })
  const { hash } = await deployToken(playground)
  await visit(playground, `/tx/${hash}/receipt`)
  const table = page.getByRole('table', { name: 'Receipt, pre-confirmed and sealed' })
  await expect(table.getByRole('row', { name: /^blockHash/ })).toContainText('not sealed yet')
  await playground.tick(9)
  await expect(page.getByText('23 of 25 fields are the same as when pre-confirmed.')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Only what changed' }).check()
  await expect(table.getByRole('row')).toHaveText([/^Field/, /^blockHashchanged/, /^logs\[0\]\.blockHashchanged/])

  await page.reload()
  await playground.ready()
  await expect(page.getByText('The page has no pre-confirmed one')).toBeVisible()
})

test('on a chain of the OP Stack a transaction says what it paid for L1', async ({ playground, page }) => {
  await page.goto('/?clock=manual&storage=off&op=on')
  await playground.ready()
  const hash = await sendFrom(playground, { from: ALICE, to: BOB, value: '0x1' })
  await playground.tick()
  await visit(playground, `/tx/${hash}`)
  await expect(page.getByRole('tabpanel')).toContainText(/Fee for L1\s*0\.00000026\d+ ETH, besides/)
})
