import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesToHex, type Hex, hexToBytes, toWord } from '#primitives/hex.ts'
import { signLogger } from '#testing/node/rpc/log-contract.ts'
import { createTestNode, devAccount, type RpcError, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { decodeBlock } from '../../../payload/decode-block.ts'
import { encodeBlock } from '../../../payload/encode-block.ts'
import { decodeTransaction } from '../../../tx/decode.ts'

const withLogs = { tracer: 'callTracer', tracerConfig: { withLog: true } }

const signLegacy = (nonce: number) =>
  devAccount(1).signTransaction({
    type: 'legacy',
    chainId: 31337,
    nonce,
    gas: 21_000n,
    gasPrice: 3_000_000_000n,
    to: devAccount(9).address,
  })

/** Block 1 has an edit of the state, a legacy transaction, one with logs and a transfer. */
async function createChain(): Promise<TestNode> {
  const node = await createTestNode({ mode: 'manual' })
  const { request } = node
  for (const raw of [await signLegacy(0), await signLogger(2, 0, toWord(7)), await signTransfer(0, 0)]) {
    await request('eth_sendRawTransaction', [raw])
  }
  await request('devnet_tick', [10])
  expect(await request('eth_getBlockTransactionCountByNumber', ['0x1'])).toBe('0x3')
  return node
}

test('the RLP of a block is traced as the block is', async () => {
  const { request } = await createChain()
  const rlp = await request('debug_getRawBlock', ['0x1'])
  for (const config of [withLogs, {}]) {
    expect(await request('debug_traceBlock', [rlp, config])).toEqual(
      await request('debug_traceBlockByNumber', ['0x1', config]),
    )
  }
  await request('devnet_tick', [10])
  expect(await request('debug_traceBlock', [await request('debug_getRawBlock', ['0x2'])])).toEqual([])
})

test('a block in which the state was edited is traced with the edits, although RLP has none', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const poor: Hex = `0x${'99'.repeat(20)}`
  await request('devnet_faucet', [poor, '0xde0b6b3a7640000'])
  await request('anvil_impersonateAccount', [poor])
  await request('eth_sendTransaction', [{ from: poor, to: devAccount(9).address, value: '0x1' }])
  await request('devnet_tick', [10])
  const rlp = await request('debug_getRawBlock', ['0x1'])
  expect(await request('debug_traceBlock', [rlp, withLogs])).toMatchObject([{ result: { from: poor, value: '0x1' } }])
})

test('a block that this chain does not have is traced on a parent that it has', async () => {
  const { request } = await createChain()
  const { header } = decodeBlock(hexToBytes(await request('debug_getRawBlock', ['0x1'])))
  const raws = [await signLogger(3, 0, toWord(7), toWord(8)), await signLogger(4, 0, toWord(9)), await signLegacy(0)]
  const rlp = foreign(raws, header)
  const traces = await request('debug_traceBlock', [rlp, withLogs])
  expect(traces).toMatchObject([
    { result: { type: 'CREATE', logs: [{ index: '0x0' }, { index: '0x1' }] } },
    { result: { type: 'CREATE', logs: [{ index: '0x2' }] } },
    { txHash: decodeTransaction(hexToBytes(raws[2] as Hex)).hash, result: { type: 'CALL', gasUsed: '0x5208' } },
  ])
  expect(await request('eth_blockNumber')).toBe('0x1')
})

/** RLP of a block with other transactions than its header says. */
function foreign(raws: readonly Hex[], header: ReturnType<typeof decodeBlock>['header']): Hex {
  const transactions = raws.map((raw) => ({ tx: decodeTransaction(hexToBytes(raw)) }))
  return bytesToHex(encodeBlock({ header: { ...header, gasUsed: 1n }, transactions: transactions as never }))
}

test('a block whose transactions cannot be executed, or whose parent is unknown, is refused with why', async () => {
  const { request } = await createChain()
  const { header } = decodeBlock(hexToBytes(await request('debug_getRawBlock', ['0x1'])))
  const trace = (rlp: Hex) => request('debug_traceBlock', [rlp])
  const refusal = (message: unknown) => ({ error: { code: -32000, message } })
  await expect(trace(foreign([await signTransfer(0, 5)], header))).rejects.toMatchObject(
    refusal('could not apply tx 0: nonce 5 where the account has 0'),
  )
  const wide = await devAccount(1).signTransaction({
    type: 'legacy',
    chainId: 1,
    nonce: 0,
    gas: 21_000n,
    gasPrice: 3_000_000_000n,
    to: devAccount(9).address,
  })
  await expect(trace(foreign([await signLegacy(0), wide], header))).rejects.toMatchObject(
    refusal(expect.stringContaining('could not apply tx 1: invalid sender: invalid chain id')),
  )
  const poorBlock = foreign([await signLegacy(0)], { ...header, gasLimit: 20_999n })
  await expect(trace(poorBlock)).rejects.toMatchObject(refusal('could not apply tx 0: exceeds block gas limit'))
  const parentHash = toWord(5)
  await expect(trace(foreign([], { ...header, parentHash }))).rejects.toMatchObject(
    refusal(`parent ${parentHash} not found`),
  )
  const { parentHash: genesis } = header
  await expect(trace(foreign([], { ...header, number: 7 }))).rejects.toMatchObject(
    refusal(`parent ${genesis} not found`),
  )
})

test.each([
  '0x',
  '0xc0',
  '0x80',
  '0xc4c0c0c0c0',
  '0xc4c0c0c0c000',
  '0xffffffffffffffffff',
  // A length that is missing, of the whole and of a member.
  '0xf9',
  '0xb9',
  '0xc4c0c0c0b8',
  '0xc4c0c0c0ff',
  `0x${'c1'.repeat(200)}`,
  `0x${'f8ff'.repeat(100)}`,
])('%s is no block', async (rlp) => {
  const { request } = await createTestNode()
  await expect(request('debug_traceBlock', [rlp])).rejects.toMatchObject({
    error: { code: -32000, message: expect.stringMatching(/^could not decode block: rlp: /) as string },
  })
})

test('whatever is changed in the RLP of a block, it is traced as another one or refused', async () => {
  const { request } = await createChain()
  const rlp = hexToBytes(await request('debug_getRawBlock', ['0x1']))
  await fc.assert(
    fc.asyncProperty(fc.nat(rlp.length - 1), fc.integer({ min: 1, max: 255 }), async (place, flip) => {
      const changed = rlp.slice()
      changed[place] = (changed[place] ?? 0) ^ flip
      const outcome = await request('debug_traceBlock', [bytesToHex(changed)]).then(
        (traces) => traces.length,
        (error: unknown) => (error as RpcError).error.code,
      )
      expect([-32000, 3]).toContain(outcome)
    }),
    { numRuns: 300 },
  )
})

test('lists that are nested deep are refused at once', async () => {
  const { request } = await createTestNode()
  let nested = 'c0'
  for (let depth = 0; depth < 3_000; depth++) nested = list(nested)
  await expect(request('debug_traceBlock', [`0x${list(`${nested}c0c0c0`)}`])).rejects.toMatchObject({
    error: { code: -32000, message: expect.stringContaining('could not decode block') as string },
  })
})

function list(items: string): string {
  const length = items.length / 2
  if (length < 56) return `${(0xc0 + length).toString(16)}${items}`
  const digits = length.toString(16)
  const size = digits.length % 2 === 0 ? digits : `0${digits}`
  return `${(0xf7 + size.length / 2).toString(16)}${size}${items}`
}
