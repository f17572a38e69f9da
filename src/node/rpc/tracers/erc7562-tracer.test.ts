import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Hex, toQuantity, toWord } from '#primitives/hex.ts'
import type { RpcErc7562Frame } from '#rpc-types/methods/debug.ts'
import { type ProgramScenario, SENDER, scenario, worldOf } from '#testing/node/evm/programs.ts'
import { at, frameOf, from, send, withCodes } from '#testing/node/rpc/traces.ts'
import { createTestNode, type TestNode } from '#testing/node/test-node.ts'
import { runsOf } from '#testing/primitives/runs.ts'
import type { BlockEnv } from '../../evm/block-env.ts'
import type { Engine } from '../../evm/engine.ts'
import { createWasmEngine } from '../../evm/engines/wasm/engine.ts'
import type { Execution } from '../../evm/message.ts'
import type { Tracer, TraceStart } from '../../evm/tracer.ts'
import { WorldState } from '../../state/world-state.ts'
import { createErc7562Tracer, IGNORED_OPCODES } from './erc7562-tracer.ts'
import { TraceBudget } from './trace-budget.ts'

const IDENTITY = `0x${'00'.repeat(19)}04` as const
const A = at('a')
const B = at('bb')
const C = at('ccc')
const NOTHING = { reads: {}, writes: {}, transientReads: {}, transientWrites: {} }

const push20 = (address: string) => `73${address.slice(2)}`
/** CALL with that much gas, or with all by GAS. */
const call = (address: string, gas = '5a', value = '5f') => `5f5f5f5f${value}${push20(address)}${gas}f150`
/** CREATE of up to 15 bytes of initcode. */
function create(initcode: string): string {
  const size = initcode.length / 2
  return `${(0x5f + size).toString(16)}${initcode}5f5260${size.toString(16).padStart(2, '0')}60${(32 - size).toString(16)}5ff0`
}

/** The frame of a call of contract A. */
async function traceOf(
  { requestLoosely }: Pick<TestNode, 'requestLoosely'>,
  codes: Record<Hex, string>,
  config: object = {},
  request: object = {},
): Promise<RpcErc7562Frame> {
  const stateOverrides = Object.fromEntries(Object.entries(codes).map(([address, code]) => [address, { code }]))
  const params = [
    { from, to: A, gas: '0x100000', ...request },
    'latest',
    { tracer: 'erc7562Tracer', tracerConfig: config, stateOverrides },
  ]
  return (await requestLoosely('debug_traceCall', params)) as RpcErc7562Frame
}

