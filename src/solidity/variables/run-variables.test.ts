import { type Abi, encodeFunctionData, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import type { Address, Hex } from '#primitives/hex.ts'
import type { RpcExecutionSubject } from '#rpc-types/execution-trace.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { TraceError } from '#solidity/trace/parsed-trace.ts'
import { devAccount } from '#testing/node/test-node.ts'
import { ScenarioChain, VARIANTS, type Variant } from '#testing/solidity/scenarios.ts'
import { createRunVariables, type StepVariables, variableSlots } from './run-variables.ts'

const WHO = devAccount(0).address
const NONE = { stack: [], memory: '0x', input: '0x' } as const

async function open(variant: Variant) {
  const stage = await ScenarioChain.open('variables.sol', VARIANTS[variant])
  const ledger = await stage.deploy('Ledger')
  stage.addresses.set('Maths', ledger)
  const to = await stage.deploy('Variables')
  const abi = stage.contract('Variables').abi as unknown as Abi
  return lookInto(stage, to, encodeFunctionData({ abi, functionName: 'run', args: [[4n, 6n], 2] }))
}

/** A call that succeeds, with what its variables are read from. */
async function lookInto(stage: ScenarioChain, to: Address, data: Hex) {
  const subject: RpcExecutionSubject = { call: { from: WHO.toLowerCase() as Address, to, data } }
  const trace = await stage.node.request('devnet_traceExecution', [subject])
  expect(trace.frames[0]?.error).toBeNull()
  const index = createCodeIndex([stage.build])
  const storage = await stage.node.request('devnet_traceStorage', [subject, variableSlots(trace, index)])
  return { stage, subject, trace, index, storage, at: createRunVariables(trace, storage, index) }
}

/** The variables at every step. */
async function everyStep({ stage, subject, trace, at }: Awaited<ReturnType<typeof open>>): Promise<StepVariables[]> {
  const all: StepVariables[] = []
  let memory: Hex = '0x'
  while (all.length < trace.steps) {
    const { steps } = await stage.node.request('devnet_traceSteps', [subject, all.length, 1_024])
    for (const step of steps) {
      memory = step.memory ?? memory
      all.push(at(all.length, { stack: step.stack, memory, input: trace.frames[step.frame]?.input ?? '0x' }))
    }
  }
  return all
}

/** The values that each variable takes, in order. */
function valuesOf(all: readonly StepVariables[]): Record<string, (string | undefined)[]> {
  const seen = new Map<string, Set<string | undefined>>()
  const add = (name: string, value: string | undefined) => seen.set(name, (seen.get(name) ?? new Set()).add(value))
  for (const { locals, state } of all) {
    if (locals.known) for (const { name, value } of locals.variables) add(`${locals.function} ${name}`, value)
    else for (const { name, value } of locals.called?.arguments ?? []) add(`${locals.called?.function} ${name}`, value)
    if (state.known) for (const { path, value } of state.variables) add(path, value)
  }
  return Object.fromEntries([...seen].map(([name, values]) => [name, [...values]]))
}

const TEXT = `entries[${WHO}].note`
/** A failing call undoes what it wrote, and `0x99` belongs to no variable. */
const STATE = {
  total: ['7', '8', '1000', '18'],
  [`entries[${WHO}].amount`]: ['0', '5'],
  [`entries[${WHO}].since`]: ['0'],
  [TEXT]: ['""', '"first"'],
  list: ['0 items', '1 item'],
  'list[0]': ['0', '6'],
  failed: ['false', 'true'],
}

test('at every step of code without optimizer, values are right or unknown', async () => {
  const opened = await open('plain')
  const { 'list[0]': items, ...values } = valuesOf(await everyStep(opened))
  expect(items?.at(-1)).toBe('6')
  const { 'list[0]': _, ...state } = STATE
  const shape = '(colour: blue, corners: [(x: 0, y: 0), (x: 3, y: -4)], name: "line")'
  expect(values).toEqual({
    ...state,
    'Variables.run items': ['[4, 6]'],
    'Variables.run colour': ['blue'],
    'Variables.run early': [undefined, '0', '202'],
    'Variables.run tag': [undefined, '0x000000', '0x616263'],
    'Variables.run price': ['12'],
    'Variables.run shape': [shape],
    'Variables.run small': ['255', '0'],
    'Variables.run entry': [`storage entries[${WHO}]`],
    'Variables.run why': ['"abcdef"'],
    'Variables.run i': ['0', '1', '2'],
    'Variables.run twice': ['0', '4'],
    'Variables.build colour': ['blue'],
    'Variables.build made': [
      undefined,
      '(colour: red, corners: [], name: "")',
      '(colour: blue, corners: [], name: "")',
      '(colour: blue, corners: [(x: 0, y: 0), (x: 0, y: 0)], name: "")',
      '(colour: blue, corners: [(x: 0, y: 0), (x: 3, y: -4)], name: "")',
      shape,
    ],
    'Variables.pick a': ['2', '200'],
    'Variables.pick b': ['2'],
    'Variables.pick inner': ['200', '202'],
    'Variables.refuse value': ['3'],
    'Ledger.raise entries': ['storage entries'],
    'Ledger.raise who': [WHO],
    'Ledger.raise by': ['5'],
    'Ledger.raise entry': [`storage entries[${WHO}]`],
  })
})

test('functions of contracts are their address and their selector, wherever they are', async () => {
  const stage = await ScenarioChain.open('pointers.sol', VARIANTS.plain)
  const to = await stage.deploy('Pointers')
  const of = (selector: string) => `${to.toLowerCase()}${selector.slice(2)}`
  const given = of('0x12345678')
  const own = of(toFunctionSelector('take(uint256)'))
  const run = toFunctionSelector('run(function)')
  const data: Hex = `${run}${given.slice(2).padEnd(64, '0')}`
  const last = valuesOf(await everyStep(await lookInto(stage, to, data)))
  const none = `0x${'0'.repeat(48)}`
  expect(last).toMatchObject({
    'Pointers.run given': [given],
    'Pointers.run step': expect.arrayContaining([`(id: 5, then: ${given})`]) as unknown,
    kept: [none, given],
  })
  expect(last['Pointers.run own']?.at(-1)).toBe(own)
  expect(last['Pointers.run all']?.at(-1)).toBe(`[${none}, ${own}]`)
})

test.each(['optimized', 'ir', 'ir, optimized'] as const)(
  'compiled %s, arguments and state are right at every step, and other variables are unknown',
  async (variant) => {
    const all = await everyStep(await open(variant))
    expect(all.every(({ locals }) => !locals.known)).toBe(true)
    const { 'list[0]': items, ...values } = valuesOf(all)
    expect(items?.at(-1)).toBe('6')
    const { 'list[0]': _, ...state } = STATE
    expect(values).toEqual({
      ...state,
      'Variables.run items': ['[4, 6]'],
      'Variables.run colour': ['blue'],
      'Variables.refuse value': ['3'],
    })
  },
)

test('storage of another run is refused, and variables are unknown where it was cut off', async () => {
  const { trace, storage, index } = await open('plain')
  const { uses } = storage
  const shorter = { ...storage, uses: uses.slice(0, -128) as Hex }
  expect(() => createRunVariables(trace, shorter, index)).toThrow(TraceError)
  expect(() => createRunVariables(trace, { ...storage, uses: `${uses}${'0'.repeat(128)}` }, index)).toThrow(TraceError)
  const cut = createRunVariables(trace, { ...shorter, isCut: true }, index)
  expect(cut(0, NONE).state.known).toBe(true)
  expect(cut(trace.steps - 1, NONE).state).toEqual({ known: false, reason: 'too many uses' })
  const bare = createRunVariables(trace, { ...storage, before: {}, hashed: [] }, index)
  expect(bare(0, NONE).state).toMatchObject({ known: true, variables: [] })
})
