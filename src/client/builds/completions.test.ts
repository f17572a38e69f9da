import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createObservable } from '#client/session/connection-state.ts'
import { CompilerError, type CompilerState, SHIPPED_VERSION } from '#client/solidity-compiler.ts'
import type { PackedBuild } from '#solidity/worker/pack-build.ts'
import { COMPLETE_MS, createCompletions, MOST_COMPLETED } from './completions.ts'

const COMPILER = `${SHIPPED_VERSION}+commit.0`
const IDLE: CompilerState = { status: 'idle', version: SHIPPED_VERSION, kept: true }
const COMPILING: CompilerState = { ...IDLE, status: 'compiling' }

const packed = (id: string): PackedBuild => ({ id, compiler: COMPILER, textBytes: 1, texts: new ArrayBuffer(1) })

function setUp() {
  const state = createObservable<CompilerState>({ status: 'off' })
  const asked: { resolve: (build: PackedBuild | undefined) => void; reject: (error: unknown) => void }[] = []
  const kept: [chain: string, id: string][] = []
  const compiler = {
    state,
    complete: () => {
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
  const completions = createCompletions(compiler, {
    keepBuild: async (chain, { id }) => {
      kept.push([chain, id])
      return true
    },
  })
  const want = (id: string, version = COMPILER) =>
    completions.want('main', { id, read: async () => new Uint8Array([1]) }, version)
  return { state, asked, kept, compiler, completions, want }
}

const settled = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('builds are completed one after the other, each once, and kept for their chain', async () => {
  const { asked, kept, completions, want } = setUp()
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
  expect(kept).toEqual([['main', 'a whole']])
  expect(completions.busy.get()).toBe(false)
  // What came of it lacks nothing that it could be compiled for once more.
  want('a whole')
  want('a')
  await settled()
  expect(asked).toHaveLength(2)
})

test('what a person has compiled goes first: it is waited for, and a build that it ended is tried once more', async () => {
  const { state, asked, kept, completions, want } = setUp()
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
  expect(kept).toEqual([])
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
  expect(asked.length).toBeLessThanOrEqual(2 * MOST_COMPLETED)
})