describe.each(['wasm', 'reference'] as const)('on the %s engine', (engine) => {
  const trace = async (codes: Record<Hex, string>, config: object = {}, request: object = {}) =>
    traceOf(await createTestNode({ mode: 'manual', engine }), codes, config, request)

  test('a call of an account without code has every member of a frame, and nothing in them', async () => {
    expect(await trace({}, {}, { value: '0x1' })).toEqual({
      type: 'CALL',
      from,
      to: A,
      value: '0x1',
      gas: '0x100000',
      gasUsed: '0x5208',
      input: '0x',
      accessedSlots: NOTHING,
      extCodeAccessInfo: [],
      usedOpcodes: {},
      contractSize: {},
      outOfGas: false,
    })
  })

  test('a slot has the value that was read before it was written, once; writes are counted, transient slots apart', async () => {
    const node = await createTestNode({ mode: 'manual', engine })
    await node.request('anvil_setStorageAt', [A, toWord(1), toWord(7)])
    // Reads slots 1 and 1, writes 1 and 1, reads 1 and 3, writes 2, reads 2; TSTOREs 5 twice, TLOADs 5, 6.
    const reads = '60015450'.repeat(2)
    const writes = '60096001556008600155'
    const more = '60015450600354506004600255600254505f60055d5f60055d60055c5060065c5000'
    const frame = await traceOf(node, { [A]: `0x${reads}${writes}${more}` })
    expect(frame.accessedSlots).toEqual({
      reads: { [toWord(1)]: [toWord(7)], [toWord(3)]: [toWord(0)] },
      writes: { [toWord(1)]: 2, [toWord(2)]: 1 },
      transientReads: { [toWord(5)]: 1, [toWord(6)]: 1 },
      transientWrites: { [toWord(5)]: 2 },
    })
    expect(frame.usedOpcodes).toEqual({ '0x54': 5, '0x55': 3, '0x5c': 2, '0x5d': 2, '0x0': 1 })
  })

  test('slots belong to the frame that uses them, also where the storage is that of its caller', async () => {
    const delegate = `5f5f5f5f${push20(B)}5af450`
    const frame = await trace({ [A]: `0x6001545060016001555f50${delegate}00`, [B]: '0x60015450600254505f60035500' })
    expect(frame.accessedSlots.reads).toEqual({ [toWord(1)]: [toWord(0)] })
    // The delegate sees what its caller has written.
    expect(frame.calls?.[0]).toMatchObject({
      type: 'DELEGATECALL',
      from: A,
      to: B,
      accessedSlots: {
        reads: { [toWord(1)]: [toWord(1)], [toWord(2)]: [toWord(0)] },
        writes: { [toWord(3)]: 1 },
      },
    })
  })

  test('code that is looked at is told each time, unless EXTCODESIZE asks only whether there is any', async () => {
    const isContract = `${push20(B)}3b15`
    const size = `${push20(B)}3b50`
    const hash = `${push20(C)}3f1550`
    const copy = `5f5f5f${push20(C)}3c`
    const frame = await trace({ [A]: `0x${isContract}50${size}${size}${hash}${copy}00`, [B]: '0x0000' })
    expect(frame.extCodeAccessInfo).toEqual([B, B, C, C])
    // ISZERO is the only opcode that follows without being counted.
    expect(frame.usedOpcodes).toEqual({ '0x3b': 3, '0x3f': 1, '0x3c': 1, '0x0': 1 })
    expect(frame.contractSize).toEqual({
      [B]: { contractSize: 2, opcode: 0x3b },
      [C]: { contractSize: 0, opcode: 0x3f },
    })
  })

  test('what RETURN follows at once is not told, as in geth', async () => {
    expect(await trace({ [A]: `0x5f5f${push20(B)}3bf3` })).toMatchObject({ extCodeAccessInfo: [] })
    expect(await trace({ [A]: '0x5f5af3' })).toMatchObject({ usedOpcodes: { '0xf3': 1 } })
    expect(await trace({ [A]: '0x5f5afd' })).toMatchObject({ usedOpcodes: { '0xfd': 1 } })
  })

  test('GAS counts unless a call of any kind follows it', async () => {
    const calls = `${call(B)}5f5f5f5f${push20(B)}5af4505f5f5f5f${push20(B)}5afa505f5f5f5f5f${push20(B)}5af250`
    expect((await trace({ [A]: `0x${calls}00` })).usedOpcodes).toEqual({
      '0xf1': 1,
      '0xf2': 1,
      '0xf4': 1,
      '0xfa': 1,
      '0x0': 1,
    })
    // GAS POP, GAS CREATE and GAS with the end of the code behind it, which is a STOP.
    expect((await trace({ [A]: '0x5a505f5f5af05a' })).usedOpcodes).toEqual({ '0x5a': 3, '0xf0': 1, '0x0': 1 })
  })

  test('sizes are those of the code at the first look: of a precompiled contract, a delegated account, a new contract', async () => {
    const delegated = at('dddd')
    const initcode = '600a5ff3'
    const looks = (address: string) => `${push20(address)}3b50`
    // CREATE, then CALL of what came out of it; the calls of others.
    const created = `${create(initcode)}5f5f5f5f5f855af150`
    const frame = await trace({
      [A]: `0x${created}${looks(IDENTITY)}${call(IDENTITY)}${call(delegated)}${looks(delegated)}00`,
      [delegated]: `0xef0100${B.slice(2)}`,
      [B]: '0x00',
    })
    const [creation] = frame.calls ?? []
    expect(creation).toMatchObject({ type: 'CREATE', output: `0x${'00'.repeat(10)}` })
    expect(frame.contractSize).toEqual({
      [creation?.to ?? '']: { contractSize: 10, opcode: 0xf1 },
      [IDENTITY]: { contractSize: 0, opcode: 0x3b },
      [delegated]: { contractSize: 23, opcode: 0xf1 },
    })
    // A precompiled contract is a frame without opcodes.
    expect(frame.calls?.filter(({ to }) => to === IDENTITY)).toMatchObject([{ usedOpcodes: {}, contractSize: {} }])
  })

  test('a contract whose creation was undone has no code any more', async () => {
    // B creates, then reverts with the address; A looks at it.
    const creator = `0x${create('600a5ff3')}5f5260205ffd`
    const frame = await trace({ [A]: `0x5f5f5f5f5f${push20(B)}5af15060205f5f3e5f513b5000`, [B]: creator })
    const created = frame.calls?.[0]?.calls?.[0]?.to
    expect(created).toBeDefined()
    expect(frame.extCodeAccessInfo).toEqual([created])
    expect(frame.contractSize[created ?? A]).toEqual({ contractSize: 0, opcode: 0x3b })
  })

  test('a frame within says that it ran out of gas, and the outermost does not', async () => {
    const loop = '0x5b5f56'
    const frame = await trace({ [A]: `0x${call(B, '610200')}5f50${call(C, '610200')}00`, [B]: loop, [C]: '0xfe' })
    expect(frame.calls).toMatchObject([
      { error: 'out of gas', outOfGas: true, gasUsed: '0x200' },
      { error: 'invalid opcode: INVALID', outOfGas: false },
    ])
    expect(frame.outOfGas).toBe(false)
    expect(await trace({ [A]: loop })).toMatchObject({ error: 'out of gas', outOfGas: false, gasUsed: '0x100000' })
  })

  test('a creation that cannot pay for its code ran out of gas, and has no address', async () => {
    // 24,000 bytes of code cost 4,800,000 gas.
    const frame = await trace({ [A]: `0x${create('615dc05ff3')}00` })
    const [creation] = frame.calls ?? []
    expect(creation).toMatchObject({
      type: 'CREATE',
      error: 'contract creation code storage out of gas',
      outOfGas: true,
    })
    expect(creation).not.toHaveProperty('to')
    expect(creation).not.toHaveProperty('output')
  })

  test('a revert has its data and the reason in words', async () => {
    const reason = `08c379a0${toWord(32).slice(2)}${toWord(2).slice(2)}${'6e6f'.padEnd(64, '0')}`
    const size = reason.length / 2
    // The reason stands behind the code.
    const reverts = `0x60${size.toString(16)}600a5f3960${size.toString(16)}5ffd${reason}`
    const frame = await trace({ [A]: `0x${call(B)}00`, [B]: reverts })
    expect(frame.calls).toMatchObject([
      { error: 'execution reverted', revertReason: 'no', output: `0x${reason}`, outOfGas: false },
    ])
    expect(frame).not.toHaveProperty('error')
  })

  test('all that was hashed is told once, by the outermost frame, in ascending order', async () => {
    // 0x02 and the empty text in A; 0x0203, 0x02 again and two zeros beyond the memory in B.
    const inA = '60025f5360015f20505f5f2050'
    const inB = '61020360f01b5f5260025f205060015f2050600260802050'
    const frame = await trace({ [A]: `0x${inA}${call(B)}00`, [B]: `0x${inB}00` })
    expect(frame.keccak).toEqual(['0x', '0x0000', '0x02', '0x0203'])
    expect(frame.calls?.[0]).not.toHaveProperty('keccak')
    expect(frame.usedOpcodes['0x20']).toBe(2)
  })

  test('what could not be hashed for want of gas is not told', async () => {
    const frame = await trace({ [A]: `0x${call(B, '6127ff')}00`, [B]: '0x620fffff5f2000' })
    expect(frame.calls).toMatchObject([{ outOfGas: true, usedOpcodes: { '0x20': 1 } }])
    expect(frame).not.toHaveProperty('keccak')
  })

  test('the caller says which opcodes do not count, and whatever else is told is told', async () => {
    const code = { [A]: `0x60015450${push20(B)}3b505a5000` }
    const used = async (ignoredOpcodes: unknown) => (await trace(code, { ignoredOpcodes })).usedOpcodes
    const all = { '0x60': 1, '0x54': 1, '0x50': 3, '0x73': 1, '0x3b': 1, '0x5a': 1, '0x0': 1 }
    expect(await used([])).toEqual(all)
    expect(await used(null)).toEqual({ '0x54': 1, '0x3b': 1, '0x5a': 1, '0x0': 1 })
    // Where a code is longer than a byte, its last byte counts.
    expect(await used(['0x50', '0x160', '0x73', '0x0'])).toEqual({ '0x54': 1, '0x3b': 1, '0x5a': 1 })
    const frame = await trace(code, { ignoredOpcodes: ['0x54', '0x3b', '0x50', '0x5a'] })
    expect(frame.usedOpcodes).toEqual({ '0x60': 1, '0x73': 1, '0x5a': 1, '0x0': 1 })
    expect(frame.accessedSlots.reads).toEqual({ [toWord(1)]: [toWord(0)] })
    expect(frame.extCodeAccessInfo).toEqual([B])
  })

  test('logs are told on request, without those of frames that failed', async () => {
    const log = '60075f5fa1'
    const fails = `0x${call(C)}${log}5f5ffd`
    const codes = { [A]: `0x${log}${call(B)}${call(C)}${log}00`, [B]: fails, [C]: `0x${log}00` }
    const logOf = (address: string, index: string, position: string) => ({
      address,
      topics: [toWord(7)],
      data: '0x',
      index,
      position,
    })
    const frame = await trace(codes, { withLog: true })
    expect(frame.logs).toEqual([logOf(A, '0x0', '0x0'), logOf(A, '0x2', '0x2')])
    const [failed, done] = frame.calls ?? []
    expect(failed?.calls).toMatchObject([{ to: C }])
    expect([failed?.logs, failed?.calls?.[0]?.logs]).toEqual([undefined, undefined])
    expect(done?.logs).toEqual([logOf(C, '0x1', '0x0')])
    expect(await trace(codes)).not.toHaveProperty('logs')
  })

  test('a step without the words that it needs is counted, and its frame fails', async () => {
    for (const opcode of ['3b', '54', '20', 'f1', '5d']) {
      const frame = await trace({ [A]: `0x${call(B)}5000`, [B]: `0x${opcode}` })
      expect(frame.calls?.[0]).toMatchObject({
        error: `stack underflow (0 <=> ${({ '3b': 1, 54: 1, 20: 2, f1: 7, '5d': 2 } as Record<string, number>)[opcode]})`,
        usedOpcodes: { [toQuantity(Number.parseInt(opcode, 16))]: 1 },
        accessedSlots: NOTHING,
        contractSize: {},
      })
    }
  })

  test('a self-destruction is a frame within, and a call too deep or too dear one that failed', async () => {
    const frame = await trace({ [A]: `0x${call(B, '5a', '6001')}${push20(C)}ff`, [B]: '0x00' })
    expect(frame.calls).toMatchObject([
      { type: 'CALL', to: B, error: 'insufficient balance for transfer', outOfGas: false, usedOpcodes: {} },
      { type: 'SELFDESTRUCT', from: A, to: C, gas: '0x0', gasUsed: '0x0', input: '0x' },
    ])
    // Neither reads a code.
    expect(frame.contractSize).toEqual({ [B]: { contractSize: 1, opcode: 0xf1 } })
  })

  test('a transaction, its block and a mux tell the same', async () => {
    const tracer = 'erc7562Tracer'
    const codes = { [A]: `0x5a50${call(B)}60015f5360015f20500000`, [B]: '0x600154506001600255' } as Record<Hex, Hex>
    const node = await withCodes(codes, { engine })
    const hash = await send(node, 0, { to: A })
    const tracerConfig = { withLog: true, ignoredOpcodes: ['0x60'], stackTopItemsSize: 5 }
    const frame = await frameOf(node, hash, { tracer, tracerConfig })
    expect(frame).toMatchObject({ gas: '0x493e0', keccak: ['0x01'], calls: [{ to: B }], usedOpcodes: { '0x5f': 7 } })
    const receipt = await node.request('eth_getTransactionReceipt', [hash])
    expect(frame.gasUsed).toBe(receipt?.gasUsed)
    expect(await node.request('debug_traceBlockByNumber', ['pending', { tracer, tracerConfig }])).toEqual([
      { txHash: hash, result: frame },
    ])
    const mux = {
      tracer: 'muxTracer',
      tracerConfig: { [tracer]: tracerConfig, prestateTracer: {}, callTracer: {} },
    }
    expect(await node.request('debug_traceTransaction', [hash, mux])).toMatchObject({ [tracer]: frame })
  })
})

