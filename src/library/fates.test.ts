import { createPublicClient, createWalletClient, custom, keccak256, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { expect, test } from 'vitest'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { FateError, type FatesRun, fates } from './fates.ts'

const SHOP = '0x00000000000000000000000000000000005470b0'
const account = privateKeyToAccount(DEV_KEYS[0]?.privateKey ?? '0x')
const PRICE = parseEther('1')

function clientsOf({ provider }: Pick<FatesRun, 'provider'>) {
  const transport = custom(provider, { retryCount: 0 })
  return {
    wallet: createWalletClient({ account, chain: foundry, transport }),
    client: createPublicClient({ chain: foundry, transport, pollingInterval: 5 }),
  }
}

/** What the shop has, by the chain itself. */
async function paid({ chain }: FatesRun): Promise<bigint> {
  return BigInt(await chain.request({ method: 'eth_getBalance', params: [SHOP, 'latest'] }))
}

/** Pays once, whatever happens: the same signed transaction is sent until it or another one with its nonce is sealed. */
async function payOnce(run: FatesRun): Promise<void> {
  const { wallet, client } = clientsOf(run)
  const request = await wallet.prepareTransactionRequest({ to: SHOP, value: PRICE, type: 'eip1559' })
  const serializedTransaction = await wallet.signTransaction(request)
  const hash = keccak256(serializedTransaction)
  let shown: 'paying' | 'paid' | 'not paid' = 'paying'
  for (let tries = 0; tries < 5 && shown === 'paying'; tries++) {
    // Whatever it answers: what the chain has counts.
    await wallet.sendRawTransaction({ serializedTransaction }).catch(() => {})
    await run.chain.settle()
    const receipt = await client.getTransactionReceipt({ hash }).catch(() => undefined)
    if (receipt && Number(receipt.blockHash) !== 0) shown = 'paid'
    else if ((await client.getTransactionCount({ address: account.address })) > 0) shown = 'not paid'
  }
  expect([shown, await paid(run)]).toEqual(shown === 'paid' ? ['paid', PRICE] : ['not paid', 0n])
}

test('a dapp that pays once passes under all fates of two faults', async () => {
  const summary = await fates({ depth: 2, withinMs: 250_000 }, payOnce)
  expect(summary.histories).toBeGreaterThan(40)
  expect(summary.schedules).toBeGreaterThan(1_000)
  expect(summary.leftOut).toEqual([])
})

/** Believes that nothing was sent if there is no answer. */
async function payTwice(run: FatesRun): Promise<void> {
  const { wallet } = clientsOf(run)
  const pay = () => wallet.sendTransaction({ to: SHOP, value: PRICE, gas: 21_000n })
  await pay().catch(pay)
  await run.chain.settle()
  expect(await paid(run)).toBeLessThanOrEqual(PRICE)
}

test('a dapp that sends again after a lost answer is found, with what happened', async () => {
  const error: unknown = await fates({ depth: 1 }, payTwice).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(FateError)
  expect(error).toMatchObject({ fate: 'lost-answer@send1', cause: { name: 'AssertionError' } })
  expect(String(error)).toMatch(/^FateError: the test fails under a fate: expected 2000000000000000000 to be less than/)
  expect(String(error)).toContain(
    "\n\n  fate: 'lost-answer@send1'\n\n" +
      'At the dapp’s send 1: the node takes it, and the answer is lost: the request times out.\n\n',
  )
  expect(String(error)).toContain('  tick 0: the dapp calls eth_sendRawTransaction\n')
  expect(String(error)).toContain('  tick 0: lost-answer@send1: the answer was lost\n')
  expect(String(error)).toMatch(/\n {2}0x[\da-f]{64}: received, pre-confirmed in block 1:1, sealed in block 1$/m)
})

test('a fate alone is run, as the error names it', async () => {
  await expect(fates({ fate: 'lost-answer@send1' }, payTwice)).rejects.toMatchObject({ fate: 'lost-answer@send1' })
  let runs = 0
  const summary = await fates({ fate: 'refuse@send1,lag@2' }, async ({ fate }) => {
    runs++
    expect(fate).toBe('refuse@send1,lag@2')
  })
  expect([runs, summary.histories, summary.leftOut]).toEqual([1, 1, []])
})

test('a dapp that believes a pre-confirmation for ever is found', async () => {
  const failing = fates({ depth: 1 }, async (run) => {
    const { wallet, client } = clientsOf(run)
    const hash = await wallet.sendTransaction({ to: SHOP, value: PRICE, gas: 21_000n }).catch(() => undefined)
    if (!hash) return
    await run.chain.tick()
    const isPaid = (await client.getTransactionReceipt({ hash }).catch(() => undefined)) !== undefined
    await run.chain.settle()
    if (isPaid) expect(await paid(run)).toBe(PRICE)
  })
  await expect(failing).rejects.toMatchObject({ fate: 'lose@2' })
})

test('a failure that needs two faults is shrunk to them, as early as it fails', async () => {
  let runs = 0
  const failing = fates({ depth: 2, kinds: ['late', 'reorg'] }, async (run) => {
    runs++
    const { wallet, client } = clientsOf(run)
    const hash = await wallet.sendTransaction({ to: SHOP, value: PRICE, gas: 21_000n })
    await run.chain.settle()
    const { events = [] } = (await run.chain.request({ method: 'devnet_getTransactionTimeline', params: [hash] })) ?? {}
    const since = events.slice(events.findLastIndex(({ kind }) => kind === 'received'))
    const block = await client.getTransactionReceipt({ hash })
    // Sealed late, and reverted then.
    expect(since.some(({ kind }) => kind === 'withdrawn') && block.blockNumber > 1n).toBe(false)
  })
  await expect(failing).rejects.toMatchObject({ fate: 'late@0,reorg@20' })
  expect(runs).toBeLessThan(60)
})

test('a fate that was given is run as it is, and not shrunk', async () => {
  const failing = fates({ fate: 'lag@3,withdraw@3' }, () => {
    throw new Error('always')
  })
  await expect(failing).rejects.toMatchObject({ fate: 'lag@3,withdraw@3' })
})

test('a test that fails without faults throws its own error', async () => {
  const error = new Error('not even so')
  await expect(
    fates({}, () => {
      throw error
    }),
  ).rejects.toBe(error)
})

test('a test that awaits an answer that is held goes on: ticks come by themselves', async () => {
  let ticks = 0
  await fates({ fate: 'late-answer@send1' }, async ({ provider, chain }) => {
    const { wallet } = clientsOf({ provider })
    const hash = await wallet.sendTransaction({ to: SHOP, value: PRICE, gas: 21_000n })
    ticks = (await chain.request({ method: 'devnet_status' })).live.index
    expect(await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })).not.toBeNull()
  })
  expect(ticks).toBe(2)
})

