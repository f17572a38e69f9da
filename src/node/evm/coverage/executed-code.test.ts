import { describe, expect, test } from 'vitest'
import type { Address, Hex } from '#primitives/hex.ts'
import type { EngineName } from '#rpc-types/node-options.ts'
import { createTestNode, devAccount, RpcError, type TestNode } from '#testing/node/test-node.ts'
import { ExecutedCode } from './executed-code.ts'
import type { CodeCounts } from './execution-counts.ts'

const FROM = devAccount(0).address.toLowerCase() as Address
const at = (byte: string): Address => `0x${byte.repeat(20)}`
const [FIRST, SECOND, THIRD] = [at('a1'), at('b2'), at('c3')] as const
/** CALL of an address with all gas and no value; its outcome stays on the stack. */
const callOf = (address: Address) => `5f5f5f5f5f73${address.slice(2)}5af1`
const REVERT = '5f5ffd'

async function counted(engine: EngineName = 'wasm'): Promise<TestNode & { readonly executed: ExecutedCode }> {
  const executed = new ExecutedCode()
  return { ...(await createTestNode({ engine }, { executed })), executed }
}

const put = (node: TestNode, address: Address, code: string) => node.request('anvil_setCode', [address, `0x${code}`])

async function send(node: TestNode, to: Address | undefined, data: Hex = '0x', more: object = {}) {
  const hash = await node.request('eth_sendTransaction', [
    { from: FROM, ...(to && { to }), data, gas: '0x100000', ...more },
  ])
  await node.clock.advance(200)
  return node.request('eth_getTransactionReceipt', [hash])
}

/** What ran of the code at an address, as pairs of offset and count. */
function of(codes: readonly CodeCounts[], code: string): Pick<CodeCounts, 'kept' | 'undone' | 'passed'> {
  const found = codes.find((each) => each.code === `0x${code}`) ?? expect.fail(`${code} did not run`)
  return { kept: found.kept, undone: found.undone, passed: found.passed }
}

describe.each(['wasm', 'reference'] as const)('on the engine %s', (engine) => {
  test('steps of frames that failed, or were undone by one around them, are counted apart', async () => {
    const node = await counted(engine)
    const stops = '00'
    const failing = `${callOf(SECOND)}50${REVERT}`
    const catching = `${callOf(THIRD)}50${callOf(SECOND)}5000`
    await put(node, FIRST, catching)
    await put(node, SECOND, stops)
    await put(node, THIRD, failing)
    await send(node, FIRST)
    const { codes } = node.executed.take()
    expect(codes).toHaveLength(3)
    expect(of(codes, stops)).toEqual({ kept: [0, 1], undone: [0, 1], passed: [] })
    expect(of(codes, failing).kept).toEqual([])
    expect(of(codes, failing).undone.slice(-2)).toEqual([failing.length / 2 - 1, 1])
    expect(of(codes, catching).undone).toEqual([])
  })

  test('a JUMPI counts by where it went, also before a JUMPDEST, and one that failed counts for nothing', async () => {
    const node = await counted(engine)
    // Jumps over a STOP, or runs onto it; the second has a JUMPDEST before it.
    const both = '5f35600657005b00'
    const onto = '5f356007575b005b00'
    // Where it jumps to is none.
    const nowhere = '6001600157'
    for (const [address, code] of [
      [FIRST, both],
      [SECOND, onto],
      [THIRD, nowhere],
    ] as const)
      await put(node, address, code)
    for (const word of ['00', '01', '01']) {
      const data: Hex = `0x${word.padStart(64, '0')}`
      for (const to of [FIRST, SECOND, THIRD]) await send(node, to, data)
    }
    const { codes } = node.executed.take()
    expect(of(codes, both)).toEqual({ kept: [0, 3, 1, 3, 2, 3, 4, 3, 5, 1, 6, 2, 7, 2], undone: [], passed: [] })
    expect(of(codes, onto)).toEqual({
      kept: [0, 3, 1, 3, 2, 3, 4, 3, 5, 1, 6, 1, 7, 2, 8, 2],
      undone: [],
      passed: [4, 1],
    })
    expect(of(codes, nowhere)).toEqual({ kept: [], undone: [0, 3, 2, 3], passed: [] })
  })

  test('code of a contract that the transaction makes, and calls, is counted by its own hash', async () => {
    const node = await counted(engine)
    // Makes a contract whose code is 5b00, calls it, and stops.
    const initcode = '615b005f526002601ef3'
    const maker = `69${initcode.padEnd(20, '0')}5f52600a60165ff0`
    const code = `${maker}5f5f5f5f5f855af100`
    await put(node, FIRST, code)
    expect(await send(node, FIRST)).toMatchObject({ status: '0x1' })
    const { codes } = node.executed.take()
    expect(of(codes, '5b00')).toEqual({ kept: [0, 1, 1, 1], undone: [], passed: [] })
    expect(codes.filter(({ isCreation }) => isCreation)).toHaveLength(1)
  })

  test('an account that has delegated runs the code of its delegate', async () => {
    const node = await counted(engine)
    await put(node, FIRST, '5b00')
    await put(node, SECOND, `ef0100${FIRST.slice(2)}`)
    await send(node, SECOND)
    expect(of(node.executed.take().codes, '5b00').kept).toEqual([0, 1, 1, 1])
  })
})

