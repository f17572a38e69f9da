import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadCompiler } from '#engine/engine-instance.ts'
import { type Address, bytesToHex, type Hex, hexToBytes, toWord } from '#primitives/hex.ts'
import { CONTRACTS, DELEGATIONS, type ProgramScenario, SENDER, scenario, worldOf } from '#testing/node/evm/programs.ts'
import { runsOf } from '#testing/primitives/runs.ts'
import { type HardforkName, NEWEST_HARDFORK } from '../../spec/rules.ts'
import type { StateSnapshot } from '../../state/state-snapshot.ts'
import { WorldState } from '../../state/world-state.ts'
import type { BlockEnv } from '../block-env.ts'
import type { Engine } from '../engine.ts'
import type { EngineLog, Message } from '../message.ts'
import { callsAccount, looksAtAccount, usesSlot, usesState } from '../opcodes.ts'
import { stackAddress, stackWord } from '../trace-step.ts'
import type { FrameExit, FrameStart, StepWindow, Tracer, TraceStep } from '../tracer.ts'
import { createEthereumjsEngine } from './reference/engine.ts'
import { createWasmEngine } from './wasm/engine.ts'

/** Number of programs. */
const RUNS = runsOf(300)

const reference: Readonly<Record<HardforkName, Engine>> = {
  Cancun: await createEthereumjsEngine(31337, 'Cancun'),
  Prague: await createEthereumjsEngine(31337, 'Prague'),
  Osaka: await createEthereumjsEngine(31337, 'Osaka'),
}
const wasm: typeof reference = {
  Cancun: await createWasmEngine(31337, 'Cancun'),
  Prague: await createWasmEngine(31337, 'Prague'),
  Osaka: await createWasmEngine(31337, 'Osaka'),
}
await loadCompiler()
/** An engine that compiles each block before it runs. */
const compilation = { hotAfter: 1, isLimited: false }
const compiling: typeof reference = {
  Cancun: await createWasmEngine(31337, 'Cancun', undefined, compilation),
  Prague: await createWasmEngine(31337, 'Prague', undefined, compilation),
  Osaka: await createWasmEngine(31337, 'Osaka', undefined, compilation),
}
const guard = { checkpoint: () => undefined }
const env: BlockEnv = {
  number: 500,
  timestamp: 1_700_000_000,
  coinbase: '0x4200000000000000000000000000000000000011',
  prevRandao: toWord(99),
  gasLimit: 400_000_000n,
  baseFee: 1_000_000_000n,
  blockHash: (number) => (number >= 244 && number < 500 ? toWord(number + 1_000) : undefined),
}

