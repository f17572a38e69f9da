import { expect, test } from 'vitest'
import { type Hex, toWord } from '#primitives/hex.ts'
import type { RpcStructLogTrace } from '#rpc-types/methods/debug.ts'
import type { RpcOpcodeGas } from '#rpc-types/methods/trace.ts'
import { createTestNode, devAccount, type TestNode } from '#testing/node/test-node.ts'

const from = devAccount(0).address
const at = (digits: string): Hex => `0x${digits.repeat(20)}`
/** Stores 5 in slot 1. */
const STORE = '600560015500'
const INVALID = 'fe'
/** CALL of an address with one wei and 50,000 gas. */
const callOf = (address: Hex) => `5f5f5f5f600173${address.slice(2)}61c350f150`
/** CREATE of a contract with the code 42. */
const CREATE = '67602a5f5260205ff35f52600860185ff050'

async function withCodes(engine: 'wasm' | 'reference'): Promise<TestNode> {
  return createTestNode({
    mode: 'manual',
    engine,
    genesis: {
      [at('a1')]: { code: `0x${STORE}` },
      [at('a2')]: { code: `0x${INVALID}` },
      [at('a3')]: { code: `0x${callOf(at('a1'))}${CREATE}00`, balance: 9 },
      [at('a4')]: { code: `0x${callOf(at('a2'))}00`, balance: 9 },
      [at('a5')]: { code: '0x0c' },
    },
  })
}

async function send({ request }: TestNode, to: Hex): Promise<Hex> {
  const hash = await request('eth_sendTransaction', [{ from, to, gas: '0x493e0' }])
  await request('devnet_tick')
  return hash
}

const sumOf = (list: readonly RpcOpcodeGas[] | undefined) => list?.reduce((sum, { gasUsed }) => sum + gasUsed, 0)
const named = (list: readonly RpcOpcodeGas[] | undefined, name: string) => list?.find(({ opcode }) => opcode === name)

for (const engine of ['wasm', 'reference'] as const) {
  test(`${engine}: the gas of a transaction is told by opcode, the dearest first`, async () => {
    const node = await withCodes(engine)
    const hash = await send(node, at('a1'))
    expect(await node.request('trace_transactionOpcodeGas', [hash])).toEqual({
      transactionHash: hash,
      opcodeGas: [
        { opcode: 'SSTORE', count: 1, gasUsed: 22_100 },
        { opcode: 'PUSH1', count: 2, gasUsed: 6 },
        { opcode: 'STOP', count: 1, gasUsed: 0 },
      ],
    })
  })

  test(`${engine}: calls and creations are without what they begin, so that all gas is counted once`, async () => {
    const node = await withCodes(engine)
    const hash = await send(node, at('a3'))
    const answer = await node.request('trace_transactionOpcodeGas', [hash])
    const { gasUsed, status } = (await node.request('eth_getTransactionReceipt', [hash])) ?? {}
    expect(status).toBe('0x1')
    // 32 bytes of code are deposited at 200 gas each.
    expect(sumOf(answer?.opcodeGas)).toBe(Number(gasUsed) - 21_000 - 32 * 200)
    // 2,600 for the address and 9,000 for the value, less the stipend that the callee has on top of what it was given.
    expect(named(answer?.opcodeGas, 'CALL')).toEqual({ opcode: 'CALL', count: 1, gasUsed: 9_300 })
    expect(named(answer?.opcodeGas, 'CREATE')).toMatchObject({ count: 1, gasUsed: 32_002 })
    const trace = (await node.request('debug_traceTransaction', [hash])) as RpcStructLogTrace
    for (const { opcode, count } of answer?.opcodeGas ?? []) {
      expect(count).toBe(trace.structLogs.filter(({ op }) => op === opcode).length)
    }
  })

  test(`${engine}: what an exception takes belongs to no opcode, and undefined ones are not listed`, async () => {
    const node = await withCodes(engine)
    const failing = await node.request('trace_transactionOpcodeGas', [await send(node, at('a4'))])
    expect(named(failing?.opcodeGas, 'INVALID')).toEqual({ opcode: 'INVALID', count: 1, gasUsed: 0 })
    expect(named(failing?.opcodeGas, 'CALL')).toEqual({ opcode: 'CALL', count: 1, gasUsed: 9_300 })
    const undefinedOne = await node.request('trace_transactionOpcodeGas', [await send(node, at('a5'))])
    expect(undefinedOne?.opcodeGas).toEqual([])
  })
}

test('a block is told transaction by transaction, also while it is pending', async () => {
  const node = await withCodes('wasm')
  const { request } = node
  const hashes = [await send(node, at('a1')), await send(node, devAccount(1).address)]
  const pending = await request('trace_blockOpcodeGas', ['pending'])
  await request('devnet_tick', [10])
  const sealed = await request('trace_blockOpcodeGas', ['0x1'])
  const { hash } = (await request('eth_getBlockByNumber', ['0x1', false])) ?? {}
  expect(sealed).toMatchObject({ blockHash: hash, blockNumber: 1 })
  expect(sealed?.transactions).toEqual([
    await request('trace_transactionOpcodeGas', [hashes[0]]),
    { transactionHash: hashes[1], opcodeGas: [] },
  ])
  expect(pending?.transactions).toEqual(sealed?.transactions)
})

test('of what is not there, there is nothing', async () => {
  const { request } = await createTestNode()
  expect(await request('trace_transactionOpcodeGas', [toWord(1)])).toBeNull()
  expect(await request('trace_blockOpcodeGas', ['0x99'])).toBeNull()
  expect(await request('trace_blockOpcodeGas', [toWord(1)])).toBeNull()
  expect(await request('trace_blockOpcodeGas', ['0x0'])).toMatchObject({ blockNumber: 0, transactions: [] })
})
