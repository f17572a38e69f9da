// Run by `npm run package` in an empty folder, beside the example dapp, against the installed package.
import { createChain } from 'blinknet'
import { expect, test } from 'blinknet/playwright'
import { createPublicClient, custom } from 'viem'

test.use({ rpcUrls: ['http://localhost:8545'] })

declare global {
  interface Window {
    ethereum: {
      request(args: { method: string; params?: unknown }): Promise<unknown>
      on(event: string, listener: (payload: unknown) => void): void
    }
    heard: unknown[]
  }
}

const STRANGER = '0x00000000000000000000000000000000000000aa'

test('the dapp finds the wallet, hears it change its account, and is left without accounts', async ({
  page,
  wallet,
}) => {
  await page.goto('/')
  const first = wallet.address
  expect(await page.evaluate(() => window.ethereum.request({ method: 'eth_accounts' }))).toEqual([])
  expect(await page.evaluate(() => window.ethereum.request({ method: 'eth_requestAccounts' }))).toEqual([first])
  await page.evaluate(() => {
    window.heard = []
    for (const name of ['accountsChanged', 'chainChanged']) {
      window.ethereum.on(name, (payload) => window.heard.push([name, payload]))
    }
  })
  await wallet.switchAccount(3)
  expect(() => wallet.switchChain(10)).toThrow('this test has no chain with the id 10: it has chain (31337)')
  wallet.disconnect()
  await expect
    .poll(() => page.evaluate(() => window.heard))
    .toEqual([
      ['accountsChanged', [wallet.address]],
      ['accountsChanged', []],
    ])
  expect(wallet.address).not.toBe(first)
  expect(await page.evaluate(() => window.ethereum.request({ method: 'eth_chainId' }))).toBe('0x7a69')
})

test('a dapp asks for a chain that the test does not have, and learns so', async ({ page }) => {
  await page.goto('/')
  const code = await page.evaluate(() =>
    window.ethereum
      .request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x1' }] })
      .catch((error: { code: number }) => error.code),
  )
  expect(code).toBe(4902)
  expect(await page.evaluate(() => window.ethereum.request({ method: 'eth_chainId' }))).toBe('0x7a69')
})

test('a message is signed by the account that is shared, and by no other', async ({ page, wallet }) => {
  await page.goto('/')
  await page.evaluate(() => window.ethereum.request({ method: 'eth_requestAccounts' }))
  const sign = (account: string) =>
    page.evaluate(
      (from) =>
        window.ethereum
          .request({ method: 'personal_sign', params: ['0x68656c6c6f', from] })
          .catch((error: { code: number }) => error.code),
      account,
    )
  expect(await sign(wallet.address)).toMatch(/^0x[0-9a-f]{130}$/)
  expect(await sign(STRANGER)).toBe(4100)
})

test('a transaction whose receipt the dapp waits for is one of the wallet', async ({ page, chain, wallet }) => {
  await page.goto('/')
  const sent = page.evaluate(async () => {
    const [from] = (await window.ethereum.request({ method: 'eth_requestAccounts' })) as string[]
    return window.ethereum.request({ method: 'eth_sendTransactionSync', params: [{ from, to: from }] })
  })
  await expect.poll(async () => (await chain.request({ method: 'devnet_status' })).pool.pending).toBe(1)
  await chain.tick()
  expect(await sent).toMatchObject({ status: '0x1', transactionHash: wallet.lastTransaction })
})

test('a WebSocket to the routed address is this chain, with its subscriptions', async ({ page, chain }) => {
  await page.goto('/')
  await page.evaluate(() => {
    window.heard = []
    const socket = new WebSocket('ws://localhost:8545/?latest=preconfirmed')
    socket.onmessage = ({ data }) => window.heard.push(JSON.parse(data as string))
    socket.onopen = () => socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
  })
  await expect.poll(() => page.evaluate(() => window.heard.length)).toBe(1)
  await chain.seal()
  await expect
    .poll(() => page.evaluate(() => window.heard[1]))
    .toMatchObject({ method: 'eth_subscription', params: { result: { number: '0x1' } } })
})

test('the routed address answers as the server does: batches, errors, and what it refuses', async ({ page }) => {
  await page.goto('/')
  const ask = (body: string, init: RequestInit = {}) =>
    page.evaluate(
      async ([text, more]) => {
        const headers = { 'Content-Type': 'application/json' }
        const response = await fetch('http://localhost:8545', { method: 'POST', headers, body: text, ...more })
        return [response.status, await response.text()] as const
      },
      [body, init] as const,
    )
  expect(await ask('[{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}]')).toEqual([
    200,
    '[{"jsonrpc":"2.0","id":1,"result":"0x7a69"}]',
  ])
  expect((await ask('{'))[1]).toContain('-32700')
  expect((await ask('', { method: 'PUT' }))[0]).toBe(405)
})

test('a revert has its reason, and is told from a success', async ({ chain, wallet }) => {
  const from = wallet.address
  // Reverts with Error("no coffee").
  const reason = `08c379a0${'20'.padStart(64, '0')}${'9'.padStart(64, '0')}${'6e6f20636f66666565'.padEnd(64, '0')}`
  const code = `0x${'6064600c60003960646000fd'}${reason}`
  const reverted = await chain.request({
    method: 'eth_sendTransaction',
    params: [{ from, input: code as never, gas: '0x30d40' }],
  })
  const sent = await chain.request({ method: 'eth_sendTransaction', params: [{ from, to: STRANGER, value: '0x1' }] })
  await chain.tick()
  await expect(chain).toHaveReverted(reverted)
  await expect(chain).toHaveReverted(reverted, 'no coffee')
  await expect(chain).toHaveReverted(reverted, /^execution reverted|no coffee/)
  await expect(chain).not.toHaveReverted(reverted, 'out of tea')
  await expect(chain).not.toHaveReverted(sent)
})

