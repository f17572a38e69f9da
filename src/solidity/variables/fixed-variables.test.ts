import { type Abi, encodeFunctionData } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { type Address, type Hex, hexToBytes } from '#primitives/hex.ts'
import { decodeValues } from '#solidity/abi/decode.ts'
import type { Build } from '#solidity/build/build.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { transientLayoutOf } from '#solidity/storage/contract-layout.ts'
import { readStorageLayout } from '#solidity/storage/storage-layout.ts'
import { devAccount } from '#testing/node/test-node.ts'
import { contractText, ScenarioChain } from '#testing/solidity/scenarios.ts'
import { compileStandard } from '#testing/solidity/solc.ts'
import { fixedVariables } from './fixed-variables.ts'
import { createRunVariables, variableSlots } from './run-variables.ts'

const FILE = 'fixed.sol'
const NONE = { stack: [], memory: '0x', input: '0x' } as const
let stage: ScenarioChain
let to: Address

beforeAll(async () => {
  stage = await ScenarioChain.open(FILE, {})
  to = await stage.deploy('Fixed')
})

function fixed(build: Build = stage.build) {
  const contract = build.contracts.find(({ name }) => name === 'Fixed')
  if (!contract?.deployed) throw new Error('no contract')
  return { build, contract, code: contract.deployed }
}

async function getterText(name: string): Promise<string | undefined> {
  const abi = stage.contract('Fixed').abi as unknown as Abi
  const data = encodeFunctionData({ abi, functionName: name })
  const output = await stage.node.request('eth_call', [{ to, data }, 'latest'])
  const outputs = fixed().contract.abi.find((entry) => entry.name === name)?.outputs ?? []
  return decodeValues(outputs, hexToBytes(output))?.[0]?.text
}

test('constants and immutables have the values that their getters return, or none', async () => {
  const code = await stage.node.request('eth_getCode', [to, 'latest'])
  const variables = fixedVariables(fixed(), hexToBytes(code))
  expect(variables.map(({ path }) => path).slice(0, 3)).toEqual(['ROLE', 'maker', 'doubled'])
  for (const { path, value } of variables) {
    if (path === 'hashed') expect(value).toBeUndefined()
    else expect([path, value]).toEqual([path, await getterText(path)])
  }
  expect(variables.find(({ path }) => path === 'begun')).toMatchObject({ kind: 'immutable', value: 'open' })
  expect(variables.find(({ path }) => path === 'dead')).toMatchObject({ isAddress: true, type: 'address' })
  // While it is being created, the code has no place for them yet.
  const creating = fixedVariables(fixed(), undefined).filter(({ kind }) => kind === 'immutable')
  expect(creating.map(({ value }) => value)).toEqual([undefined, undefined, undefined, undefined])
})

test('a build without an AST has none', () => {
  const sources = stage.build.sources.map((source) => ({ ...source, ast: undefined }))
  const { contract, code } = fixed()
  const build = { ...stage.build, sources, contracts: [{ ...contract }] }
  expect(fixedVariables({ build, contract: build.contracts[0] ?? contract, code }, undefined)).toEqual([])
})

test('constants that name each other many times, or themselves, end', () => {
  const ast = JSON.parse(
    JSON.stringify(stage.build.sources.find(({ path }) => path === FILE)?.ast),
    (key: string, value: unknown) => (key === 'referencedDeclaration' && value === idOf('BASE') ? idOf('deep') : value),
  ) as unknown
  const sources = stage.build.sources.map((source) => (source.path === FILE ? { ...source, ast } : source))
  const contract = { ...fixed().contract }
  const build = { ...stage.build, sources, contracts: [contract] }
  const variables = fixedVariables({ ...fixed(), build, contract }, undefined)
  expect(variables.find(({ path }) => path === 'deep')?.value).toBeUndefined()
  expect(variables.find(({ path }) => path === 'top')?.value).toBe('7')
})

test('a constant text that is longer than what is shown is not read, nor hashed', () => {
  const long = 'ab'.repeat(4_097)
  const ast = JSON.parse(
    JSON.stringify(stage.build.sources.find(({ path }) => path === FILE)?.ast),
    (key: string, value: unknown) => (key === 'hexValue' ? long : value),
  ) as unknown
  const sources = stage.build.sources.map((source) => (source.path === FILE ? { ...source, ast } : source))
  const contract = { ...fixed().contract }
  const build = { ...stage.build, sources, contracts: [contract] }
  const variables = fixedVariables({ ...fixed(), build, contract }, undefined)
  for (const name of ['text', 'ROLE', 'tag']) {
    expect(variables.find(({ path }) => path === name)?.value).toBeUndefined()
  }
  expect(variables.find(({ path }) => path === 'dead')?.value).toBeDefined()
})

/** Id of the declaration of a variable. */
function idOf(name: string): number {
  const text = JSON.stringify(stage.build.sources.find(({ path }) => path === FILE)?.ast)
  return Number(new RegExp(`"id":(\\d+),"mutability":"constant","name":"${name}"`).exec(text)?.[1])
}

test('transient variables are laid out as the compiler does', () => {
  const selection = { '*': { '*': ['transientStorageLayout'], '': ['ast'] } }
  const { output } = compileStandard({ [FILE]: contractText(FILE) }, {}, selection)
  const contract = output.contracts[FILE]?.['Fixed'] as unknown as { readonly transientStorageLayout: unknown }
  const theirs = readStorageLayout(contract.transientStorageLayout)
  const ours = transientLayoutOf(fixed())
  const placed = ({ variables }: typeof ours) => variables.map(({ label, slot, offset }) => ({ label, slot, offset }))
  expect(placed(ours)).toEqual(theirs && placed(theirs))
  expect(ours.variables).toHaveLength(4)
})

test('in a debugger, a failing call undoes what it wrote into transient variables', async () => {
  const data = encodeFunctionData({ abi: stage.contract('Fixed').abi as unknown as Abi, functionName: 'pass' })
  const from = devAccount(0).address
  const subject = { call: { from: from.toLowerCase() as Address, to, data } }
  const trace = await stage.node.request('devnet_traceExecution', [subject])
  const index = createCodeIndex([stage.build])
  const storage = await stage.node.request('devnet_traceStorage', [subject, variableSlots(trace, index)])
  const valuesAt = (step: number, of = storage) => {
    const { state } = createRunVariables(trace, of, index)(step, NONE)
    if (!state.known) throw new Error(state.reason)
    return state.variables.filter(({ kind }) => kind === 'transient').map(({ path, value }) => `${path} ${value}`)
  }
  const inner = trace.frames[1]
  const zero: Hex = `0x${'0'.repeat(40)}`
  expect(valuesAt(0)).toEqual(['depth 0', 'locked false', 'moved 0', `who ${zero}`])
  expect(valuesAt((inner?.endStep ?? 0) - 1)).toEqual(['depth 0', 'locked true', 'moved 77', `who ${zero}`])
  expect(valuesAt(trace.steps - 1)).toEqual(['depth 3', 'locked true', 'moved -5', `who ${from}`])
  // An older node does not tell the writes.
  const { transient: _, ...older } = storage
  expect(valuesAt(0, older)).toEqual(valuesAt(0))
  expect(valuesAt(trace.steps - 1, older)).toEqual(
    ['depth', 'locked', 'moved', 'who'].map((name) => `${name} undefined`),
  )
})
