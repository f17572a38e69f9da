import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import type { JsonRpcResponse } from '#rpc-types/envelope.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { MemoryJournal } from '../../../storage/memory-journal.ts'

// B12 to B15 of the findings: what Hardhat and anvil do by default.

const SENDER = devAccount(0).address
const NOBODY = `0x${'ab'.repeat(20)}` as const
/** Init code of contracts that take all the gas there is, and that revert with the word 1. */
const BURNING = '0x60fe60005360016000f3'
const REVERTING = '0x69600160005260206000fd600052600a6016f3'

async function automining(...args: Parameters<typeof createTestNode>) {
  const node = await createTestNode(...args)
  await node.request('evm_setAutomine', [true])
  return node
}

const heights = ({ request }: TestNode) => request('eth_blockNumber').then(Number)
const timestamp = async ({ request }: TestNode, number: string = 'latest') =>
  Number((await request('eth_getBlockByNumber', [number as Hex, false]))?.timestamp)

/** The answers to calls that are all under way at once, in their order. */
async function inFlight({ raw }: TestNode, method: string, params: readonly (readonly unknown[])[]) {
  const bodies = params.map((each, id) => JSON.stringify({ jsonrpc: '2.0', id, method, params: each }))
  const answers = await Promise.all(bodies.map(raw))
  return answers.map((answer) => JSON.parse(answer ?? '') as JsonRpcResponse)
}

