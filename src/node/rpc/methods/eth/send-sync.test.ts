import { expect, test, vi } from 'vitest'
import { createTestNode, devAccount, RpcError, signTransfer } from '#testing/node/test-node.ts'

const MANUAL = { mode: 'manual' } as const

test('the receipt comes with the pre-confirmation, and reads at pending see its effects', async () => {
  const { request } = await createTestNode(MANUAL)
  const to = devAccount(9).address
  const before = BigInt(await request('eth_getBalance', [to, 'pending']))
  const sent = request('eth_sendRawTransactionSync', [await signTransfer(0, 0, { value: 7n })])
  await request('devnet_tick')
  const receipt = await sent
  expect(receipt).toMatchObject({ status: '0x1', blockNumber: '0x1', blockHash: `0x${'0'.repeat(64)}` })
  expect(receipt).toEqual(await request('eth_getTransactionReceipt', [receipt.transactionHash]))
  expect(BigInt(await request('eth_getBalance', [to, 'pending'])) - before).toBe(7n)
  expect(await request('eth_blockNumber')).toBe('0x0')
})

test('on the clock the receipt comes with the next tick', async () => {
  const { request, clock } = await createTestNode()
  const sent = request('eth_sendRawTransactionSync', [await signTransfer(0, 0)])
  await pooled(request)
  await clock.advance(200)
  expect(await sent).toMatchObject({ status: '0x1', blockNumber: '0x1' })
})

test.each([
  [[], 6_000, '6s'],
  [[0], 6_000, '6s'],
  [[500], 500, '0.5s'],
  [['0x3e8'], 1_000, '1s'],
  [[3_600_000], 6_000, '6s'],
])('on a paused chain it times out: %j', async (timeout, ms, text) => {
  const { request, clock } = await createTestNode(MANUAL)
  const raw = await signTransfer(0, 0)
  let ended = false
  const outcome = errorOf(
    request('eth_sendRawTransactionSync', [raw, ...timeout]).finally(() => {
      ended = true
    }),
  )
  const { hash } = await pooled(request)
  await clock.advance(ms - 1)
  expect(await request('chain_transactionStatus', [hash])).toEqual({ status: 'Known' })
  expect(ended).toBe(false)
  await clock.advance(1)
  expect(await outcome).toEqual({
    code: 4,
    message: `The transaction was added to the transaction pool but wasn't processed in ${text}`,
    data: hash,
  })
})

/** The JSON-RPC error with which the call ends. */
async function errorOf(call: Promise<unknown>): Promise<unknown> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  return outcome instanceof RpcError ? outcome.error : outcome
}

/** Resolves once the gas is estimated and the transaction is pooled. */
async function pooledSoon(request: Awaited<ReturnType<typeof createTestNode>>['request']) {
  await vi.waitFor(async () => expect(await request('txpool_status')).toMatchObject({ pending: '0x1' }))
  return pooled(request)
}

async function pooled(request: Awaited<ReturnType<typeof createTestNode>>['request']) {
  const { pending } = await request('txpool_content')
  const [transaction] = Object.values(pending).flatMap((own) => Object.values(own))
  if (!transaction) throw new Error('nothing is pooled')
  return transaction
}

test('a transaction that is replaced while the call waits ends it', async () => {
  const { request } = await createTestNode(MANUAL)
  const loser = errorOf(request('eth_sendRawTransactionSync', [await signTransfer(0, 0)]))
  const { hash } = await pooled(request)
  const dearer = { maxFeePerGas: 20_000_000_000n, tip: 2_000_000_000n }
  const winner = request('eth_sendRawTransactionSync', [await signTransfer(0, 0, dearer)])
  const by = (await pooled(request)).hash
  expect(await loser).toEqual({ code: -32000, message: `the transaction was replaced by ${by}`, data: hash })
  await request('devnet_tick')
  expect(await winner).toMatchObject({ status: '0x1', transactionHash: by })
})