test('a call counts once, an estimate once, and a trace or a failed submission not at all', async () => {
  const node = await counted()
  await put(node, FIRST, '5b5b00')
  const call = { from: FROM, to: FIRST }
  await node.request('eth_call', [call, 'latest'])
  expect(of(node.executed.take().codes, '5b5b00').kept).toEqual([0, 1, 1, 1, 2, 1])
  await node.request('eth_estimateGas', [call, 'latest'])
  expect(of(node.executed.take().codes, '5b5b00').kept).toEqual([0, 1, 1, 1, 2, 1])
  await node.request('debug_traceCall', [call, 'latest', { tracer: 'callTracer' }])
  await node.request('eth_createAccessList', [call, 'latest'])
  expect(node.executed.take().codes).toEqual([])
})

test('gas is told by function, apart for what failed and for each history, and is that of the receipt', async () => {
  const node = await counted()
  // Fails if no ether is sent along.
  await put(node, FIRST, '346007575f5ffd5b00')
  const fine = await send(node, FIRST, '0x11223344', { value: '0x1' })
  const failed = await send(node, FIRST, '0x11223344')
  node.executed.history = 'reorg'
  await send(node, FIRST, '0x11223344', { value: '0x1' })
  const { gas } = node.executed.take()
  const rows = gas.map(({ selector, isFailed, history, amounts }) => ({ selector, isFailed, history, amounts }))
  expect([fine?.status, failed?.status]).toEqual(['0x1', '0x0'])
  const amounts = [Number(fine?.gasUsed), 1]
  const selector = '0x11223344'
  expect(rows).toEqual([
    { selector, isFailed: false, history: '', amounts },
    { selector, isFailed: true, history: '', amounts: [Number(failed?.gasUsed), 1] },
    { selector, isFailed: false, history: 'reorg', amounts },
  ])
})

test('what is only tried out does not count', async () => {
  const node = await counted()
  await put(node, FIRST, '5f5ffd')
  node.executed.history = undefined
  await send(node, FIRST)
  expect(node.executed.take()).toEqual({ codes: [], gas: [], leftOut: 0 })
})

test('what a proxy is asked is told of the code behind it', async () => {
  const node = await counted()
  // CALLDATACOPY, DELEGATECALL with the same input.
  const proxy = `365f5f375f5f365f73${SECOND.slice(2)}5af400`
  await put(node, FIRST, proxy)
  await put(node, SECOND, '00')
  await send(node, FIRST, '0x11223344')
  const { gas, codes } = node.executed.take()
  const behind = codes.find(({ code }) => code === '0x00')
  expect(gas).toMatchObject([{ selector: '0x11223344', implementation: behind?.hash }])
})

test('a chain that counts executes with the same gas, logs and blocks as one that does not', async () => {
  const blocks = await Promise.all(
    [await counted(), await createTestNode()].map(async (node) => {
      await put(node, FIRST, `${callOf(SECOND)}60015500`)
      await put(node, SECOND, `60ff5fa0${REVERT}`)
      await send(node, undefined, '0x6001600155600a5ff3')
      await send(node, FIRST)
      await send(node, THIRD, '0x', { value: '0x1' })
      await node.clock.advance(2_000)
      return node.request('eth_getBlockByNumber', ['latest', true])
    }),
  )
  expect(blocks[0]).toEqual(blocks[1])
  expect(blocks[0]?.transactions).toHaveLength(3)
})

test('a thousand frames within each other are counted, the deepest as well', async () => {
  const node = await counted()
  // Calls itself until there is no gas.
  const code = `${callOf(FIRST)}00`
  await put(node, FIRST, code)
  await node.request('eth_call', [{ from: FROM, to: FIRST, gas: '0x2faf080' }, 'latest'])
  const { kept, undone } = of(node.executed.take().codes, code)
  expect((kept[1] ?? 0) + (undone[1] ?? 0)).toBeGreaterThan(300)
})

test('codes beyond what is kept are said to be left out', async () => {
  const node = await counted()
  const { executed } = node
  const limit = 4_096
  for (let i = 0; i < limit; i++) executed.codeOf(new Uint8Array(1), false, `0x${i.toString(16).padStart(64, '0')}`)
  await put(node, FIRST, '5b00')
  await node.request('eth_call', [{ from: FROM, to: FIRST }, 'latest'])
  const taken = executed.take()
  expect(taken.codes).toHaveLength(limit)
  expect(taken.leftOut).toBe(1)
  await node.request('eth_call', [{ from: FROM, to: FIRST }, 'latest'])
  expect(executed.take()).toMatchObject({ leftOut: 0, codes: [{ code: '0x5b00' }] })
})

test('an execution that is stopped counts for nothing', async () => {
  const node = await counted()
  await put(node, FIRST, '5b5f56')
  const stopped = node.request('eth_call', [{ from: FROM, to: FIRST, gas: '0xffffffffff' }, 'latest'])
  await expect(stopped).rejects.toBeInstanceOf(RpcError)
  const [counts] = node.executed.take().codes
  // Out of gas, the frame has failed; out of time, nothing is told of it.
  expect(counts?.kept ?? []).toEqual([])
})