test('a send answers when its block is sealed: latest, its nonce and its receipt say so', async () => {
  const node = await automining()
  const { request } = node
  const before = await heights(node)
  const hash = await request('eth_sendRawTransaction', [await signTransfer(0, 0, { to: NOBODY, value: 7n })])
  const latest = await request('eth_getBlockByNumber', ['latest', false])
  expect(latest).toMatchObject({ transactions: [hash] })
  expect(await request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1', blockHash: latest?.hash })
  expect(await request('eth_getTransactionCount', [SENDER, 'latest'])).toBe('0x1')
  expect(await request('eth_getBalance', [NOBODY, 'latest'])).toBe('0x7')
  expect(await heights(node)).toBe(before + 1)
  expect(await request('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
})

test('others have their turn of the thread between sends in flight, however many there are', async () => {
  class BusyClock extends FakeClock {
    override now(): number {
      this.jump(1)
      return super.now()
    }
    override async yield(): Promise<void> {
      await nextTurn()
    }
  }
  const node = await automining({}, { clock: new BusyClock() })
  const send = [{ from: SENDER, to: NOBODY, gas: '0x5208' }]
  const answers = inFlight(
    node,
    'eth_sendTransaction',
    Array.from({ length: 100 }, () => send),
  )
  await nextTurn()
  expect(await heights(node)).toBeLessThan(50)
  await answers
  expect(await heights(node)).toBe(100)
})

test('so do sends that the node signs, and those that wait for their receipt', async () => {
  const { request } = await automining()
  const hash = await request('eth_sendTransaction', [{ from: SENDER, to: NOBODY, value: '0x1' }])
  expect((await request('eth_getTransactionReceipt', [hash]))?.blockNumber).toBe('0x1')
  const receipt = await request('eth_sendRawTransactionSync', [await signTransfer(0, 1)])
  const latest = await request('eth_getBlockByNumber', ['latest', false])
  expect(receipt).toMatchObject({ blockNumber: '0x2', blockHash: latest?.hash })
})

test('sends in flight keep their order, and each has a block of its own, a second after the one before', async () => {
  const node = await automining()
  const raws = await Promise.all([
    signTransfer(0, 0, { tip: 1n }),
    signTransfer(1, 0, { tip: 1_000_000n }),
    signTransfer(0, 1, { tip: 1n }),
    signTransfer(0, 2, { tip: 1n }),
  ])
  const answers = await inFlight(
    node,
    'eth_sendRawTransaction',
    raws.map((raw) => [raw]),
  )
  expect(await heights(node)).toBe(4)
  const times: number[] = []
  for (const [i, answer] of answers.entries()) {
    const number = `0x${i + 1}` as const
    const block = await node.request('eth_getBlockByNumber', [number, false])
    expect(block?.transactions).toEqual(['result' in answer && answer.result])
    times.push(Number(block?.timestamp))
  }
  expect(times).toEqual([0, 1, 2, 3].map((later) => (times[0] ?? 0) + later))
})

test('in a batch, too', async () => {
  const node = await automining()
  const raws = await Promise.all([0, 1, 2].map((nonce) => signTransfer(0, nonce)))
  const batch = raws.map((raw, id) => ({ jsonrpc: '2.0', id, method: 'eth_sendRawTransaction', params: [raw] }))
  const answers = JSON.parse((await node.raw(JSON.stringify(batch))) ?? '') as { result?: unknown }[]
  expect(answers.every(({ result }) => typeof result === 'string')).toBe(true)
  expect(await heights(node)).toBe(3)
})

test('one that overtakes the one before it on its way waits for it', async () => {
  const node = await automining()
  const [first, second] = await Promise.all([signTransfer(0, 0), signTransfer(0, 1)])
  const answers = await inFlight(node, 'eth_sendRawTransaction', [[second], [first]])
  expect(answers.every((answer) => 'result' in answer)).toBe(true)
  expect(await node.request('eth_getTransactionCount', [SENDER, 'latest'])).toBe('0x2')
})

test('one that waits behind a gap is refused after a second, and is in the pool no more', async () => {
  const clock = new FakeClock()
  const node = await automining({}, { clock })
  const [answered] = [inFlight(node, 'eth_sendRawTransaction', [[await signTransfer(0, 3)]])]
  // Decoded, submitted, and looked at.
  await expect.poll(() => node.request('txpool_status')).toEqual({ pending: '0x0', queued: '0x1' })
  await clock.advance(1_000)
  const [answer] = await answered
  expect(answer).toHaveProperty('error.message', expect.stringContaining('nonce too high: next nonce 0, tx nonce 3'))
  expect(await node.request('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  expect(await heights(node)).toBe(0)
})

test('one that pays less than the base fee is refused', async () => {
  const clock = new FakeClock()
  const node = await automining({}, { clock })
  const answered = inFlight(node, 'eth_sendRawTransaction', [[await signTransfer(0, 0, { maxFeePerGas: 1n, tip: 1n })]])
  await expect.poll(() => node.request('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
  await clock.advance(1_000)
  expect((await answered)[0]).toHaveProperty('error.message', expect.stringContaining('less than block base fee'))
})

test('one that ends in an exception is mined, and its send is an error; one that reverts is a hash, as in anvil', async () => {
  const node = await automining()
  const create = async (data: Hex, nonce: number) => {
    const gas = 200_000n
    const fees = { maxFeePerGas: 10_000_000_000n, maxPriorityFeePerGas: 1n }
    const raw = await devAccount(0).signTransaction({ type: 'eip1559', chainId: 31337, nonce, gas, data, ...fees })
    return node.request('eth_sendRawTransaction', [raw])
  }
  await create(BURNING, 0)
  await create(REVERTING, 1)
  const [burning, reverting] = await Promise.all(
    ['0x1', '0x2'].map(async (number) => {
      const [receipt] = (await node.request('eth_getBlockReceipts', [number as Hex])) ?? []
      return receipt?.contractAddress
    }),
  )
  const call = { from: SENDER, gas: '0x7530' } as const
  await expect(node.request('eth_sendTransaction', [{ ...call, to: burning }])).rejects.toMatchObject({
    error: { code: -32000, message: expect.stringContaining('invalid opcode: INVALID') as unknown, data: '0x' },
  })
  const [failed] = (await node.request('eth_getBlockReceipts', ['latest'])) ?? []
  expect(failed).toMatchObject({ status: '0x0', gasUsed: '0x7530', blockNumber: '0x3' })
  const hash = await node.request('eth_sendTransaction', [{ ...call, to: reverting }])
  expect(await node.request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x0', blockNumber: '0x4' })
})

test('asked to throw, a send of what fails is an error with its revert data, as in Hardhat; it is mined', async () => {
  const { request } = await automining({ throwOnTransactionFailures: true })
  const deploy = async (data: Hex) => {
    const hash = await request('eth_sendTransaction', [{ from: SENDER, data, gas: '0x30d40' }])
    return (await request('eth_getTransactionReceipt', [hash]))?.contractAddress
  }
  const [reverting, burning] = [await deploy(REVERTING), await deploy(BURNING)]
  const call = { from: SENDER, gas: '0x7530' } as const
  await expect(request('eth_sendTransaction', [{ ...call, to: reverting }])).rejects.toMatchObject({
    error: { code: 3, message: 'execution reverted', data: `0x${'1'.padStart(64, '0')}` },
  })
  const [failed] = (await request('eth_getBlockReceipts', ['latest'])) ?? []
  expect(failed).toMatchObject({ status: '0x0', to: reverting, blockNumber: '0x3' })
  await expect(request('eth_sendTransactionSync', [{ ...call, to: reverting }])).rejects.toMatchObject({
    error: { code: 3 },
  })
  await expect(request('eth_sendTransaction', [{ ...call, to: burning }])).rejects.toMatchObject({
    error: { code: -32000, message: expect.stringContaining('invalid opcode: INVALID') as unknown, data: '0x' },
  })
  expect(await request('eth_blockNumber')).toBe('0x5')
})

test('asked to throw, the clock’s blocks have failed transactions without an error', async () => {
  const { request } = await createTestNode({ throwOnTransactionFailures: true })
  const hash = await request('eth_sendTransaction', [{ from: SENDER, data: '0x5f5ffd', gas: '0x30d40' }])
  await request('evm_mine')
  expect(await request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x0' })
})

test('the clock drives nothing, and a block has the second of its transaction', async () => {
  const clock = new FakeClock()
  const node = await automining({}, { clock })
  const present = () => Math.floor(clock.now() / 1_000)
  await node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await clock.advance(60_000)
  expect(await heights(node)).toBe(1)
  await node.request('eth_sendRawTransaction', [await signTransfer(0, 1)])
  expect(await timestamp(node)).toBe(present())
  await node.request('evm_increaseTime', [100])
  await node.request('eth_sendRawTransaction', [await signTransfer(0, 2)])
  expect(await timestamp(node)).toBe(present() + 100)
  const asked = present() + 1_000
  await node.request('evm_setNextBlockTimestamp', [asked])
  await clock.advance(5_000)
  await node.request('eth_sendRawTransaction', [await signTransfer(0, 3)])
  expect(await timestamp(node)).toBe(asked)
  await node.request('eth_sendRawTransaction', [await signTransfer(0, 4)])
  expect(await timestamp(node)).toBeGreaterThan(asked)
  expect(await timestamp(node)).toBeLessThanOrEqual(asked + 6)
})

test('turned on, it seals what is pre-confirmed and ready; turned off, only calls seal', async () => {
  const clock = new FakeClock()
  const node = await createTestNode({}, { clock })
  const { request } = node
  await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  expect([await request('anvil_getAutomine'), await request('hardhat_getAutomine')]).toEqual([false, false])
  await request('hardhat_setAutomine', [true])
  expect([await request('anvil_getAutomine'), await request('hardhat_getAutomine')]).toEqual([true, true])
  expect(await request('eth_getTransactionCount', [SENDER, 'latest'])).toBe('0x1')
  expect((await request('devnet_status')).paused).toBe(true)

  await request('anvil_setAutomine', [false])
  await request('eth_sendRawTransaction', [await signTransfer(0, 1)])
  await clock.advance(10_000)
  expect(await request('eth_getTransactionCount', [SENDER, 'latest'])).toBe('0x1')
  await request('evm_mine')
  expect(await request('eth_getTransactionCount', [SENDER, 'latest'])).toBe('0x2')
})

test('devnet_resume and interval mining take the place of automine, with blocks as long as before', async () => {
  const clock = new FakeClock()
  const node = await automining({}, { clock })
  await node.request('devnet_resume')
  expect(await node.request('anvil_getAutomine')).toBe(false)
  const before = await heights(node)
  await clock.advance(20_000)
  expect(await heights(node)).toBe(before + 10)
  await node.request('evm_setAutomine', [true])
  await node.request('evm_setIntervalMining', [5])
  expect(await node.request('anvil_getAutomine')).toBe(false)
  await clock.advance(5_000)
  const then = await heights(node)
  await clock.advance(20_000)
  expect(await heights(node)).toBe(then + 4)
})

test('a chain that is opened again is still in automine, and goes back to the timing it had', async () => {
  const [journal, clock] = [new MemoryJournal(), new FakeClock()]
  const node = await automining({}, { journal, clock })
  await node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  const again = await createTestNode({}, { journal: journal.afterCrash(), clock })
  expect(await again.request('anvil_getAutomine')).toBe(true)
  await again.request('eth_sendRawTransaction', [await signTransfer(0, 1)])
  expect(await again.request('eth_getTransactionCount', [SENDER, 'latest'])).toBe('0x2')
  await clock.advance(10_000)
  expect(await heights(again)).toBe(2)
  await again.request('devnet_resume')
  await again.request('devnet_seal')
  expect(await again.request('devnet_status')).toMatchObject({ partialMs: 200, partialsPerBlock: 10 })
})

test('a reset chain is still in automine; a snapshot goes back and mining goes on', async () => {
  const node = await automining()
  const { request } = node
  await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  const id = await request('evm_snapshot')
  await request('eth_sendRawTransaction', [await signTransfer(0, 1)])
  expect(await request('evm_revert', [id])).toBe(true)
  expect(await heights(node)).toBe(1)
  await request('eth_sendRawTransaction', [await signTransfer(0, 1, { value: 2n })])
  expect(await heights(node)).toBe(2)
  await request('hardhat_reset')
  await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  expect(await heights(node)).toBe(1)
})

test('a transaction that a person has withdrawn is executed once more', async () => {
  const node = await automining()
  await node.request('devnet_withdrawNext', ['requeue'])
  const hash = await node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  expect(await node.request('eth_getTransactionReceipt', [hash])).toMatchObject({ blockNumber: '0x1' })
})

test.each([
  ['5b5f56', 'out of gas'],
  ['fe', 'invalid opcode: INVALID'],
  ['bb', 'invalid opcode: opcode 0xbb not defined'],
  ['600556', 'invalid jump destination'],
  ['01', 'stack underflow (0 <=> 2)'],
])('the send of a transaction to 0x%s says that it failed of: %s', async (code, reason) => {
  const { request } = await automining()
  await request('anvil_setCode', [NOBODY, `0x${code}`])
  const sent = request('eth_sendTransaction', [{ from: SENDER, to: NOBODY, gas: '0x7530' }])
  await expect(sent).rejects.toMatchObject({
    error: {
      code: -32000,
      message: expect.stringContaining(`${reason}: the transaction was mined, and failed: 0x`) as unknown,
    },
  })
})

test('asked to throw, a call that ends in an exception says that there is no revert data', async () => {
  for (const throwOnTransactionFailures of [true, false]) {
    const { request } = await createTestNode({ mode: 'manual', throwOnTransactionFailures })
    await request('anvil_setCode', [NOBODY, '0xfe'])
    for (const method of ['eth_call', 'eth_estimateGas'] as const) {
      const error: unknown = await request(method, [{ to: NOBODY }]).catch((thrown: { error: unknown }) => thrown.error)
      const said = { code: -32000, message: 'invalid opcode: INVALID' }
      expect(error, method).toEqual(throwOnTransactionFailures ? { ...said, data: '0x' } : said)
    }
  }
})