test('a transaction that is dropped while the call waits ends it', async () => {
  const { request } = await createTestNode(MANUAL)
  const outcome = errorOf(request('eth_sendRawTransactionSync', [await signTransfer(0, 0)]))
  const { hash } = await pooled(request)
  // An authorization that is included first, because of its tip, uses the nonce.
  const authorization = await devAccount(0).signAuthorization({
    contractAddress: devAccount(5).address,
    chainId: 31337,
    nonce: 0,
  })
  const delegation = await devAccount(1).signTransaction({
    type: 'eip7702',
    chainId: 31337,
    nonce: 0,
    gas: 100_000n,
    to: devAccount(5).address,
    authorizationList: [authorization],
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 2_000_000_000n,
  })
  await request('eth_sendRawTransaction', [delegation])
  await request('devnet_tick')
  const message = 'the transaction was dropped: nonce 0 where the account has 1'
  expect(await outcome).toEqual({ code: -32000, message, data: hash })
})

test('a transaction that eth_sendRawTransaction refuses is refused at once', async () => {
  const { request } = await createTestNode(MANUAL)
  const raw = await signTransfer(0, 0)
  await request('eth_sendRawTransaction', [raw])
  await expect(request('eth_sendRawTransactionSync', [raw])).rejects.toMatchObject({
    error: { code: -32000, message: 'already known' },
  })
  await expect(request('eth_sendRawTransactionSync', [raw, -1])).rejects.toMatchObject({
    error: { code: -32602, message: 'invalid argument 1: invalid hex or decimal integer "-1"' },
  })
})

test('many calls wait at the same time and each gets its own receipt', async () => {
  const { request } = await createTestNode(MANUAL)
  const raws = await Promise.all(
    Array.from({ length: 20 }, (_, nonce) => signTransfer(nonce % 2, Math.floor(nonce / 2))),
  )
  const sent = raws.map((raw) => request('eth_sendRawTransactionSync', [raw]))
  await request('devnet_tick')
  const block = await request('eth_getBlockByNumber', ['pending', false])
  const hashes = (await Promise.all(sent)).map(({ transactionHash }) => transactionHash)
  expect(new Set(hashes)).toEqual(new Set(block?.transactions))
  expect(hashes).toHaveLength(20)
})

test('a transaction that the node signs is awaited in the same way, and ends in the same way', async () => {
  const { request, clock } = await createTestNode(MANUAL)
  const transfer = { from: devAccount(0).address, to: devAccount(9).address, value: '0x7' }
  const sent = request('eth_sendTransactionSync', [transfer])
  await pooledSoon(request)
  await request('devnet_tick')
  const receipt = await sent
  expect(receipt).toMatchObject({ status: '0x1', blockNumber: '0x1', from: transfer.from.toLowerCase() })
  expect(receipt).toEqual(await request('eth_getTransactionReceipt', [receipt.transactionHash]))
  const late = errorOf(request('eth_sendTransactionSync', [transfer, 500]))
  const { hash } = await pooledSoon(request)
  await clock.advance(500)
  expect(await late).toMatchObject({ code: 4, data: hash })
  await expect(request('eth_sendTransactionSync', [{ to: transfer.to }])).rejects.toMatchObject({
    error: { code: -32000 },
  })
})

test('with automine the receipt of a transaction that the node signs is the sealed one', async () => {
  const { request } = await createTestNode()
  await request('evm_setAutomine', [true])
  const transfer = { from: devAccount(0).address, to: devAccount(9).address }
  const receipt = await request('eth_sendTransactionSync', [transfer])
  expect(receipt).toMatchObject({ status: '0x1', blockNumber: '0x1' })
  const block = await request('eth_getBlockByNumber', ['latest', false])
  expect(receipt.blockHash).toBe(block?.hash)
})

test('with automine a transaction behind a nonce gap ends with that reason', async () => {
  const { request, clock } = await createTestNode()
  await request('evm_setAutomine', [true])
  const transfer = { from: devAccount(0).address, to: devAccount(9).address, nonce: '0x5', gas: '0x5208' } as const
  let outcome: unknown
  void errorOf(request('eth_sendTransactionSync', [transfer])).then((error) => (outcome = error))
  // The send waits for the lower nonces first.
  await vi.waitFor(async () => {
    await clock.advance(1_000)
    expect(outcome).toBeDefined()
  })
  expect(outcome).toMatchObject({
    code: -32000,
    message:
      'the transaction was dropped: nonce too high: next nonce 0, tx nonce 5; with automine no transaction waits',
  })
})
