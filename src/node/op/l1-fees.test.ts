import { concat, encodeFunctionData, parseAbi, toHex } from 'viem'
import { expect, test } from 'vitest'
import type { Hash, Hex } from '#primitives/hex.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'
import { L1_BLOCK } from './l1-block.ts'
import { GAS_PRICE_ORACLE, MESSAGE_PASSER } from './predeploys.ts'

const DEPOSITOR = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'
const BASE_FEE_VAULT = '0x4200000000000000000000000000000000000019'
const L1_FEE_VAULT = '0x420000000000000000000000000000000000001a'
const OPERATOR_FEE_VAULT = '0x420000000000000000000000000000000000001b'
const NOBODY = '0x00000000000000000000000000000000000c0ffe'
const FROM = devAccount(0).address
const L1_ABI = parseAbi([
  'function number() view returns (uint64)',
  'function timestamp() view returns (uint64)',
  'function hash() view returns (bytes32)',
  'function sequenceNumber() view returns (uint64)',
  'function setL1BlockValuesEcotone()',
  'function setL1BlockValuesIsthmus()',
])

type Request = TestNode['request']
const balance = async (request: Request, account: Hex) => BigInt(await request('eth_getBalance', [account, 'pending']))

async function read(request: Request, functionName: 'number' | 'timestamp' | 'hash' | 'sequenceNumber') {
  const data = encodeFunctionData({ abi: L1_ABI, functionName })
  return BigInt(await request('eth_call', [{ to: L1_BLOCK, data }, 'pending']))
}

async function mined(request: Request, raw: Hex) {
  const hash = await request('eth_sendRawTransaction', [raw])
  await request('devnet_tick')
  return receiptOf(request, hash)
}

async function receiptOf(request: Request, hash: Hash) {
  return (await request('eth_getTransactionReceipt', [hash])) ?? expect.fail(`${hash} is not in a block`)
}

/** As the deposit of a block has it. */
function isthmusValues(baseFee: bigint, operatorScalar: number, operatorConstant: bigint): Hex {
  const selector = encodeFunctionData({ abi: L1_ABI, functionName: 'setL1BlockValuesIsthmus' })
  const words = [
    toHex(baseFee, { size: 32 }),
    toHex(5n, { size: 32 }),
    toHex(6n, { size: 32 }),
    toHex(7n, { size: 32 }),
  ]
  return concat([
    selector,
    ...[toHex(2_000, { size: 4 }), toHex(1_000_000, { size: 4 })],
    ...[toHex(1n, { size: 8 }), toHex(1_700_000_000n, { size: 8 }), toHex(20_000_000n, { size: 8 })],
    ...words,
    ...[toHex(operatorScalar, { size: 4 }), toHex(operatorConstant, { size: 8 })],
  ])
}

async function setL1(request: Request, data: Hex) {
  await request('anvil_impersonateAccount', [DEPOSITOR])
  await request('anvil_setBalance', [DEPOSITOR, toHex(10n ** 18n)])
  const hash = await request('eth_sendTransaction', [{ from: DEPOSITOR, to: L1_BLOCK, data }])
  await request('devnet_tick')
  expect(await receiptOf(request, hash)).toMatchObject({ status: '0x1' })
}

test('other chains have neither the contracts nor the fields', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  for (const address of [L1_BLOCK, GAS_PRICE_ORACLE, MESSAGE_PASSER] as const) {
    expect(await request('eth_getCode', [address, 'latest'])).toBe('0x')
  }
  const receipt = await mined(request, await signTransfer(0, 0))
  expect(Object.keys(receipt).filter((name) => /^l1|^operator/.test(name))).toEqual([])
})

test.each(['wasm', 'reference'] as const)('a receipt tells what the sender paid, engine %s', async (engine) => {
  const { request } = await createTestNode({ mode: 'manual', op: true, engine })
  const [before, l1Before] = [await balance(request, FROM), await balance(request, L1_FEE_VAULT)]
  const receipt = await mined(request, await signTransfer(0, 0, { value: 5n }))
  expect(receipt).toMatchObject({
    status: '0x1',
    l1GasPrice: toHex(20_000_000_000n),
    l1GasUsed: toHex(1_600),
    l1BaseFeeScalar: toHex(5_227),
    l1BlobBaseFee: toHex(1_000_000_000n),
    l1BlobBaseFeeScalar: toHex(1_014_213),
  })
  expect(receipt).not.toHaveProperty('operatorFeeScalar')
  // 100 bytes, the least, at 5,227 · 16 · 20 gwei and 1,014,213 · 1 gwei, both in millionths.
  const l1Fee = (100n * (5_227n * 16n * 20n + 1_014_213n) * 10n ** 9n) / 10n ** 6n
  expect(BigInt(receipt.l1Fee as Hex)).toBe(l1Fee)
  const gas = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)
  expect(before - (await balance(request, FROM))).toBe(5n + gas + l1Fee)
  expect((await balance(request, L1_FEE_VAULT)) - l1Before).toBe(l1Fee)
  const block = await request('eth_getBlockByNumber', ['pending', false])
  expect(await balance(request, BASE_FEE_VAULT)).toBe(21_000n * BigInt(block?.baseFeePerGas as Hex))
})

