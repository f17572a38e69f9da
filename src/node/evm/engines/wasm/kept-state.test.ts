import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bigIntToBytes } from '#primitives/bytes.ts'
import { type Address, bytesToHex, toWord } from '#primitives/hex.ts'
import { CONTRACTS, EMPTY, program, RICH, SENDER, target, worldOf } from '#testing/node/evm/programs.ts'
import { runsOf } from '#testing/primitives/runs.ts'
import { EMPTY_CODE_HASH } from '../../../state/state-snapshot.ts'
import { WorldState } from '../../../state/world-state.ts'
import type { BlockEnv } from '../../block-env.ts'
import { placesOf } from '../../calls/state-override.ts'
import { createdAddress } from '../../contract-address.ts'
import type { Engine } from '../../engine.ts'
import { createWasmEngine } from './engine.ts'

/** Number of random histories. */
const RUNS = runsOf(300)

const keeping = await createWasmEngine(31337)
/** Is told each time that the precompiles may have moved, so it keeps nothing. */
const forgetting = await createWasmEngine(31337)
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

const account = fc.constantFrom<Address>(...CONTRACTS, SENDER, RICH, EMPTY)
const anyMessage = fc.record({
  kind: fc.constant('message'),
  to: fc.option(target, { nil: null, freq: 8 }),
  input: fc.oneof(fc.uint8Array({ maxLength: 100 }), program),
  value: fc.constantFrom(0n, 0n, 1n, 10n ** 18n),
  gas: fc.constantFrom(60_000n, 300_000n, 1_000_000n),
  isTrial: fc.boolean(),
  /** Whether it is reverted afterwards. */
  isUndone: fc.boolean(),
  isInNewBlock: fc.boolean(),
  /** Whether it runs on the state of the beginning, which keeps nothing of it, as a call at an earlier block does. */
  isEarlier: fc.boolean(),
})
/** State changes between messages. */
const edit = fc.oneof(
  fc.record({ kind: fc.constant('slot'), at: account, slot: fc.nat(3), value: fc.bigInt({ min: 0n, max: 2n }) }),
  fc.record({ kind: fc.constant('balance'), at: account, wei: fc.bigInt({ min: 0n, max: 10n ** 20n }) }),
  fc.record({ kind: fc.constant('code'), at: account, code: program }),
  fc.record({ kind: fc.constantFrom('cleared', 'removed'), at: account }),
)
const event = fc.oneof({ weight: 4, arbitrary: anyMessage }, { weight: 1, arbitrary: edit })
type Kinds<T> = T extends fc.Arbitrary<infer Value> ? Value : never
type MessagePlan = Kinds<typeof anyMessage>
type Edit = Kinds<typeof edit>

const course = fc.record({
  codes: fc.array(program, { minLength: CONTRACTS.length, maxLength: CONTRACTS.length }),
  slots: fc.array(fc.tuple(fc.nat(CONTRACTS.length - 1), fc.nat(3), fc.bigInt({ min: 1n, max: 2n })), { maxLength: 6 }),
  events: fc.array(event, { minLength: 2, maxLength: 12 }),
})

function change(state: WorldState, what: Edit): void {
  const before = state.account(what.at)
  if ('slot' in what) state.setStorage(what.at, toWord(what.slot), bigIntToBytes(what.value))
  else if ('code' in what) state.setCode(what.at, what.code)
  else if ('wei' in what) state.setAccount(what.at, before && { ...before, balance: what.wei })
  else if (what.kind === 'cleared') state.clearStorage(what.at)
  else state.setAccount(what.at, undefined)
}

async function send(engine: Engine, state: WorldState, plan: MessagePlan) {
  const { to, input, value, gas, isTrial, isUndone, isInNewBlock } = plan
  state.beginTransaction()
  const { nonce, balance, codeHash } = state.account(SENDER) ?? { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH }
  state.setAccount(SENDER, { nonce: nonce + 1n, balance, codeHash })
  const message = { from: SENDER, to, input, value, gas, isTrial, gasPrice: 1n, warmAddresses: [], warmSlots: [] }
  if (isUndone) state.checkpoint()
  const precompiles = engine === forgetting ? placesOf({}, engine.precompiles) : undefined
  const blockEnv = precompiles ? { ...env, precompiles } : isInNewBlock ? { ...env } : env
  const { output, logs, ...rest } = await engine.run(state, blockEnv, message, guard)
  if (isUndone) state.revert()
  return { ...rest, output: bytesToHex(output), logs: logs.map(({ data, ...log }) => ({ ...log, data: [...data] })) }
}

test(`what the engine caches of a state matches the state, in ${RUNS} random histories`, async () => {
  await fc.assert(
    fc.asyncProperty(course, async ({ events, ...world }) => {
      const earliest = worldOf(world)
      const kept = new WorldState(earliest)
      let fresh = new WorldState(worldOf(world))
      for (const what of events) {
        if (what.kind === 'message' && what.isEarlier) {
          expect(await send(keeping, new WorldState(earliest), what)).toEqual(
            await send(forgetting, new WorldState(earliest), what),
          )
        } else if (what.kind === 'message') {
          fresh = new WorldState(fresh.snapshot())
          expect(await send(keeping, kept, what)).toEqual(await send(forgetting, fresh, what))
        } else {
          for (const state of [kept, fresh]) change(state, what)
        }
        expect(kept.snapshot().stateRoot()).toBe(fresh.snapshot().stateRoot())
      }
    }),
    { numRuns: RUNS },
  )
}, 3_600_000)

test('no contract is created at an account whose slots were set after the engine had loaded it', async () => {
  const creation: MessagePlan = {
    kind: 'message',
    to: null,
    input: new Uint8Array(0),
    value: 0n,
    gas: 300_000n,
    isTrial: false,
    isUndone: false,
    isInNewBlock: false,
    isEarlier: false,
  }
  const state = new WorldState(worldOf({ codes: [], slots: [] }))
  const { nonce } = state.account(SENDER) ?? { nonce: 0n }
  const made = createdAddress(SENDER, nonce + 1n)
  state.setAccount(made, { nonce: 0n, balance: 1n, codeHash: EMPTY_CODE_HASH })
  await send(keeping, state, { ...creation, to: made })
  state.setStorage(made, toWord(0), Uint8Array.of(1))

  const { failure } = await send(keeping, state, creation)

  expect(failure?.message).toBe('contract address collision')
})
