import { type Abi, encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { type Address, type Hash, type Hex, hexToBytes, toWord } from '#primitives/hex.ts'
import { decodeValues } from '#solidity/abi/decode.ts'
import type { Build } from '#solidity/build/build.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { createRunVariables, type StepVariables, variableSlots } from '#solidity/variables/run-variables.ts'
import { devAccount } from '#testing/node/test-node.ts'
import { type Probe, type RandomContract, randomContract } from '#testing/solidity/random-variables.ts'
import { ScenarioChain, VARIANTS, type Variant } from '#testing/solidity/scenarios.ts'
import type { NamedAccount } from './messages.ts'
import { nameAccounts } from './name-accounts.ts'

const FROM = devAccount(0).address
const NONE = { stack: [], memory: '0x', input: '0x' } as const

/** How many contracts, one for each seed; more are asked for by `VALUE_SEEDS`. */
const SEEDS = Number(process.env['VALUE_SEEDS'] ?? 4)
const FIRST_SEED = Number(process.env['VALUE_FIRST_SEED'] ?? 1)
const PIPELINES = Object.keys(VARIANTS) as Variant[]

/** A random contract on a chain. */
class Subject {
  readonly #stage: ScenarioChain
  readonly #to: Address
  readonly random: RandomContract
  /** What all transactions hashed. */
  readonly #hashed: Hex[] = []

  private constructor(stage: ScenarioChain, to: Address, random: RandomContract) {
    this.#stage = stage
    this.#to = to
    this.random = random
  }

  static async open(seed: number, pipeline: Variant): Promise<Subject> {
    const random = randomContract(seed, !pipeline.endsWith('optimized'))
    const stage = await ScenarioChain.open(`random-${seed}.sol`, VARIANTS[pipeline], random.source)
    return new Subject(stage, await stage.deploy('Random'), random)
  }

  get build(): Build {
    return this.#stage.build
  }

  data(functionName: string): Hex {
    return encodeFunctionData({ abi: this.#stage.contract('Random').abi as unknown as Abi, functionName })
  }

  async send(functionName: string): Promise<Hash> {
    const { node } = this.#stage
    const data = this.data(functionName)
    const hash = await node.request('eth_sendTransaction', [{ from: FROM, to: this.#to, data, gas: '0xf00000' }])
    // Sealed, and at the beginning of a block without transactions.
    await node.clock.advance(4_000)
    expect((await node.request('eth_getTransactionReceipt', [hash]))?.status).toBe('0x1')
    this.#hashed.push(...(await node.request('devnet_traceStorage', [hash])).hashed)
    return hash
  }

  /** What getters return as texts, by path; `null` where they fail. */
  async told(probes: readonly Probe[]): Promise<Map<string, string | null>> {
    const told = new Map<string, string | null>()
    for (const { path, getter, names } of probes) {
      const entry = this.build.contracts.find(({ name }) => name === 'Random')?.abi.find(({ name }) => name === getter)
      let output: Hex | undefined
      try {
        output = await this.#stage.node.request('eth_call', [{ to: this.#to, data: this.data(getter) }, 'latest'])
      } catch {
        told.set(path, null)
        continue
      }
      const [value] = decodeValues(entry?.outputs ?? [], hexToBytes(output)) ?? []
      if (!value) throw new Error(`${getter} cannot be decoded`)
      told.set(path, names[Number(value.text)] ?? value.text)
    }
    return told
  }

  async slots(): Promise<Map<Hash, Hash>> {
    const { node } = this.#stage
    const block = await node.request('eth_getBlockByNumber', ['latest', false])
    const { storage } = await node.request('debug_storageRangeAt', [block?.hash, 0, this.#to, toWord(0), 10_000])
    return new Map(Object.values(storage).map(({ key, value }) => [key, value]))
  }

  async named(which: 'all' | 'changes', views: readonly ReadonlyMap<Hash, Hash>[]): Promise<NamedAccount> {
    const code = await this.#stage.node.request('eth_getCode', [this.#to, 'latest'])
    const accounts = [{ codes: [code], views }]
    const question = { accounts, hashed: this.#hashed, keys: [], which } as const
    const [named] = nameAccounts(createCodeIndex([this.build]), question)
    if (!named) throw new Error('the code is not recognised')
    return named
  }

  /** The variables before a transaction's first step and at its last one. */
  async debugged(hash: Hash): Promise<readonly [StepVariables, StepVariables]> {
    const { node } = this.#stage
    const trace = await node.request('devnet_traceExecution', [hash])
    const index = createCodeIndex([this.build])
    const storage = await node.request('devnet_traceStorage', [hash, variableSlots(trace, index)])
    const at = createRunVariables(trace, storage, index)
    return [at(0, NONE), at(trace.steps - 1, NONE)]
  }

  /** What `pass` returns. */
  async passed(): Promise<string[]> {
    const { outputs = [] } =
      this.build.contracts.find(({ name }) => name === 'Random')?.abi.find(({ name }) => name === 'pass') ?? {}
    const output = await this.#stage.node.request('eth_call', [{ to: this.#to, data: this.data('pass') }, 'latest'])
    const values = decodeValues(outputs, hexToBytes(output)) ?? []
    return this.random.transient.map(({ names }, i) => names[Number(values[i]?.text)] ?? values[i]?.text ?? '')
  }
}

/** Values that a variable has which nobody has written. */
const UNSET = /^(?:0|false|""|0x0*|e0)$/

/** Listed without a value, if none of its values is known. */
function isMapping(type: string): boolean {
  return type.startsWith('mapping') && type.endsWith(')')
}

function shownBy({ variables }: NamedAccount, view = 0) {
  const listed = variables.filter(({ type }) => !isMapping(type))
  return new Map(listed.map(({ path, values }) => [path, values[view]]))
}

/** Everything shown is what the getters return, and nothing with a value is left out. */
function expectShown(shown: ReadonlyMap<string, string | null | undefined>, told: ReadonlyMap<string, string | null>) {
  for (const [path, value] of shown) expect([path, value]).toEqual([path, told.get(path)])
  const missing = [...told].filter(([path, value]) => value !== null && !UNSET.test(value) && !shown.has(path))
  expect(missing).toEqual([])
}

test.each(Array.from({ length: SEEDS }, (_, i) => FIRST_SEED + i))(
  'random variables are shown as their getters return them: contract %i',
  async (seed) => {
    const pipeline = PIPELINES[seed % PIPELINES.length] as Variant
    const subject = await Subject.open(seed, pipeline)
    const { stored, fixed } = subject.random
    const fixedTold = await subject.told(fixed)
    const filledBy = await subject.send('fill')
    const slots = await subject.slots()
    const filled = await subject.told(stored)

    // The storage tab.
    const all = await subject.named('all', [slots])
    expect(all.unnamed).toEqual([])
    expectShown(shownBy(all), new Map([...filled, ...fixedTold]))
    expect(all.variables.filter(({ kind }) => kind !== 'stored')).toHaveLength(fixed.length)

    // The state changes.
    const changedBy = await subject.send('change')
    const after = await subject.slots()
    const changed = await subject.told(stored)
    const changes = await subject.named('changes', [slots, after])
    const [before, now] = [shownBy(changes, 0), shownBy(changes, 1)]
    for (const [path, value] of before) {
      // A long text may go on in a slot that is 0 in both states, and so in neither of them.
      if (value === undefined || now.get(path) === undefined) continue
      expect([path, value, now.get(path)]).toEqual([path, filled.get(path), changed.get(path)])
    }
    const others = [...filled].filter(([path, value]) => value !== changed.get(path) && !before.has(path))
    // An item that was 0 leaves no trace, and the mappings in an item stay when it is removed.
    const isLost = ([path, value]: readonly [string, string | null]) =>
      value !== null && !UNSET.test(value) && !(changed.get(path) === null && /\[.*\[/.test(path))
    expect(others.filter(isLost)).toEqual([])

    // The debugger.
    for (const [hash, start, end] of [
      [filledBy, undefined, filled],
      [changedBy, filled, changed],
    ] as const) {
      const [first, last] = await subject.debugged(hash)
      for (const [{ state }, told] of [
        [first, start],
        [last, end],
      ] as const) {
        if (!state.known) throw new Error(`the state is not known: ${state.reason}`)
        for (const { kind, path, type, value } of state.variables) {
          if (isMapping(type) || kind === 'transient' || value === undefined) continue
          const text = type.endsWith('[]') ? value.replace(/ items?$/, '') : value
          if (kind !== 'stored') expect([path, value]).toEqual([path, fixedTold.get(path)])
          else if (told) expect([path, text]).toEqual([path, told.get(path)])
          else expect([path, text]).toEqual([path, expect.stringMatching(UNSET)])
        }
        expect(state.variables.filter(({ kind }) => kind === 'immutable' || kind === 'constant')).toHaveLength(
          fixed.length,
        )
      }
    }

    // Transient variables.
    const [first, last] = await subject.debugged(await subject.send('pass'))
    const transientAt = ({ state }: StepVariables) =>
      state.known ? state.variables.filter(({ kind }) => kind === 'transient').map(({ value }) => value) : []
    expect(transientAt(first)).toEqual(subject.random.transient.map(() => expect.stringMatching(UNSET) as unknown))
    expect(transientAt(last)).toEqual(await subject.passed())
  },
)
