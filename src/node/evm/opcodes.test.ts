import { describe, expect, test } from 'vitest'
import { type Address, toWord } from '#primitives/hex.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { EMPTY_CODE_HASH, emptyState } from '../state/state-snapshot.ts'
import { WorldState } from '../state/world-state.ts'
import { createPacer } from '../turns/pacer.ts'
import type { BlockEnv } from './block-env.ts'
import type { Engine } from './engine.ts'
import { createEthereumjsEngine } from './engines/reference/engine.ts'
import { createWasmEngine } from './engines/wasm/engine.ts'
import type { MessageResult } from './message.ts'
import { growsStack, stackInputs } from './opcodes.ts'
import type { Tracer } from './tracer.ts'

const SENDER: Address = `0x${'11'.repeat(20)}`
const CONTRACT: Address = `0x${'c0'.repeat(20)}`
const reference = await createEthereumjsEngine(31337)
const engines: readonly (readonly [string, Engine])[] = [
  ['reference', reference],
  ['wasm', await createWasmEngine(31337)],
]
const env: BlockEnv = {
  number: 5,
  timestamp: 1_700_000_000,
  coinbase: `0x${'42'.repeat(20)}`,
  prevRandao: toWord(99),
  gasLimit: 400_000_000n,
  baseFee: 0n,
  blockHash: () => undefined,
}

async function run(engine: Engine, code: readonly number[], tracer?: Tracer): Promise<MessageResult> {
  const state = new WorldState(emptyState())
  state.setAccount(SENDER, { nonce: 1n, balance: 0n, codeHash: EMPTY_CODE_HASH })
  state.setCode(CONTRACT, Uint8Array.from(code))
  const message = { from: SENDER, to: CONTRACT, value: 0n, input: new Uint8Array(0), gas: 1_000_000n, gasPrice: 0n }
  const guard = createPacer(new FakeClock())
  return engine.run(state, env, { ...message, warmAddresses: [], warmSlots: [] }, guard, tracer)
}

const PUSH0 = 0x5f
const opcodes = Array.from({ length: 256 }, (_, opcode) => opcode)

describe.each(engines)('the %s engine', (_, engine) => {
  test('every opcode takes as many words from the stack as the table says', async () => {
    for (const opcode of opcodes) {
      const needed = stackInputs(opcode)
      if (needed === 0) continue
      const words = Array.from({ length: needed }, () => PUSH0)
      const short = await run(engine, [...words.slice(1), opcode])
      expect([opcode, short.failure?.message]).toEqual([opcode, `stack underflow (${needed - 1} <=> ${needed})`])
      const enough = await run(engine, [...words, opcode])
      expect(enough.failure?.message ?? '').not.toMatch(/^stack underflow/)
    }
  })

  test('an opcode without stack inputs runs on an empty stack, or is not defined', async () => {
    for (const opcode of opcodes) {
      if (stackInputs(opcode) > 0) continue
      const { failure } = await run(engine, [opcode])
      expect(failure?.message ?? 'invalid opcode: none').toMatch(/^invalid opcode: /)
    }
  })

  test('an opcode grows the stack by one word exactly if it overflows a full one', async () => {
    const full = Array.from({ length: 1024 }, () => PUSH0)
    for (const opcode of opcodes) {
      const { failure } = await run(engine, [...full, opcode])
      expect([opcode, failure?.message === 'stack limit reached 1024 (1023)']).toEqual([opcode, growsStack(opcode)])
    }
  })

  test('a tracer sees only the steps of its own message, even after an aborted execution', async () => {
    const seen: string[] = []
    await run(engine, [PUSH0, 0x50], { step: ({ op }) => seen.push(op) })
    // The STOP after the end of the code is a step, too.
    expect(seen).toEqual(['PUSH0', 'POP', 'STOP'])
    const abort = run(engine, [PUSH0, 0x50], {
      step() {
        throw new Error('seen enough')
      },
    })
    await expect(abort).rejects.toThrow('seen enough')
    await run(engine, [PUSH0, 0x50])
    expect(seen).toHaveLength(3)
  })

  test('a tracer sees all steps that it needs, even if it skips others', async () => {
    const seen: string[] = []
    await run(engine, [PUSH0, 0x54, 0x50, PUSH0, 0x31], {
      needsStep: (opcode) => opcode === 0x54 || opcode === 0x31,
      step: ({ op, stack }) => seen.push(`${op} ${stack.length}`),
    })
    expect(seen.filter((step) => /SLOAD|BALANCE/.test(step))).toEqual(['SLOAD 1', 'BALANCE 1'])
  })
})