test.each([
  [
    { ignoredOpcodes: 1 },
    'json: cannot unmarshal number into Go struct field TraceConfig.ignoredOpcodes of type []hexutil.Uint64',
  ],
  [
    { ignoredOpcodes: [1] },
    'json: cannot unmarshal non-string into Go struct field TraceConfig.ignoredOpcodes of type hexutil.Uint64',
  ],
  [
    { ignoredOpcodes: ['0x01'] },
    'json: cannot unmarshal hex number with leading zero digits into Go struct field TraceConfig.ignoredOpcodes of type hexutil.Uint64',
  ],
  [
    { stackTopItemsSize: 'all' },
    'json: cannot unmarshal string into Go struct field TraceConfig.stackTopItemsSize of type int',
  ],
  [{ stackTopItemsSize: -1 }, 'stackTopItemsSize is a whole number, not -1'],
  [{ withLog: 1 }, 'json: cannot unmarshal number into Go struct field TraceConfig.withLog of type bool'],
])('a config of %j is refused', async (tracerConfig, message) => {
  const traced = traceOf(await createTestNode({ mode: 'manual' }), {}, tracerConfig)
  await expect(traced).rejects.toMatchObject({ error: { code: -32_602, message: `invalid argument 2: ${message}` } })
})

test.each([
  ['hashes a mebibyte, over and over, never the same one', '0x5f5b600101805f52620ffff05f2050600156'],
  ['calls with a mebibyte, over and over', `0x5b5f5f620ffff05f5f${push20(B)}5af1505f56`],
])('a trace of code that %s ends within what an answer may have', async (_, code) => {
  const node = await createTestNode({ mode: 'manual' })
  const traced = traceOf(node, { [A]: code }, {}, { gas: '0x3000000' })
  await expect(traced).rejects.toMatchObject({
    error: { code: -32_000, message: 'trace is too large: more than 134217728 characters' },
  })
})

