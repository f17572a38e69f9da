import { getContractAddress, getCreate2Address, keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Hex, toQuantity, toWord } from '#primitives/hex.ts'
import type { RpcExecutionSubject, RpcExecutionTrace } from '#rpc-types/execution-trace.ts'
import type { RpcStructLogTrace } from '#rpc-types/methods/debug.ts'
import { ENGINE_NAMES } from '#rpc-types/option-tables.derived.ts'
import { column, ownGas } from '#testing/node/rpc/executions.ts'
import { at, CODES, from, send, withCodes, word } from '#testing/node/rpc/traces.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'

const IDENTITY: Hex = `0x${'00'.repeat(19)}04`
const EMPTY: Hex = `0x${'ee'.repeat(20)}`

describe.each(ENGINE_NAMES)('with the %s engine', (engine) => {
  /** The trace, held against the struct logger's and the receipt. */
  async function checked(node: TestNode, hash: Hex): Promise<RpcExecutionTrace> {
    const trace = await node.request('devnet_traceExecution', [hash])
    const { structLogs } = (await node.request('debug_traceTransaction', [hash])) as RpcStructLogTrace
    expect(column(trace.pcs)).toEqual(structLogs.map(({ pc }) => pc))
    expect(column(trace.gas)).toEqual(structLogs.map(({ gas }) => gas))
    expect(trace.steps).toBe(structLogs.length)
    const depths = structLogs.map(({ depth }) => depth - 1)
    for (const { firstStep, endStep, depth } of trace.frames) {
      expect(Math.min(...depths.slice(firstStep, endStep))).toBeGreaterThanOrEqual(depth)
    }
    const receipt = await node.request('eth_getTransactionReceipt', [hash])
    expect(trace.gasUsed).toBe(receipt?.gasUsed)
    expect(totalOf(trace)).toBe(Number(receipt?.gasUsed))
    return trace
  }

  test('a transfer has one frame without steps or code', async () => {
    const node = await createTestNode({ mode: 'manual', engine })
    const to = devAccount(9).address.toLowerCase()
    const hash = await node.request('eth_sendRawTransaction', [await signTransfer(0, 0, { value: 5n })])
    await node.request('devnet_tick')
    const trace = await checked(node, hash)
    expect(trace).toEqual({
      steps: 0,
      pcs: '0x',
      gas: '0x',
      codes: {},
      gasLimit: '0x5208',
      intrinsicGas: '0x5208',
      refund: '0x0',
      floorGas: '0x0',
      gasUsed: '0x5208',
      frames: [
        {
          type: 'CALL',
          parent: null,
          depth: 0,
          from,
          to,
          codeAddress: to,
          code: null,
          value: '0x5',
          gas: '0x0',
          gasUsed: '0x0',
          input: '0x',
          output: '0x',
          error: null,
          firstStep: 0,
          endStep: 0,
        },
      ],
    })
    await node.request('evm_mine')
    expect(await checked(node, hash)).toEqual(trace)
  })

  test('frames of nested calls hold their steps, and each code is there once', async () => {
    const node = await withCodes({ [at('store')]: CODES.store, [at('call')]: CODES.call }, { engine })
    await send(node, 0, { to: at('store') })
    const hash = await send(node, 1, { to: at('call'), data: `0x${word(at('store'))}`, value: 3n })
    const { frames, codes, steps } = await checked(node, hash)
    expect(codes).toEqual({ [keccak256(CODES.store)]: CODES.store, [keccak256(CODES.call)]: CODES.call })
    expect(frames).toMatchObject([
      { type: 'CALL', parent: null, to: at('call'), code: keccak256(CODES.call), firstStep: 0, endStep: steps },
      { type: 'CALL', parent: 0, depth: 1, from: at('call'), to: at('store'), value: '0x1', firstStep: 9 },
    ])
    expect(steps - (frames[1]?.endStep as number)).toBe(5)
  })

  test('each kind of call names the account whose code runs', async () => {
    const node = await withCodes({ [at('calls')]: CODES.calls, [at('store')]: CODES.store }, { engine })
    const hash = await send(node, 0, { to: at('calls'), data: `0x${word(at('store'))}`, value: 6n, gas: 900_000n })
    const { frames } = await checked(node, hash)
    const inner = { from: at('calls'), to: at('store'), codeAddress: at('store'), code: keccak256(CODES.store) }
    expect(frames.slice(1)).toMatchObject([
      { ...inner, type: 'DELEGATECALL', value: '0x6', error: null },
      { ...inner, type: 'STATICCALL', value: null, error: 'write protection' },
      { ...inner, type: 'CALLCODE', value: '0x0' },
    ])
  })

  test('precompiles and accounts without code have frames without steps', async () => {
    const node = await withCodes({ [at('calls')]: CODES.calls }, { engine })
    for (const [nonce, to] of [IDENTITY, EMPTY].entries()) {
      const { frames } = await checked(node, await send(node, nonce, { to: at('calls'), data: `0x${word(to)}` }))
      expect(frames).toHaveLength(4)
      for (const frame of frames.slice(1)) {
        expect(frame).toMatchObject({ codeAddress: to, code: null, gasUsed: to === IDENTITY ? '0xf' : '0x0' })
        expect(frame.endStep).toBe(frame.firstStep)
      }
    }
  })

  test('an account that delegates runs the code of its delegate, also in the transaction that sets it', async () => {
    const node = await withCodes({ [at('store')]: CODES.store, [at('call')]: CODES.call }, { engine })
    const authority = devAccount(1)
    const to = authority.address.toLowerCase() as Hex
    const authorization = await authority.signAuthorization({ contractAddress: at('store'), chainId: 31337, nonce: 0 })
    const raw = await devAccount(0).signTransaction({
      type: 'eip7702',
      chainId: 31337,
      nonce: 0,
      gas: 300_000n,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      to,
      authorizationList: [authorization],
    })
    const hash = await node.request('eth_sendRawTransaction', [raw])
    await node.request('devnet_tick')
    const trace = await checked(node, hash)
    expect(trace.frames).toMatchObject([{ to, codeAddress: at('store'), code: keccak256(CODES.store) }])
    // An authority that existed gives gas back.
    expect(trace.refund).toBe(toQuantity(12_500))
    const nested = await checked(node, await send(node, 1, { to: at('call'), data: `0x${word(to)}`, value: 1n }))
    expect(nested.frames[1]).toMatchObject({ to, codeAddress: at('store'), code: keccak256(CODES.store) })
  })

  test('a creation shows its initcode, and what it made is called with its code', async () => {
    // CREATE and CREATE2 of initcode that deploys one zero byte, each with a call of what it made.
    const init = '60015ff3'
    const call = '5f5f5f5f5f855af150'
    const maker: Hex = `0x63${init}5f526004601c5ff0${call}60076004601c5ff5${call}`
    const node = await withCodes({ [at('maker')]: maker }, { engine })
    await node.request('anvil_setNonce', [at('maker'), '0x1'])
    const trace = await checked(node, await send(node, 0, { to: at('maker') }))
    const first = getContractAddress({ from: at('maker'), nonce: 1n }).toLowerCase()
    const second = getCreate2Address({ from: at('maker'), salt: toWord(7), bytecode: `0x${init}` }).toLowerCase()
    const initcode = { code: keccak256(`0x${init}`), input: `0x${init}`, output: '0x00' }
    const made = { code: keccak256('0x00'), error: null }
    expect(trace.frames.slice(1)).toMatchObject([
      { ...initcode, type: 'CREATE', to: first, codeAddress: first },
      { ...made, type: 'CALL', to: first },
      { ...initcode, type: 'CREATE2', to: second, codeAddress: second },
      { ...made, type: 'CALL', to: second },
    ])
    expect(trace.codes[keccak256('0x00')]).toBe('0x00')
  })

  test('a contract whose creation was reverted has no code any more', async () => {
    // Creates a contract that deploys one zero byte, calls it and reverts.
    const inner: Hex = `0x6360015ff35f5260076004601c5ff55f5f5f5f5f855af15f5ffd`
    const made = getCreate2Address({ from: at('inner'), salt: toWord(7), bytecode: '0x60015ff3' }).toLowerCase() as Hex
    const call = (to: Hex) => `5f5f5f5f5f73${to.slice(2)}5af150`
    const outer: Hex = `0x${call(at('inner'))}${call(made)}`
    const node = await withCodes({ [at('inner')]: inner, [at('outer')]: outer }, { engine })
    const { frames } = await checked(node, await send(node, 0, { to: at('outer') }))
    expect(frames.map(({ to, code, error }) => ({ to, code, error }))).toEqual([
      { to: at('outer'), code: keccak256(outer), error: null },
      { to: at('inner'), code: keccak256(inner), error: 'execution reverted' },
      { to: made, code: keccak256('0x60015ff3'), error: null },
      { to: made, code: keccak256('0x00'), error: null },
      { to: made, code: null, error: null },
    ])
  })

  test('a transaction that creates has the initcode as its code', async () => {
    const node = await createTestNode({ mode: 'manual', engine })
    const data: Hex = '0x602a5f5260205ff3'
    const to = getContractAddress({ from, nonce: 0n }).toLowerCase()
    const trace = await checked(node, await send(node, 0, { data }))
    expect(trace.frames).toMatchObject([
      { type: 'CREATE', to, codeAddress: to, code: keccak256(data), input: data, output: toWord(42) },
    ])
    const failed = await checked(node, await send(node, 1, { data: '0xfe' }))
    expect(failed.frames).toMatchObject([{ type: 'CREATE', error: 'invalid opcode: INVALID', output: '0x' }])
  })

  test('failing frames end where they failed: reverts, exhausted gas, calls that never start', async () => {
    const codes = { [at('loop')]: CODES.loop, [at('call')]: CODES.call, [at('fail')]: '0x602a5f5260205ffd' } as const
    const node = await withCodes(codes, { engine })
    const reverted = await checked(node, await send(node, 0, { to: at('fail') }))
    expect(reverted.frames).toMatchObject([{ error: 'execution reverted', output: toWord(42), endStep: 6 }])
    const endless = await checked(node, await send(node, 1, { to: at('loop'), gas: 60_000n }))
    expect(endless.frames).toMatchObject([
      { error: 'out of gas', gas: toQuantity(39_000), gasUsed: toQuantity(39_000) },
    ])
    const nested = await checked(
      node,
      await send(node, 2, { to: at('call'), data: `0x${word(at('loop'))}`, value: 1n }),
    )
    expect(nested.frames).toMatchObject([{ error: null }, { error: 'out of gas', to: at('loop') }])
    const poor = await checked(node, await send(node, 3, { to: at('call'), data: `0x${word(from)}` }))
    // The balance of before is still there: it pays for one more.
    expect(poor.frames).toHaveLength(2)
    const broke = await checked(node, await send(node, 4, { to: at('call'), data: `0x${word(from)}` }))
    expect(broke.frames[1]).toMatchObject({ error: 'insufficient balance for transfer', code: null, gasUsed: '0x0' })
  })

  test('a self-destruction is a frame without steps', async () => {
    const node = await withCodes({ [at('destroy')]: CODES.destroy }, { engine })
    const { frames } = await checked(
      node,
      await send(node, 0, { to: at('destroy'), data: `0x${word(from)}`, value: 8n }),
    )
    expect(frames[1]).toMatchObject({ type: 'SELFDESTRUCT', from: at('destroy'), to: from, value: '0x8', code: null })
    expect([frames[1]?.firstStep, frames[1]?.endStep]).toEqual([3, 3])
  })

  test('gas adds up where the input costs more than the execution, and where gas is given back', async () => {
    const node = await withCodes({ [at('clear')]: '0x5f5f55' }, { engine })
    await node.request('anvil_setStorageAt', [at('clear'), '0x0', toWord(1)])
    const cleared = await checked(node, await send(node, 0, { to: at('clear') }))
    expect(Number(cleared.refund)).toBeGreaterThan(0)
    const data: Hex = `0x${'11'.repeat(2_000)}`
    const long = await checked(node, await send(node, 1, { to: EMPTY, data }))
    expect(Number(long.floorGas)).toBe(2_000 * 24)
  })

  test('a call that would be refused is executed with its overrides', async () => {
    const node = await createTestNode({ mode: 'manual', engine })
    const code: Hex = '0x602a5f5260205ffd'
    const call = { from, to: at('fail'), data: '0x1234' }
    const subject = { call, block: 'pending', stateOverrides: { [at('fail')]: { code } } } as const
    await expect(node.request('eth_call', [call, 'pending', subject.stateOverrides])).rejects.toThrow('reverted')
    const trace = await node.request('devnet_traceExecution', [subject])
    expect(trace.frames).toMatchObject([{ input: '0x1234', error: 'execution reverted', output: toWord(42) }])
    expect(trace.codes).toEqual({ [keccak256(code)]: code })
    expect(totalOf(trace)).toBe(Number(trace.gasUsed))
    // NUMBER; PUSH0; MSTORE; RETURN
    const numbered = { call: { to: at('n') }, stateOverrides: { [at('n')]: { code: '0x435f5260205ff3' } } } as const
    const { frames } = await node.request('devnet_traceExecution', [
      { ...numbered, blockOverrides: { number: '0x1234' } } satisfies RpcExecutionSubject,
    ])
    expect(frames[0]?.output).toBe(toWord(0x1234))
  })
})

/** Gas of everything that the trace tells of. */
function totalOf(trace: RpcExecutionTrace): number {
  // Frames without steps: precompiles and calls that fail at once.
  const [top] = trace.frames
  const whole = trace.frames.reduce((sum, { gasUsed, firstStep, endStep }) => {
    return firstStep === endStep ? sum + Number(gasUsed) : sum
  }, 0)
  const steps = ownGas(trace)
  expect(Math.min(0, ...steps)).toBe(0)
  const frames = steps.reduce((sum, gas) => sum + gas, whole)
  expect(frames).toBe(Number(top?.gasUsed))
  return frames + Number(trace.intrinsicGas) - Number(trace.refund) + Number(trace.floorGas)
}
