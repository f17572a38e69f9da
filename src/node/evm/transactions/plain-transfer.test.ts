import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EMPTY_BYTES } from '#primitives/bytes.ts'
import { type Address, toWord } from '#primitives/hex.ts'
import { EMPTY_CODE_HASH, emptyState } from '../../state/state-snapshot.ts'
import { WorldState } from '../../state/world-state.ts'
import type { BlockEnv } from '../block-env.ts'
import { createEngine } from '../engines/create-engine.ts'
import { transferPlainly } from './plain-transfer.ts'

const SENDER: Address = `0x${'aa'.repeat(20)}`
const FUNDED: Address = `0x${'bb'.repeat(20)}`
const ABSENT: Address = `0x${'cc'.repeat(20)}`
/** An account that exists although it is empty, as in very old states. */
const EMPTY: Address = `0x${'dd'.repeat(20)}`
const CONTRACT: Address = `0x${'ee'.repeat(20)}`
const PRECOMPILE: Address = `0x${'00'.repeat(19)}04`
const BALANCE = 1_000n

const engine = await createEngine(31337)
const env: BlockEnv = {
  number: 1,
  timestamp: 1_700_000_000,
  coinbase: FUNDED,
  prevRandao: toWord(0),
  gasLimit: 30_000_000n,
  baseFee: 0n,
  blockHash: () => undefined,
}

function startState(): WorldState {
  const state = new WorldState(emptyState())
  const codeHash = EMPTY_CODE_HASH
  state.setAccount(SENDER, { nonce: 1n, balance: BALANCE, codeHash })
  state.setAccount(FUNDED, { nonce: 0n, balance: 5n, codeHash })
  state.setAccount(EMPTY, { nonce: 0n, balance: 0n, codeHash })
  state.setCode(CONTRACT, Uint8Array.of(0x00))
  return new WorldState(state.snapshot())
}

test('the fast path for a plain transfer has the same state and result as the engine', async () => {
  const recipients = fc.constantFrom(SENDER, FUNDED, ABSENT, EMPTY)
  await fc.assert(
    fc.asyncProperty(recipients, fc.bigInt(0n, BALANCE), async (to, value) => {
      const plain = startState()
      const result = transferPlainly(engine, plain, env, { from: SENDER, to, value })
      const run = startState()
      const message = { from: SENDER, to, value, input: EMPTY_BYTES, gas: 100n, gasPrice: 0n }
      expect(result).toEqual(
        await engine.run(
          run,
          env,
          { ...message, warmAddresses: [], warmSlots: [] },
          {
            checkpoint: () => undefined,
          },
        ),
      )
      expect(plain.snapshot().stateRoot()).toBe(run.snapshot().stateRoot())
    }),
  )
})

test('a balance wraps from 2^256 − 1 to 0 on both paths, as in geth', async () => {
  const rich = () => {
    const state = startState()
    state.setAccount(FUNDED, { nonce: 0n, balance: 2n ** 256n - 3n, codeHash: EMPTY_CODE_HASH })
    return state
  }
  const [plain, run] = [rich(), rich()]
  const message = { from: SENDER, to: FUNDED, value: 10n }
  expect(transferPlainly(engine, plain, env, message)).toBeDefined()
  const rest = { input: EMPTY_BYTES, gas: 100n, gasPrice: 0n, warmAddresses: [], warmSlots: [] }
  await engine.run(run, env, { ...message, ...rest }, { checkpoint: () => undefined })
  expect(plain.account(FUNDED)?.balance).toBe(7n)
  expect(plain.snapshot().stateRoot()).toBe(run.snapshot().stateRoot())
})

test.each([
  ['to a contract', { to: CONTRACT, value: 1n }],
  ['to a precompile', { to: PRECOMPILE, value: 1n }],
  ['that creates a contract', { to: null, value: 1n }],
  ['of more than the balance', { to: FUNDED, value: BALANCE + 1n }],
])('a message %s is left to the engine, and the state is unchanged', (_what, message) => {
  const state = startState()
  const before = state.snapshot().stateRoot()
  expect(transferPlainly(engine, state, env, { from: SENDER, ...message })).toBeUndefined()
  expect(state.snapshot().stateRoot()).toBe(before)
})

test('with moved precompiles the fast path leaves the transfer to the engine', () => {
  const moved = { ...env, precompiles: new Map([[FUNDED, PRECOMPILE]]) }
  expect(transferPlainly(engine, startState(), moved, { from: SENDER, to: FUNDED, value: 1n })).toBeUndefined()
})