test('what L1Block says is what is paid from then on; earlier receipts stay', async () => {
  const { request } = await createTestNode({ mode: 'manual', op: true })
  const first = await mined(request, await signTransfer(0, 0))
  await setL1(request, isthmusValues(10n ** 9n, 3_000_000, 11n))
  const [before, forOperator] = [await balance(request, FROM), await balance(request, OPERATOR_FEE_VAULT)]
  const receipt = await mined(request, await signTransfer(0, 1, { value: 0n }))
  const l1Fee = (100n * (2_000n * 16n * 10n ** 9n + 5n * 1_000_000n)) / 10n ** 6n
  expect(receipt).toMatchObject({
    l1Fee: toHex(l1Fee),
    l1GasPrice: toHex(10n ** 9n),
    operatorFeeScalar: toHex(3_000_000),
    operatorFeeConstant: toHex(11),
  })
  const gas = 21_000n * BigInt(receipt.effectiveGasPrice)
  expect(before - (await balance(request, FROM))).toBe(gas + l1Fee + 3n * 21_000n + 11n)
  expect((await balance(request, OPERATOR_FEE_VAULT)) - forOperator).toBe(3n * 21_000n + 11n)
  const { blockHash: _unsealed, ...facts } = first
  expect(await receiptOf(request, first.transactionHash)).toMatchObject(facts)
})

test('the operator gets nothing for gas that is not used', async () => {
  const { request } = await createTestNode({ mode: 'manual', op: true })
  await setL1(request, isthmusValues(0n, 1_000_000, 0n))
  const before = await balance(request, FROM)
  const hash = await request('eth_sendTransaction', [{ from: FROM, to: NOBODY, gas: toHex(100_000) }])
  await request('devnet_tick')
  const { effectiveGasPrice, l1Fee } = await receiptOf(request, hash)
  const paid = before - (await balance(request, FROM))
  expect(paid).toBe(21_000n * BigInt(effectiveGasPrice) + BigInt(l1Fee as Hex) + 21_000n)
})

test('only the depositor sets the values, all of them', async () => {
  const { request } = await createTestNode({ mode: 'manual', op: true })
  const data = isthmusValues(1n, 0, 0n)
  const call = (from: Hex, input: Hex) => request('eth_call', [{ from, to: L1_BLOCK, data: input }, 'pending'])
  await expect(call(FROM, data)).rejects.toMatchObject({ error: { code: 3, data: '0x3cc50b45' } })
  await expect(call(DEPOSITOR, data.slice(0, -2) as Hex)).rejects.toMatchObject({ error: { code: 3 } })
  await expect(call(DEPOSITOR, `${data}00`)).rejects.toMatchObject({ error: { code: 3 } })
  expect(await call(DEPOSITOR, data)).toBe('0x')
})

test('who has enough for gas and value, but not for L1, is refused', async () => {
  const { request } = await createTestNode({ mode: 'manual', op: true })
  const raw = await signTransfer(0, 0, { value: 0n, maxFeePerGas: 10n ** 10n })
  await request('anvil_setBalance', [FROM, toHex(21_000n * 10n ** 10n)])
  await request('devnet_tick')
  await expect(request('eth_sendRawTransaction', [raw])).rejects.toMatchObject({
    error: { code: -32000, message: expect.stringContaining('insufficient funds') as unknown },
  })
  await request('anvil_setBalance', [FROM, toHex(21_000n * 10n ** 10n + 10n ** 15n)])
  await request('devnet_tick')
  expect(await mined(request, raw)).toMatchObject({ status: '0x1' })
})

test('a transaction that waits while L1 becomes too dear leaves the pool', async () => {
  const { request } = await createTestNode({ mode: 'manual', op: true })
  const raw = await signTransfer(0, 0)
  const hash = await request('eth_sendRawTransaction', [raw])
  await request('anvil_setStorageAt', [L1_BLOCK, toHex(1, { size: 32 }), toHex(2n ** 255n, { size: 32 })])
  await request('devnet_tick', [2])
  expect(await request('eth_getTransactionByHash', [hash])).toBeNull()
  await expect(request('eth_sendRawTransaction', [raw])).rejects.toMatchObject({ error: { code: -32000 } })
})

