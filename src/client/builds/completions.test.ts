import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createObservable } from '#client/session/connection-state.ts'
import { CompilerError, type CompilerState, SHIPPED_VERSION } from '#client/solidity-compiler.ts'
import { type PackedBuild, packBuild } from '#solidity/worker/pack-build.ts'
import { ALL_COMPLETE_MS, COMPLETE_MS, createCompletions, MOST_COMPLETED, MOST_COMPLETED_BYTES } from './completions.ts'

const COMPILER = `${SHIPPED_VERSION}+commit.0`
const IDLE: CompilerState = { status: 'idle', version: SHIPPED_VERSION, kept: true }
const COMPILING: CompilerState = { ...IDLE, status: 'compiling' }

const packed = (id: string): PackedBuild => ({ id, compiler: COMPILER, textBytes: 1, texts: new ArrayBuffer(1) })

function setUp() {
  const state = createObservable<CompilerState>({ status: 'off' })
  const asked: { resolve: (build: PackedBuild | undefined) => void; reject: (error: unknown) => void }[] = []
  const compiler = {
    state,
    ask: () => {
      state.set(COMPILING)
      return new Promise<PackedBuild | undefined>((resolve, reject) => {
        asked.push({
          resolve: (build) => {
            state.set(IDLE)
            resolve(build)
          },
          reject,
        })
      })
    },
    cancel: vi.fn<() => void>(() => {
      state.set({ status: 'off' })
      asked.at(-1)?.reject(new CompilerError('cancelled', ''))
    }),
  }
  const completions = createCompletions(compiler, Date.now)
  const idsOf = (chain: string) => completions.list(chain).map(({ id }) => id)
  const want = (id: string, version = COMPILER) =>
    completions.want('main', { id, read: async () => new Uint8Array([1]) }, version)
  return { state, asked, compiler, completions, idsOf, want }
}

const settled = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('builds are completed one after the other, each once, and known for their chain', async () => {
  const { asked, idsOf, completions, want } = setUp()
  want('a')
  want('a')
  want('b')
  want('old', '0.8.1+commit.df193b15')
  await settled()
  expect(asked).toHaveLength(1)
  expect(completions.busy.get()).toBe(true)
  asked[0]?.resolve(packed('a whole'))
  await settled()
  asked[1]?.resolve(undefined)
  await settled()
  expect(idsOf('main')).toEqual(['a whole'])
  expect(idsOf('other')).toEqual([])
  expect(completions.changes.get()).toBe(1)
  expect(completions.busy.get()).toBe(false)
  // What came of it lacks nothing that it could be compiled for once more.
  want('a whole')
  want('a')
  await settled()
  expect(asked).toHaveLength(2)
})

test('what a person has compiled goes first: it is waited for, and a build that it ended is tried once more', async () => {
  const { state, asked, idsOf, completions, want } = setUp()
  state.set(COMPILING)
  want('a')
  await settled()
  expect(asked).toHaveLength(0)
  state.set(IDLE)
  await settled()
  expect(asked).toHaveLength(1)
  for (const nth of [0, 1]) {
    state.set({ status: 'off' })
    asked[nth]?.reject(new CompilerError('cancelled', ''))
    state.set(COMPILING)
    await settled()
    state.set(IDLE)
    await settled()
  }
  expect(asked).toHaveLength(2)
  expect(idsOf('main')).toEqual([])
  expect(completions.busy.get()).toBe(false)
})

test('a build that takes too long is ended and left as it was', async () => {
  const { asked, compiler, completions, want } = setUp()
  want('a')
  await settled()
  await vi.advanceTimersByTimeAsync(COMPLETE_MS)
  expect(compiler.cancel).toHaveBeenCalledOnce()
  await settled()
  expect(asked).toHaveLength(1)
  expect(completions.busy.get()).toBe(false)
})

test('a node that goes on naming builds has only so many completed', async () => {
  const { asked, want } = setUp()
  for (let i = 0; i < 5 * MOST_COMPLETED; i++) want(`${i}`)
  for (let i = 0; i < 5 * MOST_COMPLETED; i++) {
    await settled()
    asked[i]?.resolve(packed(`whole ${i}`))
  }
  await settled()
  expect(asked).toHaveLength(MOST_COMPLETED)
})

test('all builds together have a limit of time, after which nothing more is compiled', async () => {
  const { asked, want } = setUp()
  for (let i = 0; i < 10; i++) want(`${i}`)
  for (let i = 0; i < 10; i++) await vi.advanceTimersByTimeAsync(COMPLETE_MS)
  expect(asked).toHaveLength(ALL_COMPLETE_MS / COMPLETE_MS)
})

test('of completed builds that are larger than all may be, the newest stay, and their texts can be read', async () => {
  const { asked, idsOf, completions, want } = setUp()
  for (const id of ['a', 'b', 'c']) {
    want(id)
    await settled()
    asked.at(-1)?.resolve({ ...packed(`${id} whole`), texts: new ArrayBuffer(MOST_COMPLETED_BYTES / 2) })
    await settled()
  }
  expect(idsOf('main')).toEqual(['c whole', 'b whole'])
  vi.useRealTimers()
  const made = await packBuild({ compiler: COMPILER, input: '{}', output: '{}' })
  want('d')
  await new Promise((resolve) => setImmediate(resolve))
  asked.at(-1)?.resolve(made)
  await new Promise((resolve) => setImmediate(resolve))
  const [newest] = completions.list('main')
  expect(JSON.parse(new TextDecoder().decode(await newest?.read()))).toEqual([COMPILER, '{}', '{}'])
})