const guard = { checkpoint: () => undefined }
const env: BlockEnv = {
  number: 500,
  timestamp: 1_700_000_000,
  coinbase: '0x4200000000000000000000000000000000000011',
  prevRandao: toWord(99),
  gasLimit: 400_000_000n,
  baseFee: 1_000_000_000n,
  blockHash: () => undefined,
}

/**
 * What the tracer makes of a random program.
 *
 * @param isWhole - Whether it is given all steps and their memory, whatever it asks for.
 */
async function traceProgram(engine: Engine, plan: ProgramScenario, isWhole: boolean) {
  const state = new WorldState(worldOf(plan))
  state.beginTransaction()
  const budget = new TraceBudget({ traceCharacters: 1 << 24 })
  const tracer = createErc7562Tracer({ withLog: true, ignoredOpcodes: IGNORED_OPCODES }, 0, budget)
  const message = {
    from: SENDER,
    to: plan.to,
    value: plan.value,
    input: plan.input,
    gas: plan.gas,
    gasPrice: 2_000_000_000n,
    warmAddresses: plan.warmAddresses,
    blobHashes: plan.blobHashes,
    warmSlots: plan.warmSlots.map(([address, slot]) => ({ address, slot: toWord(slot) })),
  }
  tracer.begin?.({ state, env, message } as unknown as TraceStart)
  const watching: Tracer = isWhole
    ? {
        step: (step) => tracer.step?.(step),
        enter: (frame) => tracer.enter?.(frame),
        exit: (exit) => tracer.exit?.(exit),
        log: (log) => tracer.log?.(log),
      }
    : tracer
  const { gasUsed } = await engine.run(state, env, message, guard, watching)
  tracer.end?.({ gasUsed } as unknown as Execution)
  return tracer.result()
}

test('the steps that it leaves out of random programs would change nothing', async () => {
  const engines = {
    Cancun: await createWasmEngine(31337, 'Cancun'),
    Prague: await createWasmEngine(31337, 'Prague'),
    Osaka: await createWasmEngine(31337, 'Osaka'),
  }
  await fc.assert(
    fc.asyncProperty(scenario, async (plan) => {
      const engine = engines[plan.hardfork]
      expect(await traceProgram(engine, plan, false)).toEqual(await traceProgram(engine, plan, true))
    }),
    { numRuns: runsOf(200) },
  )
})