test('the chain knows a block of L1 each twelve seconds', async () => {
  const { request } = await createTestNode({ mode: 'manual', op: true, genesisTimestamp: 1_735_689_600 })
  await request('devnet_tick', [10])
  const [number, time] = [await read(request, 'number'), await read(request, 'timestamp')]
  const hashes = new Set<bigint>()
  const counts: bigint[] = []
  for (let i = 0; i < 12; i++) {
    await request('devnet_tick', [10])
    hashes.add(await read(request, 'hash'))
    counts.push(await read(request, 'sequenceNumber'))
  }
  // Twelve blocks of two seconds.
  expect((await read(request, 'number')) - number).toBe(2n)
  expect((await read(request, 'timestamp')) - time).toBe(24n)
  expect(time % 12n).toBe(0n)
  expect(hashes.size).toBe(3)
  expect(Math.max(...counts.map(Number))).toBe(5)
})

test('without the contract, a transaction pays nothing for L1', async () => {
  const { request } = await createTestNode({ mode: 'manual', op: true })
  const slots = [1, 3, 7].map((slot) => request('anvil_setStorageAt', [L1_BLOCK, toHex(slot), toHex(0, { size: 32 })]))
  await Promise.all([...slots, request('anvil_setCode', [L1_BLOCK, '0x'])])
  await request('devnet_tick', [10])
  expect(await mined(request, await signTransfer(0, 0))).toMatchObject({ status: '0x1', l1Fee: '0x0' })
})

test('a chain goes on with its receipts, from its journal and from its file', async () => {
  const journal = new MemoryJournal()
  const options = { mode: 'manual', op: true } as const
  const { node, request } = await createTestNode(options, { journal })
  const sealed = await mined(request, await signTransfer(0, 0))
  await request('devnet_tick', [10])
  const preconfirmed = await mined(request, await signTransfer(0, 1))
  const file = await request('devnet_exportChain')
  await node.close()
  const ofFile = new MemoryJournal()
  const importer = await createTestNode({ mode: 'manual' }, { journal: ofFile, onReplaced: () => {} })
  await importer.request('devnet_importChain', [file])
  await importer.node.close()
  const imported = await createTestNode({ mode: 'manual' }, { journal: ofFile })
  const again = await createTestNode(options, { journal })
  for (const { transactionHash, blockHash: _unsealed, ...facts } of [sealed, preconfirmed]) {
    expect(await receiptOf(again.request, transactionHash)).toMatchObject(facts)
    expect(await receiptOf(imported.request, transactionHash)).toMatchObject(facts)
  }
  expect(await receiptOf(again.request, preconfirmed.transactionHash)).toEqual(preconfirmed)
  const before = await balance(again.request, FROM)
  const next = await mined(again.request, await signTransfer(0, 2, { value: 0n }))
  const paid = 21_000n * BigInt(next.effectiveGasPrice) + BigInt(sealed.l1Fee as Hex)
  expect(before - (await balance(again.request, FROM))).toBe(paid)
})

test('a block is executed again with what it paid for L1', async () => {
  const { request } = await createTestNode({ mode: 'manual', op: true })
  await mined(request, await signTransfer(0, 0))
  await setL1(request, isthmusValues(10n ** 9n, 1_000_000, 5n))
  const last = await mined(request, await signTransfer(0, 1))
  await request('devnet_tick', [10])
  const prestate = await request('debug_traceTransaction', [
    last.transactionHash,
    { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
  ])
  const { pre, post } = prestate as Record<'pre' | 'post', Record<Hex, { balance: Hex }>>
  const sender = FROM.toLowerCase() as Hex
  const paid = BigInt(pre[sender]?.balance as Hex) - BigInt(post[sender]?.balance as Hex)
  const gas = 21_000n * BigInt(last.effectiveGasPrice)
  expect(paid).toBe(1n + gas + BigInt(last.l1Fee as Hex) + 21_000n + 5n)
})

test('a stored block knows which of its transactions have failed, and their logs', async () => {
  const journal = new MemoryJournal()
  const options = { mode: 'manual', op: true } as const
  const { node, request } = await createTestNode(options, { journal })
  // A withdrawal, which has a log, and a call that the depositor alone may make.
  const withdrawal = { from: FROM, to: MESSAGE_PASSER, value: toHex(3) } as const
  const refused = { from: FROM, to: L1_BLOCK, data: isthmusValues(1n, 0, 0n), gas: toHex(100_000) } as const
  const hashes = [
    await request('eth_sendTransaction', [withdrawal]),
    await request('eth_sendTransaction', [refused]),
    await request('eth_sendTransaction', [withdrawal]),
  ]
  await request('devnet_tick', [10])
  const before = await Promise.all(hashes.map((hash) => receiptOf(request, hash)))
  expect(before.map(({ status, logs }) => [status, logs.length])).toEqual([
    ['0x1', 1],
    ['0x0', 0],
    ['0x1', 1],
  ])
  await node.close()
  const again = await createTestNode(options, { journal })
  expect(await Promise.all(hashes.map((hash) => receiptOf(again.request, hash)))).toEqual(before)
  const { blocks } = await again.request('devnet_listBlocks', [])
  expect(blocks.find(({ number }) => number === '0x1')).toMatchObject({ failed: 1 })
})