test('a test that never ends fails after its time', async () => {
  const failing = fates({ fate: '', runMs: 50 }, () => new Promise(() => {}))
  await expect(failing).rejects.toThrow('the test did not end within 50 ms')
})

test('calls of a run that is over are refused', async () => {
  let kept: FatesRun | undefined
  await fates({ fate: '' }, (run) => {
    kept = run
  })
  await expect(kept?.provider.request({ method: 'eth_chainId' })).rejects.toMatchObject({ code: 4900 })
})

test('while its stream is broken a provider says that it is disconnected', async () => {
  const told: string[] = []
  await fates({ fate: 'broken-stream@1' }, async ({ provider, chain }) => {
    provider.on('disconnect', ({ message }) => told.push(message))
    provider.on('connect', () => told.push('connected'))
    const { wallet } = clientsOf({ provider })
    await wallet.sendTransaction({ to: SHOP, value: PRICE, gas: 21_000n })
    await chain.settle()
  })
  expect(told).toEqual(['the stream is broken', 'connected'])
})

test('several chains each have a provider, and faults with their names', async () => {
  const options = { chains: { l1: { chainId: 1 }, base: { chainId: 31337 } }, fate: 'base:lose@0' }
  await fates(options, async ({ chain, chains, provider }) => {
    expect(Object.keys(chains)).toEqual(['l1', 'base'])
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x1')
    const base = chains['base'] as Pick<FatesRun, 'chain' | 'provider'>
    const { wallet } = clientsOf(base)
    const hash = await wallet.sendTransaction({ to: SHOP, value: PRICE, gas: 21_000n })
    await chain.settle()
    expect(await base.chain.request({ method: 'eth_getTransactionByHash', params: [hash] })).toBeNull()
  })
})

test.each([
  [{ fate: 'explode@1' }, 'there is no fault "explode"'],
  [{ fate: 'l2:lose@1' }, 'a fault meets the chain l2, there are chain'],
  [{ chains: {} }, 'fates takes 1 to 16 chains, not 0'],
  [{ chains: { a: {}, b: {} } }, 'the chains a and b have the same id, 31337'],
  [{ depth: 9 }, 'depth is 0 to 4 faults, not 9'],
  [{ kinds: ['explode' as never] }, 'there is no fault "explode"'],
  [{ runMs: 0 }, 'runMs is 1 to 2147483647 milliseconds, not 0'],
])('%j is refused', async (options, message) => {
  await expect(fates(options, () => {})).rejects.toThrow(message)
})

test('a test that goes back behind its beginning is told so', async () => {
  const failing = fates({ depth: 0 }, ({ chain }) => chain.request({ method: 'devnet_reset' }))
  await expect(failing).rejects.toThrow(
    'the chain chain cannot start over: the test has gone back behind its beginning',
  )
})