test('a tick waits for what the dapp has begun, and not for what waits for the person', async ({
  page,
  chain,
  wallet,
}) => {
  await page.goto('/')
  wallet.answer('manual')
  await page.getByRole('button', { name: 'Pay' }).click()
  await chain.tick()
  expect(wallet.questions).toMatchObject([{ kind: 'connect' }])
  await wallet.approve()
  await chain.tick()
  expect(wallet.questions).toMatchObject([{ kind: 'transactions' }])
  await wallet.approve()
  await chain.tick()
  await expect(chain).toHavePreconfirmed(wallet.lastTransaction)
})

test('faults of one test …', async ({ chain }) => {
  await chain.failNext({ methods: ['eth_chainId'], error: { code: -32000, message: 'planned' } })
  await chain.stallPartialBlocks(5)
  await chain.delaySeal(1_000)
  await chain.withdrawNext()
  await chain.seal()
  await chain.reorg()
  await chain.request({ method: 'devnet_setSpeed', params: [50] })
  await chain.request({ method: 'evm_setAutomine', params: [true] })
  await chain.request({ method: 'devnet_resume' })
})

test('… are not those of the next, nor is its clock, whichever ran before', async ({ chain }) => {
  const { faults, head, ...clock } = await chain.request({ method: 'devnet_status' })
  expect(faults).toMatchObject({ failNext: [], stalledTicks: 0, sealDelayMs: 0, withdrawal: { planned: null } })
  expect(head.number).toBe('0x0')
  expect(clock).toMatchObject({ mode: 'manual', paused: true, automine: false, speed: 1, partialMs: 200 })
})

test.describe('without a wallet', () => {
  test.use({ wallet: { installed: false } })
  test('the dapp finds none', async ({ page }) => {
    await page.goto('/')
    expect(await page.evaluate(() => typeof window.ethereum)).toBe('undefined')
  })
})

test.describe('with a clock that runs', () => {
  test.use({ chain: { clock: 'auto' } })
  for (const which of ['one test', 'the next']) {
    test(`it runs in ${which}, and may be paused there`, async ({ chain }) => {
      const { mode, paused } = await chain.request({ method: 'devnet_status' })
      expect({ mode, paused }).toEqual({ mode: 'auto', paused: false })
      await chain.request({ method: 'devnet_pause' })
    })
  }
})

test.describe('with a fork', () => {
  test.use({
    // Playwright reads the names of fixtures from the pattern.
    chainOptions: async ({}, use) => {
      const origin = await createChain({ clock: 'manual' })
      await origin.request({ method: 'anvil_setBalance', params: [STRANGER, '0x7'] })
      await origin.seal()
      const { url } = await origin.listen()
      await use({ fork: { url } })
      await origin.close()
    },
  })
  test('the dapp sees the state of the chain that is forked, and what it sends comes after it', async ({
    page,
    chain,
    wallet,
  }) => {
    await page.goto('/')
    const ask = (method: string, params: readonly unknown[] = []) =>
      page.evaluate(
        async (call) => {
          const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call })
          const headers = { 'Content-Type': 'application/json' }
          const response = await fetch('http://localhost:8545', { method: 'POST', headers, body })
          return ((await response.json()) as { result: unknown }).result
        },
        { method, params },
      )
    expect(await ask('eth_getBalance', [STRANGER, 'latest'])).toBe('0x7')
    const { fork, head } = await chain.request({ method: 'devnet_status' })
    expect(fork).toMatchObject({ number: head.number, isProven: true })
    await page.getByRole('button', { name: 'Pay' }).click()
    await chain.tick()
    await expect(chain).toHavePreconfirmed(wallet.lastTransaction)
    await chain.seal()
    await expect(chain).toHaveSealed(wallet.lastTransaction)
    expect(Number(await ask('eth_blockNumber'))).toBe(Number(head.number) + 1)
  })
})

test('a matcher that is given something else than the chain says so', async ({ page }) => {
  // @ts-expect-error -- the types refuse it, too.
  const looked: unknown = expect(page).toHaveSealed(`0x${'0'.repeat(64)}`)
  await expect(looked).rejects.toThrow('toHaveSealed looks at the chain of the fixtures: expect(chain).toHaveSealed(…)')
})

test('what anybody signs by the wallet is theirs on this chain', async ({ page, chain, wallet }) => {
  const holder = `0x${'be'.repeat(20)}` as const
  await wallet.use(holder)
  await page.goto('/')
  await page.evaluate(() => window.ethereum.request({ method: 'eth_requestAccounts' }))
  const signature = await page.evaluate(
    (from) => window.ethereum.request({ method: 'personal_sign', params: ['0x68690a', from] }),
    holder,
  )
  const client = createPublicClient({ transport: custom(chain) })
  const message = { raw: '0x68690a' } as const
  expect(await client.verifyMessage({ address: holder, message, signature: signature as `0x${string}` })).toBe(true)
  expect(await client.verifyMessage({ address: STRANGER, message, signature: signature as `0x${string}` })).toBe(false)
})
