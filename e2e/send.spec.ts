import { parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Hash } from '../src/primitives/hex.ts'
import { DEV_KEYS } from '../src/rpc-types/dev-keys.ts'
import { expect, type Playground, test, visit } from './playground.ts'

const [{ privateKey }, { address: recipient }] = DEV_KEYS as [(typeof DEV_KEYS)[number], (typeof DEV_KEYS)[number]]
const sender = privateKeyToAccount(privateKey)

/** The form's **Sign & send**; resolves with the hashes that the page then shows, in the order of their nonces. */
async function signAndSend({ page }: Playground, count = 1): Promise<readonly Hash[]> {
  const sent = page.getByRole('region', { name: 'Sent' }).getByRole('status', { name: /^Transaction 0x/ })
  const shown = async () => {
    const names = await sent.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''))
    return names.map((name) => /0x[0-9a-f]{64}/.exec(name)?.[0] as Hash)
  }
  const earlier = await shown()
  await page.getByRole('button', { name: /^Sign & send/ }).click()
  const isNew = (hash: Hash) => !earlier.includes(hash)
  await expect.poll(async () => (await shown()).filter(isNew)).toHaveLength(count)
  return (await shown()).filter(isNew)
}

/** Opens the screen from another one. Its fields keep what was typed, but for the nonce. */
async function openSend({ page }: Playground): Promise<void> {
  const screens = page.getByRole('navigation', { name: 'Screens' })
  await screens.getByRole('link', { name: 'Live' }).click()
  await screens.getByRole('link', { name: 'Send' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Send a transaction' })).toBeVisible()
}

/** Opens the screen, for the account with this number. */
async function openSendFrom(playground: Playground, account: number): Promise<void> {
  await openSend(playground)
  await playground.page.getByLabel('From').selectOption(String(account))
}

test('a transaction of each type is sent', async ({ playground, page }) => {
  await playground.open()
  await openSend(playground)

  await test.step('a transfer is shown byte for byte, sent, and followed to its seal', async () => {
    const fields = page.getByRole('table', { name: 'Fields of the transaction' })
    await expect(fields.getByRole('row', { name: /^Nonce 0/ })).toBeVisible()
    await expect(fields.getByRole('row', { name: /^To .*Account 1/ })).toContainText(recipient)
    const shown = (await page.getByLabel('Signed bytes, coloured by field').textContent())?.replaceAll(/\s/g, '')

    const [hash] = (await signAndSend(playground)) as [Hash]
    expect(await playground.request('eth_getRawTransactionByHash', [hash])).toBe(shown)
    await expect(playground.transaction(hash)).toHaveAccessibleName(/in the mempool/)
    await playground.tick()
    await expect(playground.transaction(hash)).toHaveAccessibleName(/pre-confirmed in block 1/)
    await playground.tick(9)
    await expect(playground.transaction(hash)).toHaveAccessibleName(/sealed in block 1/)
  })

  for (const [type, expected] of [
    ['Type 0', '0x0'],
    ['Type 1', '0x1'],
  ] as const) {
    await test.step(`a transaction of ${type.toLowerCase()} is sent as one`, async () => {
      await openSend(playground)
      await page.getByRole('radio', { name: type }).check()
      await page.getByLabel('Gas price in gwei').fill('3')
      const [hash] = await signAndSend(playground)
      const tx = await playground.request('eth_getTransactionByHash', [hash])
      expect(tx).toMatchObject({ type: expected, gasPrice: `0x${parseGwei('3').toString(16)}` })
    })
  }

  await test.step('a type 4 transaction delegates an account to a contract, and its screen shows that', async () => {
    await openSend(playground)
    const permit2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'
    await page.getByRole('radio', { name: 'Type 4' }).check()
    await page.getByLabel('Contract whose code it runs').fill('0x12')
    await page.getByRole('button', { name: 'Sign & send' }).click()
    await expect(page.getByLabel('Contract whose code it runs')).toBeFocused()
    await page.getByLabel('Contract whose code it runs').fill(permit2)
    await page.getByLabel('Account that gets the code').selectOption({ label: 'Account 3 · 0x90f7…b906' })
    await expect(page.getByRole('row', { name: /^Authorizations 1 item/ })).toBeVisible()
    const [hash] = (await signAndSend(playground)) as [Hash]
    await playground.tick()
    await expect(playground.transaction(hash)).toHaveAccessibleName(/pre-confirmed in block 2.*success/)
    const third = DEV_KEYS[3]?.address
    expect(await playground.request('eth_getCode', [third, 'pending'])).toBe(`0xef0100${permit2.slice(2)}`)
    // For the sender's own authorization the transaction uses one nonce first.
    await page.getByLabel('Account that gets the code').selectOption('The sender')
    const [own] = (await signAndSend(playground)) as [Hash]
    await playground.tick()
    await expect(playground.transaction(own)).toHaveAccessibleName(/pre-confirmed in block 2.*success/)
    expect(await playground.request('eth_getCode', [sender.address, 'pending'])).toBe(`0xef0100${permit2.slice(2)}`)

    await visit(playground, `/tx/${hash}`)
    await expect(page.getByText('Account 3 runs the code of Permit2')).toBeVisible()
  })
})

test('a nonce gap is shown wherever its transaction is, and filled from there', async ({ playground, page }) => {
  await playground.open()
  await openSend(playground)

  await test.step('a nonce gap is shown in the mempool, in the race and on the account’s screen, and filled from there', async () => {
    await page.getByLabel('Nonce').fill('5')
    const [hash] = (await signAndSend(playground)) as [Hash]
    await page.getByRole('link', { name: 'Live', exact: true }).click()
    const mempool = page.getByRole('region', { name: 'Mempool' })
    await expect(mempool).toContainText('1 transaction waits behind a nonce gap')
    await expect(mempool).toContainText('Account 0 lacks nonces 0–4')
    await expect(mempool.getByRole('button', { name: 'Send them: nonces 0–4' })).toBeEnabled()
    const race = page.getByRole('region', { name: 'Your last transaction' })
    await expect(race).toContainText('Waiting for nonces 0–4 from the same sender')
    await mempool.getByRole('link', { name: 'Account 0' }).click()
    await expect(page.getByText('1 transaction waits in the mempool for nonces 0–4 of this account')).toBeVisible()
    await page.getByRole('button', { name: 'Send nonces 0–4' }).click()
    await expect(page.getByText(/in the mempool for nonces/)).toHaveCount(0)
    await playground.tick()
    expect(await playground.request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  })

  await test.step('a nonce gap is filled with one press, on the send screen and on the transaction’s own screen', async () => {
    await openSendFrom(playground, 2)
    await page.getByLabel('Nonce').fill('2')
    const [second] = (await signAndSend(playground)) as [Hash]
    await page.getByRole('region', { name: 'Sent' }).getByRole('button', { name: 'Send nonces 0–1' }).click()
    await expect(page.getByRole('button', { name: /^Send nonce/ })).toHaveCount(0)
    await playground.tick()
    await expect(playground.transaction(second)).toHaveAccessibleName(/pre-confirmed in block 1/)

    await page.getByLabel('Nonce').fill('4')
    const [fourth] = (await signAndSend(playground)) as [Hash]
    await visit(playground, `/tx/${fourth}`)
    await page.getByRole('region', { name: 'Timeline' }).getByRole('button', { name: 'Send nonce 3' }).click()
    await expect(page.getByRole('button', { name: /^Send nonce/ })).toHaveCount(0)
    await playground.tick()
    await expect(playground.transaction(fourth)).toHaveAccessibleName(/pre-confirmed in block 1/)
  })

  await test.step('a transaction behind a nonce gap shows which nonces it waits for, and the form suggests the next one', async () => {
    await openSendFrom(playground, 3)
    const outlook = page.getByRole('region', { name: 'Expected outcome' })
    await page.getByLabel('Nonce').fill('5')
    const [hash] = (await signAndSend(playground)) as [Hash]
    const sent = page.getByRole('region', { name: 'Sent' })
    await expect(sent).toContainText('is waiting for nonces 0–4 from this sender')
    // The field does not keep the nonce just used.
    await expect(page.getByLabel('Nonce')).toHaveValue('')
    await expect(outlook).toContainText('It goes into the next partial block.')

    const [first] = (await signAndSend(playground)) as [Hash]
    expect(await playground.request('eth_getTransactionByHash', [first])).toMatchObject({ nonce: '0x0' })
    await playground.tick()
    await visit(playground, `/tx/${hash}`)
    await expect(page.getByRole('region', { name: 'Timeline' })).toContainText(
      'is waiting for nonces 1–4 from this sender',
    )
  })

  await test.step('without the sender’s key the page says that the sender has to fill the gap', async () => {
    const stranger = privateKeyToAccount(`0x${'11'.repeat(32)}`)
    await playground.request('devnet_faucet', [stranger.address, '0xde0b6b3a7640000'])
    const raw = await stranger.signTransaction({
      chainId: 31337,
      nonce: 1,
      to: recipient,
      gas: 21_000n,
      maxFeePerGas: parseGwei('3'),
    })
    const hash = String(await playground.request('eth_sendRawTransaction', [raw]))
    await visit(playground, `/tx/${hash}`)
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await expect(timeline).toContainText('is waiting for nonce 0 from this sender')
    await expect(timeline).toContainText('this page does not have the key')
    await expect(timeline.getByRole('button', { name: /^Send nonce/ })).toHaveCount(0)
  })

  await test.step('a nonce gap and a low fee cap are predicted, and the transactions then wait', async () => {
    await openSendFrom(playground, 4)
    const outlook = page.getByRole('region', { name: 'Expected outcome' })
    await expect(outlook).toContainText('It goes into the next partial block.')
    await page.getByLabel('Nonce').fill('2')
    await expect(outlook).toContainText('it waits in the mempool for nonces 0–1.')
    await page.getByLabel('Nonce').fill('')
    await page.getByLabel('Fee cap in gwei').fill('0.001')
    await expect(outlook).toContainText('It will wait in the mempool.')
    await expect(outlook).toContainText('below the base fee')

    const [hash] = (await signAndSend(playground)) as [Hash]
    await playground.tick(3)
    await expect(playground.transaction(hash)).toHaveAccessibleName(/in the mempool/)
  })

  await test.step('the steps of a transaction are aligned, with each time on one line, at every width', async () => {
    await openSendFrom(playground, 5)
    await page.getByLabel('Fee cap in gwei').fill('')
    await page.getByLabel('Nonce').fill('2')
    const [hash] = (await signAndSend(playground)) as [Hash]
    await visit(playground, `/tx/${hash}`)
    const timeline = page.getByRole('region', { name: 'Timeline' })
    // The step with the long explanation must not push the others out of line.
    await expect(timeline).toContainText('is waiting for nonces 0–1')
    for (const width of [1440, 1000, 700, 390]) {
      await page.setViewportSize({ width, height: 900 })
      const steps = await timeline.getByRole('listitem').evaluateAll((items) =>
        items.map((item) => {
          const [name, time] = [...item.children].map((part) => part.getBoundingClientRect())
          const { left, top, width: wide } = item.getBoundingClientRect()
          return { left, top, wide, nameTop: (name?.top ?? 0) - top, timeHeight: time?.height ?? 0 }
        }),
      )
      expect(steps).toHaveLength(3)
      const [first, second, third] = steps as [(typeof steps)[0], (typeof steps)[0], (typeof steps)[0]]
      expect(third.left - second.left, `columns at ${width}`).toBeCloseTo(second.left - first.left, 0)
      expect(third.wide).toBeCloseTo(first.wide, 0)
      for (const step of steps) {
        expect(step.nameTop, `names at ${width}`).toBeCloseTo(first.nameTop, 0)
        expect(step.timeHeight, `times at ${width}`).toBeCloseTo(first.timeHeight, 0)
      }
    }
  })
})

test('bytes, copies and contracts are sent, and bad input is reported', async ({ playground, page }) => {
  await playground.open()
  await openSend(playground)

  await test.step('bytes signed elsewhere are shown field by field and sent', async () => {
    const raw = await sender.signTransaction({
      type: 'legacy',
      chainId: 31337,
      nonce: 0,
      to: recipient,
      value: 5n,
      gas: 21_000n,
      gasPrice: parseGwei('3'),
    })
    await page.getByRole('radio', { name: 'Raw', exact: true }).check()
    await page.getByLabel('Signed bytes in hex').fill(raw)
    await expect(page.getByRole('row', { name: /^Value 5 wei/ })).toBeVisible()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const status = page.getByRole('status', { name: /^Transaction 0x/ })
    await expect(status).toHaveAccessibleName(/in the mempool/)

    await page.getByLabel('Signed bytes in hex').fill('0x02c0')
    await expect(page.getByText(/These bytes are not a transaction/)).toBeVisible()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText('rlp: too few elements for types.DynamicFeeTx')
  })

  await test.step('copies are sent with consecutive nonces', async () => {
    await openSendFrom(playground, 2)
    await page.getByLabel('Repeat').fill('4')
    const hashes = await signAndSend(playground, 4)
    await page.getByLabel('Repeat').fill('1')
    const nonces = await Promise.all(hashes.map((hash) => playground.request('eth_getTransactionByHash', [hash])))
    expect(nonces).toMatchObject([{ nonce: '0x0' }, { nonce: '0x1' }, { nonce: '0x2' }, { nonce: '0x3' }])
  })

  await test.step('what was sent is in sight below the button, and still there after a look at another screen', async () => {
    const sent = page.getByRole('region', { name: 'Sent' })
    await expect(sent.getByRole('status', { name: /^Transaction 0x/ }).first()).toBeInViewport()
    await visit(playground, '/settings')
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
    await visit(playground, '/send')
    await expect(sent.getByRole('status', { name: /^Transaction 0x/ })).toHaveCount(4)
  })

  await test.step('a contract is deployed, and called by its function', async () => {
    await openSend(playground)
    await page.getByRole('radio', { name: 'Deploy' }).check()
    const [deployment] = await signAndSend(playground)
    await playground.tick()
    const { contractAddress } = (await playground.request('eth_getTransactionReceipt', [deployment])) as {
      contractAddress: string
    }
    expect(await playground.request('eth_call', [{ to: contractAddress }, 'pending'])).toBe(
      `0x${'2a'.padStart(64, '0')}`,
    )

    await page.getByRole('radio', { name: 'Call' }).check()
    await page.getByLabel('Contract').fill(contractAddress)
    await page.getByLabel('Function', { exact: true }).last().fill('answer(uint256 question)')
    await page.getByLabel('Argument 1: question, uint256').fill('6')
    const [call] = await signAndSend(playground)
    await playground.tick()
    expect(await playground.request('eth_getTransactionByHash', [call])).toMatchObject({
      to: contractAddress,
      input: expect.stringMatching(/^0x[0-9a-f]{8}0{63}6$/),
    })
  })

  await test.step('bad input is reported at its field, nothing is sent and no input is lost', async () => {
    await openSend(playground)
    const to = page.getByLabel('To', { exact: true })
    const amount = page.getByLabel('Amount in ETH')
    await to.fill('0x1234')
    await amount.fill('many')
    await page.getByRole('button', { name: 'Sign & send' }).click()
    await expect(to).toHaveAccessibleDescription('Not an address. Enter 0x and 40 hexadecimal digits.')
    await expect(to).toBeFocused()
    await expect(amount).toHaveAccessibleDescription('Not an amount. Use digits and a point, such as 0.01.')
    expect(await playground.request('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })

    await page.getByRole('radio', { name: 'Deploy' }).check()
    await expect(page.getByLabel('Bytecode')).toBeVisible()
    await page.getByRole('link', { name: 'Live', exact: true }).click()
    await page.goBack()
    await page.goBack()
    await expect(to).toHaveValue('0x1234')
    await expect(amount).toHaveValue('many')
  })
})

test('the error gallery triggers every error and leaves nothing behind', async ({ playground, page }) => {
  test.setTimeout(240_000)
  await playground.open()
  await openSend(playground)

  await test.step('every error in the gallery is the one in the protocol, and leaves nothing in the mempool', async () => {
    await page.getByRole('radio', { name: 'Errors' }).check()
    const cards = page.getByRole('list', { name: 'Errors of eth_sendRawTransaction' }).getByRole('article')
    await expect(cards).toHaveCount(20)
    const triggers = page.getByRole('button', { name: 'Trigger' })
    // Blocks of the default chain have room for any transaction.
    await expect(triggers).toHaveCount(19)
    for (const card of await cards.all()) {
      const filling = (await card.getByRole('heading', { name: 'Mempool full' }).count()) > 0
      if (!filling) for (const trigger of await card.getByRole('button').all()) await trigger.click()
    }
    await expect(page.getByText('As expected')).toHaveCount(18)
    await expect(page.getByText(/Not as expected/)).toHaveCount(0)
    expect(await playground.request('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  })

  await test.step('a full mempool refuses one more, and is emptied again', async () => {
    // Fills it with 2,000 transactions, which the node signs, and removes them again.
    await page.getByRole('radio', { name: 'Errors' }).check()
    const card = page.getByRole('article', { name: 'Mempool full' })
    await card.getByRole('button', { name: 'Trigger' }).click()
    await expect(card.getByRole('status')).toContainText('-32000 txpool is full', { timeout: 150_000 })
    await expect(card.getByRole('status')).toContainText('As expected')
    expect(await playground.request('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  })
})

test('the screen knows the gas limit of its chain, and says if an address of its own is unknown', async ({
  page,
  playground,
}) => {
  await test.step('on a chain with small blocks, gas over the block gas limit is refused, too', async () => {
    await page.goto('/send/errors?clock=manual&gasLimit=15000000&storage=off')
    const card = page.getByRole('article', { name: 'Gas over the block limit' })
    await card.getByRole('button', { name: 'Trigger' }).click()
    await expect(card.getByRole('status')).toContainText('As expected')
    await expect(card.getByRole('status')).toContainText('-32000 exceeds block gas limit')
  })

  await test.step('an unknown address of the screen shows a message', async () => {
    await playground.open({ path: '/send/nowhere' })
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Back to the live chain' })).toBeVisible()
  })
})

/** Sends a transaction that waits, and opens its page. */
async function openWaiting(playground: Playground): Promise<Hash> {
  const { page } = playground
  await page.getByLabel('Fee cap in gwei').fill('0.001')
  const [hash] = (await signAndSend(playground)) as [Hash]
  await page.getByRole('region', { name: 'Sent' }).getByRole('link').click()
  await expect(page.getByRole('region', { name: 'Speed up or cancel' })).toContainText(
    'is waiting for the base fee to fall to',
  )
  return hash
}

test('a waiting transaction is replaced', async ({ playground, page }) => {
  await playground.open({ storage: 'stored' })
  await openSend(playground)

  await test.step('a waiting transaction is cancelled: its nonce is used, and nothing is transferred', async () => {
    const hash = await openWaiting(playground)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(playground.transaction(hash)).toHaveAccessibleName(/replaced/)
    await playground.tick()
    expect(await playground.request('eth_getTransactionCount', [sender.address, 'pending'])).toBe('0x1')
    expect(await playground.request('eth_getBalance', [recipient, 'pending'])).toBe(
      `0x${(10_000n * 10n ** 18n).toString(16)}`,
    )
  })

  await test.step('a waiting transaction is sped up, and then included', async () => {
    await openSend(playground)
    const hash = await openWaiting(playground)
    await page.getByRole('button', { name: 'Speed up' }).click()
    await expect(playground.transaction(hash)).toHaveAccessibleName(/replaced/)
    await test.step('the replaced one keeps what it showed, and both name each other', async () => {
      await expect(page.getByRole('tabpanel')).toContainText(hash)
      await page.getByRole('tab', { name: 'Raw' }).click()
      await expect(page.getByRole('tabpanel')).toContainText(/ bytes, exactly as sent/)
      await page.getByText('Replaced by').getByRole('link').click()
      await expect(page.getByText('It replaced').getByRole('link')).toHaveAttribute('href', new RegExp(hash))
    })
    await test.step('also after the tab was reloaded: no node keeps the replaced one', async () => {
      await page.reload()
      await page.getByText('It replaced').getByRole('link').click()
      await expect(playground.transaction(hash)).toHaveAccessibleName(/replaced/)
      await expect(page.getByRole('tabpanel')).toContainText(/ bytes, exactly as sent|Nonce/)
      await page.getByText('Replaced by').getByRole('link').click()
      await expect(page.getByText('It replaced').getByRole('link')).toHaveAttribute('href', new RegExp(hash))
    })
    const successor = page.getByRole('status', { name: /^Transaction 0x/ })
    await expect(successor).toHaveAccessibleName(/in the mempool/)
    await playground.tick()
    await expect(successor).toHaveAccessibleName(/pre-confirmed in block 1.*success/)
    await expect(page.getByRole('button', { name: /Speed up|Cancel/ })).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'Speed up or cancel' })).toContainText(
      'its nonce is used and nothing can replace it',
    )
    expect(await playground.request('eth_getBalance', [recipient, 'pending'])).toBe(
      `0x${(10_000n * 10n ** 18n + 10n ** 16n).toString(16)}`,
    )
  })
})