async function outcomeOf(engines: typeof reference, base: StateSnapshot, plan: ProgramScenario, tracer?: Tracer) {
  const state = new WorldState(base)
  state.beginTransaction()
  const message: Message = {
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
  const { output, logs, ...rest } = await engines[plan.hardfork].run(state, env, message, guard, tracer)
  return {
    ...rest,
    output: bytesToHex(output),
    logs: logs.map(({ address, topics, data }) => ({ address, topics, data: bytesToHex(data) })),
    stateRoot: state.snapshot().stateRoot(),
  }
}

type Outcome = Awaited<ReturnType<typeof outcomeOf>>

/** If a step fails for several reasons including gas, the reference engine, unlike geth, reports gas. */
function inTheSameWords(ours: Outcome, theirs: Outcome): Outcome {
  const { failure } = theirs
  const isVague = failure?.message === 'out of gas' && ours.failure?.kind === failure.kind
  return isVague ? { ...theirs, failure: ours.failure } : theirs
}

/**
 * Whether the reference engine differs from geth because of code that starts with 0xef (EIP-3541). It refuses a
 * creation that reverts with such data, and keeps all of its gas, although the rule is about deployed code. And in
 * every hardfork it takes code that starts with 0xef00 for the EVM object format: it refuses a creation by it without
 * taking gas, and shows other code.
 */
async function isReferenceWrong(base: StateSnapshot, plan: ProgramScenario): Promise<boolean> {
  if (plan.codes.some(isObjectFormat)) return true
  const last: number[] = []
  let found = false
  await outcomeOf(reference, base, plan, {
    step({ depth, opcode, stack, memory }) {
      last[depth] = opcode
      const isCreation = opcode === 0xf0 || opcode === 0xf5
      const [length, offset] = isCreation ? stack.slice(-3, -1) : []
      if (offset === undefined || length === undefined || length < 2n) return
      if (isObjectFormat(memory.subarray(Number(offset)))) found = true
    },
    exit({ depth, failure }) {
      if (failure?.message === 'invalid code: must not begin with 0xef' && last[depth] === 0xfd) found = true
    },
  })
  return found
}

function isObjectFormat(code: Uint8Array): boolean {
  return code[0] === 0xef && code[1] === 0
}

/** Outcomes of the two engines, made comparable. */
async function bothOutcomes(
  base: StateSnapshot,
  plan: ProgramScenario,
): Promise<readonly [ours: Outcome, theirs: Outcome]> {
  const ours = await outcomeOf(wasm, base, plan)
  return [ours, inTheSameWords(ours, await outcomeOf(reference, base, plan))]
}

type ExitEvent = Omit<FrameExit, 'output'> & { readonly output: Hex }
type TraceEvent =
  | (ReturnType<typeof pick> & { readonly memory: Hex; readonly returnData: Hex })
  | (Omit<FrameStart, 'input'> & { readonly input: Hex })
  | ExitEvent
  | (Omit<EngineLog, 'data'> & { readonly data: Hex })

/** Without the reference engine's additional fields. */
function pick(step: Omit<TraceStep, 'memory' | 'returnData'>) {
  const { pc, opcode, op, gas, gasCost, depth, stack, refund, loaded, address, fails } = step
  return { pc, opcode, op, gas, gasCost, depth, stack: [...stack], refund, loaded, address, fails }
}

/** All tracer events, made comparable. */
async function traceOf(engines: typeof reference, base: StateSnapshot, plan: ProgramScenario, window?: StepWindow) {
  const events: TraceEvent[] = []
  const outcome = await outcomeOf(engines, base, plan, {
    ...(window && { window }),
    step: ({ memory, returnData, ...step }) =>
      events.push({ ...pick(step), memory: bytesToHex(memory), returnData: bytesToHex(returnData) }),
    enter: (frame) => events.push({ ...frame, input: bytesToHex(frame.input) }),
    exit: (frame) => events.push({ ...frame, output: bytesToHex(frame.output) }),
    log: (log) => events.push({ ...log, data: bytesToHex(log.data) }),
  })
  return { events, outcome }
}

const isStep = (event: TraceEvent) => 'opcode' in event

/** Steps as a tracer's `record` takes them, and where frames began, ended or logged. */
async function recordOf(engines: typeof reference, base: StateSnapshot, plan: ProgramScenario) {
  const found: unknown[] = []
  const note = () => void found.push('event')
  const outcome = await outcomeOf(engines, base, plan, {
    record(pcs, gas) {
      const [pcView, gasView] = [pcs, gas].map((bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length))
      if (pcs.length !== gas.length) throw new Error(`${pcs.length} bytes of places, ${gas.length} of gas`)
      for (let at = 0; at < pcs.length; at += 4) found.push([pcView?.getUint32(at), gasView?.getUint32(at)])
    },
    enter: note,
    exit: note,
    log: note,
  })
  return { found, outcome }
}

/** Recordable form of events that were reported one by one. */
function recordable(events: readonly TraceEvent[]): readonly unknown[] {
  return events.map((event) => ('opcode' in event ? [event.pc, Number(event.gas)] : 'event'))
}

/** The reference engine throws if it is traced and a REVERT addresses distant memory. */
async function canBeTraced(base: StateSnapshot, plan: ProgramScenario): Promise<boolean> {
  try {
    return !(await isReferenceWrong(base, plan))
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Failures for which the reference engine may report a different reason than geth and the other engine. */
const VAGUE = ['out of gas', 'write protection', 'contract creation code storage out of gas']

/**
 * Events without known differences: the cost of a failing step, the step itself if it is a REVERT without its words on
 * the stack, and the reason of a failed frame if the reference is {@link VAGUE}.
 */
function comparable(events: readonly TraceEvent[], ours: readonly TraceEvent[] = []): readonly unknown[] {
  const exits = ours.filter(isHalt)
  return events
    .filter((event) => !('fails' in event && event.fails && event.op === 'REVERT' && event.stack.length < 2))
    .map((event) => {
      if ('fails' in event && event.fails) return { ...event, gasCost: undefined }
      if (!isHalt(event)) return event
      const other = exits.shift()
      return other && VAGUE.includes(event.failure?.message ?? '') ? { ...event, failure: other.failure } : event
    })
}

/** The account or the slot that a step uses. */
function usedBy(step: TraceStep): string | undefined {
  const { opcode, stack, address } = step
  if (usesSlot(opcode) && stack.length >= 1) return `${address} ${stackWord(step, 0)}`
  if (looksAtAccount(opcode) && stack.length >= 1) return stackAddress(step, 0)
  return callsAccount(opcode) && stack.length >= 5 ? stackAddress(step, 1) : undefined
}

function isHalt(event: TraceEvent): event is ExitEvent {
  return 'failure' in event && event.failure?.kind === 'halted'
}

/** Programs for which such a run once found a difference. */
const FOUND: readonly (readonly [what: string, plan: Partial<ProgramScenario>])[] = [
  ['no bytes are returned from beyond the memory', { to: null, input: hexToBytes('0x5f62520001f3') }],
  ['a creation may return more memory than it can pay for', { input: hexToBytes('0x62ffffff60f3f3') }],
  ['code must not begin with 0xef', { input: hexToBytes('0x60ef5f5360015ff3') }],
  [
    'the delegate of the target is warm',
    {
      to: DELEGATIONS[1]?.[0] as Address,
      codes: [CONTRACTS[0], CONTRACTS[1]].map((at) => hexToBytes(`0x73${at?.slice(2)}31`)),
    },
  ],
]

/** A contract creation without code and with enough gas, except for the given parts. */
function planOf(plan: Partial<ProgramScenario>): ProgramScenario {
  const none = new Uint8Array(0)
  return {
    hardfork: NEWEST_HARDFORK,
    blobHashes: [],
    codes: CONTRACTS.map(() => none),
    slots: [],
    to: null,
    input: none,
    value: 0n,
    gas: 300_000n,
    warmSlots: [],
    warmAddresses: [],
    ...plan,
  }
}

test.each(FOUND)('on both engines, %s', async (_, found) => {
  const plan = planOf(found)
  const [ours, theirs] = await bothOutcomes(worldOf(plan), plan)
  expect(ours).toEqual(theirs)
})

test('initcode may revert with data that starts with 0xef, for which the reference engine takes all gas', async () => {
  // MSTORE8(0, 0xef); REVERT(0, 1)
  const plan = planOf({ input: hexToBytes('0x60ef5f5360015ffd') })
  const base = worldOf(plan)
  expect(await outcomeOf(wasm, base, plan)).toEqual({
    gasUsed: 3n + 2n + 6n + 3n + 2n,
    refund: 0n,
    logs: [],
    output: '0xef',
    failure: { kind: 'reverted', message: 'execution reverted' },
    contractAddress: null,
    stateRoot: base.stateRoot(),
  })
  expect((await outcomeOf(reference, base, plan)).gasUsed).toBe(plan.gas)
  expect(await isReferenceWrong(base, plan)).toBe(true)
})

test('a creation by 0xef00 is executed and loses its gas, which the reference engine returns', async () => {
  // MSTORE(0, 0xef00); CREATE(0, 30, 2); REVERT(0, 0)
  const plan = planOf({ input: hexToBytes('0x61ef005f526002601e5ff05f5ffd') })
  const base = worldOf(plan)
  const spentBefore = 3n + 2n + 6n + 3n + 3n + 2n + 32_000n + 2n
  const { gasUsed } = await outcomeOf(wasm, base, plan)
  expect(gasUsed).toBe(plan.gas - (plan.gas - spentBefore) / 64n + 4n)
  expect((await outcomeOf(reference, base, plan)).gasUsed).toBe(spentBefore + 4n)
  expect(await isReferenceWrong(base, plan)).toBe(true)
})

test(`${RUNS} random programs have the same results, logs and state compiled as interpreted`, async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (plan) => {
      const base = worldOf(plan)
      expect(await outcomeOf(compiling, base, plan)).toEqual(await outcomeOf(wasm, base, plan))
    }),
    { numRuns: RUNS },
  )
}, 3_600_000)

