import { type Abi, encodeFunctionData } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Address } from '#primitives/hex.ts'
import type { RpcExecutionSubject } from '#rpc-types/execution-trace.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { stepSources } from '#solidity/steps/step-sources.ts'
import { devAccount } from '#testing/node/test-node.ts'
import { contractText, marksOf, ScenarioChain, VARIANTS, type Variant } from '#testing/solidity/scenarios.ts'
import { createRunVariables, type StepVariables, variableSlots } from './run-variables.ts'

const FILE = 'locals.sol'
const MARKS = marksOf(contractText(FILE))

async function open(variant: Variant) {
  const stage = await ScenarioChain.open(FILE, VARIANTS[variant])
  const to = await stage.deploy('Debugged')
  const abi = stage.contract('Debugged').abi as unknown as Abi
  const data = encodeFunctionData({ abi, functionName: 'run', args: [4n, 'some text', true] })
  const subject: RpcExecutionSubject = { call: { from: devAccount(0).address.toLowerCase() as Address, to, data } }
  const trace = await stage.node.request('devnet_traceExecution', [subject])
  expect(trace.frames[0]?.error).toBeNull()
  return { stage, subject, trace }
}

describe('code of the legacy pipeline', () => {
  let opened: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    opened = await open('plain')
  })

  /** The first step on the line with a mark. */
  function stepAt(mark: string): number {
    const { placeOf, places } = stepSources(opened.trace, createCodeIndex([opened.stage.build]))
    const line = MARKS.get(mark)
    const step = placeOf.findIndex((place) => places[place]?.isInside === true && places[place].line === line)
    if (step < 0) throw new Error(`${mark} is never reached`)
    return step
  }

  async function at(step: number, builds = [opened.stage.build]): Promise<StepVariables> {
    const { stage, subject, trace } = opened
    const index = createCodeIndex(builds)
    const { steps } = await stage.node.request('devnet_traceSteps', [subject, step, 1])
    const storage = await stage.node.request('devnet_traceStorage', [subject, variableSlots(trace, index)])
    const [full] = steps
    const { input } = trace.frames.findLast(({ firstStep, endStep }) => firstStep <= step && step < endStep) ?? {}
    const data = { stack: full?.stack ?? [], memory: full?.memory ?? '0x', input: input ?? '0x' } as const
    return createRunVariables(trace, storage, index)(step, data)
  }

  async function values(mark: string): Promise<Record<string, string | undefined>> {
    const { locals } = await at(stepAt(mark))
    if (!locals.known) throw new Error(locals.reason)
    return Object.fromEntries(locals.variables.map(({ name, value }) => [name, value]))
  }

  test('arguments, return values and locals have their values, even around modifiers and in blocks', async () => {
    expect(await values('first')).toEqual({ n: '4', text: '"some text"', flag: 'true', result: '0' })
    expect(await values('inside')).toMatchObject({ a: '5', b: '-3', copy: '"some text"', list: '[0, 5]', inner: '10' })
    const before = await values('branch')
    expect(before).toMatchObject({ n: '4', a: '5', list: '[0, 5]' })
    expect(before).not.toHaveProperty('inner')
    expect(await values('loop')).toMatchObject({ a: '5', i: '0' })
    expect(await values('sum')).toEqual({ x: '0', y: '10', sum: '10' })
    expect(await values('last')).toMatchObject({ a: '26', c: '7', d: '0x01020304', e: '52', result: '0' })
    expect(await values('emits')).toEqual({ x: '26' })
  })

  test('without a build the reason is that there is no source', async () => {
    const { locals, state } = await at(stepAt('first'), [])
    expect(locals).toEqual({ known: false, reason: 'no source' })
    expect(state).toEqual({ known: false, reason: 'no source' })
  })
})

test.each(['optimized', 'ir', 'ir, optimized'] as const)(
  'compiled %s, locals are unknown with a reason, and state variables are right',
  async (variant) => {
    const { stage, trace, subject } = await open(variant)
    const index = createCodeIndex([stage.build])
    const storage = await stage.node.request('devnet_traceStorage', [subject, variableSlots(trace, index)])
    const at = createRunVariables(trace, storage, index)
    const none = { stack: [], memory: '0x', input: '0x' } as const
    const { locals } = at(Math.floor(trace.steps / 2), none)
    expect(locals).toEqual({ known: false, reason: variant === 'ir' ? 'IR' : 'optimised' })
    const stored = (step: number) => {
      const { state } = at(step, none)
      return state.known ? state.variables.find(({ path }) => path === 'stored')?.value : state.reason
    }
    expect(stored(0)).toBe('0')
    expect(stored(trace.steps - 1)).toBe('10')
  },
)
