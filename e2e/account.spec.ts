import { getContractAddress } from 'viem'
import { expect, type Playground, test, visit } from './playground.ts'
import { ALICE, BOB, deployToken, sendFrom, transferData } from './token.ts'

const CHECKSUMMED_BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** The figure with this text. */
const figure = ({ page }: Playground, said: RegExp) => page.getByRole('definition').filter({ hasText: said })

test('an account shows its balance, what it may do, and what it runs', async ({ playground, page }) => {
  await playground.open()

  await test.step('sealed and pending balance and nonce are shown side by side, and change with each partial block', async () => {
    await playground.openTransaction(await playground.sendTransfer())
    await page
      .getByRole('tabpanel')
      .getByRole('link', { name: /^Account 0/ })
      .click()
    await expect(page).toHaveURL(new RegExp(`/address/${ALICE}\\?clock=manual`))
    await expect(page.getByRole('heading', { level: 1, name: 'Account 0' })).toBeVisible()
    await expect(figure(playground, /no change/)).toContainText('10,000.000000 ETH')
    await expect(figure(playground, /pending$/)).toHaveText('0+1 transaction pending')

    await playground.tick()
    await expect(figure(playground, /−0\.01/)).toContainText('9,999.98')
    await expect(figure(playground, /pending$/)).toHaveText('0+1 transaction pending')

    await playground.tick(9)
    await expect(figure(playground, /no change/)).toContainText('9,999.98')
    await expect(figure(playground, /pending$/)).toHaveText('1none pending')
  })

  await test.step('the faucet fills an account, and “Send from this account” and “Send to this account” open a filled-in form', async () => {
    await visit(playground, `/address/${CHECKSUMMED_BOB}`)
    await page.getByRole('button', { name: 'Faucet: +100 ETH' }).click()
    await expect(figure(playground, /\+100\.0/)).toContainText('10,100.010000 ETH')
    await page.getByRole('button', { name: 'Send to this account' }).click()
    await expect(page.getByLabel('To', { exact: true })).toHaveValue(BOB)
    await page.goBack()
    await page.getByRole('button', { name: 'Send from this account' }).click()
    await expect(page.getByLabel('From')).toHaveValue('1')
  })

  await test.step('a delegated account names the address it delegates to', async () => {
    await playground.request('anvil_setCode', [BOB, `0xef0100${'ca'.repeat(20)}`])
    await visit(playground, `/address/${BOB}/code`)
    await expect(page.getByRole('tabpanel')).toContainText(`runs the code of0x${'ca'.repeat(20)}`)
    await visit(playground, `/address/${ALICE}/code`)
    await expect(page.getByRole('tabpanel')).toContainText('controlled by its private key')
  })

  await test.step('a malformed address, or one with a wrong checksum, gets a message', async () => {
    await playground.openNothing('/address/0x12', 'This is not an address')
    await visit(playground, `/address/${BOB}/nothing`)
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
    await visit(playground, `/address/${CHECKSUMMED_BOB.replace('C8', 'c8')}`)
    await expect(page.getByRole('heading', { level: 1, name: 'This is not an address' })).toBeVisible()
  })
})

test('a contract shows its logs, code and storage', async ({ playground, page }) => {
  await playground.open()
  const { address } = await deployToken(playground)
  await sendFrom(playground, { from: ALICE, to: address, input: transferData(BOB, 5n) })
  await playground.tick()
  await visit(playground, `/address/${address}`)
  await expect(playground.transactions.getByRole('row')).toHaveCount(2)

  await page.getByRole('tab', { name: 'Logs' }).click()
  const logs = page.getByRole('list', { name: 'Logs' }).getByRole('listitem')
  await expect(logs).toHaveCount(2)
  await expect(logs.first()).toContainText('pre-confirmed in #1')
  await expect(logs.first()).toContainText('Account 1')

  // The receiver holds the token at once, and sealed with the block.
  await visit(playground, `/address/${BOB}/tokens`)
  const token = page.getByRole('table', { name: 'Tokens' }).getByRole('row').filter({ hasText: 'ERC-20' })
  await expect(token.getByRole('cell')).toHaveText(['ERC-20', '–', '5+5'])
  await playground.tick(8)
  await expect(token.getByRole('cell')).toHaveText(['ERC-20', '5', '5'])
  await expect(page.getByText('1 token held, of those that were sent here since the first block')).toBeVisible()
  const sent = { from: BOB, to: address, input: transferData(ALICE, 2n) } as const
  await sendFrom(playground, sent)
  await playground.tick()
  await expect(token.getByRole('cell')).toHaveText(['ERC-20', '5', '3−2'])
  await playground.tick(9)
  await expect(token.getByRole('cell')).toHaveText(['ERC-20', '3', '3'])

  await visit(playground, `/address/${address}/logs`)
  await expect(logs.last()).toContainText('sealed in #1')

  await page.getByRole('tab', { name: 'Code' }).click()
  await expect(page.getByRole('region', { name: 'Instructions' })).toContainText('0000PUSH10x80')

  await page.getByRole('tab', { name: 'Storage' }).click()
  const slots = page.getByRole('table', { name: 'Storage slots' })
  await expect(slots.getByRole('row')).toHaveCount(3)
  await expect(slots).toContainText('997')
  await page.getByRole('button', { name: 'Read', exact: true }).click()
  await expect(page.getByRole('definition').filter({ hasText: /^0x0{64}/ })).toBeVisible()
  // The open tab follows the chain.
  await sendFrom(playground, { from: ALICE, to: address, input: transferData(BOB, 7n) })
  await playground.tick()
  await expect(slots).toContainText('990')
  await expect(slots).not.toContainText('997')
})