test(`${RUNS} random programs have the same results, logs and state on both engines`, async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (plan) => {
      const base = worldOf(plan)
      const [ours, theirs] = await bothOutcomes(base, plan)
      // If both agree there is nothing to check, and the reference engine would have to run again.
      fc.pre(isDeepStrictEqual(ours, theirs) || !(await isReferenceWrong(base, plan)))
      expect(ours).toEqual(theirs)
    }),
    { numRuns: RUNS },
  )
}, 3_600_000)

test(`${RUNS} random programs have the same trace on both engines, which record the steps as they report them, and report any part of them`, async () => {
  await fc.assert(
    fc.asyncProperty(scenario, fc.nat(), fc.nat(12), async (plan, start, count) => {
      const base = worldOf(plan)
      const ours = await traceOf(wasm, base, plan)
      expect(ours.outcome).toEqual(await outcomeOf(wasm, base, plan))
      const isComparable = await canBeTraced(base, plan)
      fc.pre(isComparable)
      const theirs = await traceOf(reference, base, plan)
      expect(comparable(ours.events)).toEqual(comparable(theirs.events, ours.events))
      for (const [engines, { events, outcome }] of [
        [wasm, ours],
        [reference, theirs],
      ] as const) {
        const recorded = await recordOf(engines, base, plan)
        expect(recorded).toEqual({ found: recordable(events), outcome })
        const steps = events.filter(isStep)
        const first = start % (steps.length + 2)
        const part = await traceOf(engines, base, plan, { first, count })
        expect(part.outcome).toEqual(outcome)
        expect(part.events.filter(isStep)).toEqual(steps.slice(first, first + count))
        expect(part.events.filter((event) => !isStep(event))).toEqual(events.filter((event) => !isStep(event)))
      }
    }),
    { numRuns: RUNS },
  )
}, 3_600_000)

test(`in ${RUNS} random programs, the steps that use something new tell all accounts and slots that are used`, async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (plan) => {
      const base = worldOf(plan)
      const uses = async (onlyNewUses: boolean) => {
        const found = new Set<string>()
        const step = (each: TraceStep) => {
          const use = usedBy(each)
          if (use !== undefined) found.add(use)
        }
        const outcome = await outcomeOf(wasm, base, plan, { step, needsStep: usesState, onlyNewUses })
        return { found, outcome }
      }
      expect(await uses(true)).toEqual(await uses(false))
    }),
    { numRuns: RUNS },
  )
}, 3_600_000)