test('older transactions of an account are found in its blocks, also after a reload', async ({ playground, page }) => {
  await playground.open({ storage: 'stored' })
  await playground.sendTransfer()
  await playground.request('devnet_seal', [120])
  await page.goto(`/address/${ALICE}?clock=manual`)
  await playground.ready()
  await expect(page.getByText(/^0 transactions since block #21,/)).toBeVisible()
  await page.getByRole('button', { name: 'Load older' }).click()
  await expect(page.getByText(/^1 transaction since the first block,/)).toBeVisible()
  await expect(playground.transactions.getByRole('row')).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Load older' })).toBeHidden()
})

test('the functions of a contract have fields for structs and lists', async ({ playground, page }) => {
  await playground.open()
  await test.step('a list has a field for each item, in which structs have theirs, and can be written as JSON', async () => {
    await visit(playground, '/address/0xca11bde05977b3631167028862be2a173976ca11/contract')
    const aggregate = page.getByRole('article', { name: 'aggregate3', exact: true })
    const list = aggregate.getByRole('group', { name: /^Argument 1: calls, / })
    await expect(list).toContainText('No items.')
    await list.getByRole('button', { name: 'Add an item to Argument 1' }).click()
    await list.getByRole('button', { name: 'Add an item to Argument 1' }).click()
    await list.getByRole('button', { name: 'Remove item 2' }).click()
    const item = list.getByRole('group', { name: /^1, / })
    await item.getByLabel('target, address').fill(BOB)
    await aggregate.getByRole('button', { name: 'Send aggregate3' }).click()
    await expect(item.getByLabel('allowFailure, bool')).toHaveAccessibleDescription(/Enter true or false/)
    await item.getByLabel('allowFailure, bool').selectOption('true')
    await item.getByLabel('callData, bytes').fill('0x')
    await list.getByRole('button', { name: 'JSON for Argument 1' }).click()
    const json = list.getByLabel(/^Argument 1: calls, .*, as JSON$/)
    await expect(json).toHaveValue(new RegExp(BOB))
    await json.fill(JSON.stringify([{ target: BOB, allowFailure: true, callData: '0x' }, [BOB, 'false', '0x12']]))
    await list.getByRole('button', { name: 'Fields for Argument 1' }).click()
    await expect(list.getByRole('group', { name: /^2, / }).getByLabel('callData, bytes')).toHaveValue('0x12')
    await aggregate.getByRole('button', { name: 'Send aggregate3' }).click()
    const outcome = aggregate.getByRole('status', { name: /^Transaction/ })
    await expect(outcome).toHaveAccessibleName(/in the mempool/)
    await playground.tick()
    await expect(outcome).toHaveAccessibleName(/pre-confirmed.*success/)
  })

  await test.step('the page of a contract shows its functions, with a field for each member of a struct', async () => {
    await visit(playground, '/address/0x000000000022d473030f116ddee9f6b43ac78ba3')
    await page.getByRole('tab', { name: 'Contract' }).click()
    const panel = page.getByRole('tabpanel', { name: 'Contract' })
    await expect(panel.getByRole('region', { name: 'Write' })).toBeVisible()

    const permit = panel.getByRole('article', { name: 'permitTransferFrom' }).first()
    const struct = permit.getByRole('group', { name: /^Argument 1: permit, / })
    await struct.getByLabel('nonce, uint256').fill('many')
    await permit.getByRole('button', { name: /^Send/ }).click()
    await expect(struct.getByLabel('nonce, uint256')).toHaveAccessibleDescription(/Not a whole number/)
    const inner = struct.getByRole('group', { name: /^permitted, / })
    await expect(inner.getByLabel('token, address')).toHaveAccessibleDescription(/Enter an address/)

    await visit(playground, '/address/0x4e59b44847b379578588920ca78fbf26c0b4956c/contract')
    await expect(panel).toContainText('It has no functions: its call data is a salt of 32 bytes')
  })
})

test('a contract that another one created names both it and the transaction; one set by hand has no creator', async ({
  playground,
  page,
}) => {
  await playground.open()
  // The initcode of a contract that answers 42, in that of another one, which creates it.
  const child = '600a600c600039600a6000f3602a60005260206000f3'
  const hash = await sendFrom(playground, { from: ALICE, input: `0x75${child}6000526016600a6000f05060006000f3` })
  await playground.tick()
  const parent = getContractAddress({ from: ALICE, nonce: 0n })
  const created = getContractAddress({ from: parent, nonce: 1n }).toLowerCase()
  await visit(playground, `/address/${created}`)
  const creator = page.getByRole('paragraph').filter({ hasText: 'Created by' })
  await expect(creator.locator(`a[href*="/address/${parent.toLowerCase()}"]`)).toBeVisible()
  await expect(creator.locator(`a[href*="/tx/${hash}"]`)).toBeVisible()

  const byHand = `0x${'c0'.repeat(20)}`
  await playground.request('anvil_setCode', [byHand, '0x602a60005260206000f3'])
  await visit(playground, `/address/${byHand}`)
  await expect(page.getByText('No transaction created it')).toBeVisible()
})
