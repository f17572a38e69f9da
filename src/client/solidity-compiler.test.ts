import { createRequire } from 'node:module'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CompileOutput, CompileRequest, FromCompiler, ToCompiler } from '#compiler/messages.ts'
import { FakeWorker } from '#testing/transport/fake-worker.ts'
import { createSolidityCompiler, isShipped, SHIPPED_VERSION, type SolidityCompiler } from './solidity-compiler.ts'

const REQUEST: CompileRequest = {
  files: { 'A.sol': 'contract A {}' },
  settings: { optimizer: true, runs: 200, evmVersion: 'osaka', viaIR: false },
}
const OUTPUT: CompileOutput = { diagnostics: [], contracts: [], libraries: {}, build: undefined }
const READY: FromCompiler = { kind: 'ready', version: '0.8.37', kept: true }

let workers: FakeWorker<ToCompiler, FromCompiler>[]

function createCompiler() {
  return createSolidityCompiler(() => {
    const worker = new FakeWorker<ToCompiler, FromCompiler>()
    workers.push(worker)
    return worker
  })
}

/** Compiles by a second worker. @param id - Of the compilation. */
async function compileAnew(compiler: SolidityCompiler, id: number): Promise<void> {
  const compiled = compiler.ask('compile', REQUEST)
  workers[1]?.say(READY)
  workers[1]?.say({ kind: 'answered', id, answer: OUTPUT })
  expect(await compiled).toBe(OUTPUT)
}

beforeEach(() => {
  workers = []
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('the worker starts with the first compilation, receives it once ready, and serves the next one, too', async () => {
  const compiler = createCompiler()
  expect(workers).toEqual([])
  const first = compiler.ask('compile', REQUEST)
  const [worker] = workers
  worker?.say({ kind: 'loading', what: 'the compiler', loadedBytes: 5, totalBytes: 10 })
  expect(compiler.state.get()).toEqual({ status: 'loading', what: 'the compiler', loadedBytes: 5, totalBytes: 10 })
  expect(worker?.received).toEqual([])
  worker?.say(READY)
  expect(worker?.received).toEqual([{ kind: 'compile', id: 1, request: REQUEST }])
  expect(compiler.state.get()).toMatchObject({ status: 'compiling', version: '0.8.37' })
  worker?.say({ kind: 'answered', id: 1, answer: OUTPUT })
  expect(await first).toBe(OUTPUT)
  expect(compiler.state.get()).toMatchObject({ status: 'idle', kept: true })

  const second = compiler.ask('compile', REQUEST)
  worker?.say({ kind: 'answered', id: 2, answer: OUTPUT })
  await second
  expect(workers).toHaveLength(1)
})

test('without work for two minutes the worker ends, and the next compilation starts another', async () => {
  const compiler = createCompiler()
  const first = compiler.ask('compile', REQUEST)
  workers[0]?.say(READY)
  workers[0]?.say({ kind: 'answered', id: 1, answer: OUTPUT })
  await first
  vi.advanceTimersByTime(90_000)
  const second = compiler.ask('compile', REQUEST)
  vi.advanceTimersByTime(90_000)
  expect(workers[0]?.ended).toBe(false)
  workers[0]?.say({ kind: 'answered', id: 2, answer: OUTPUT })
  await second
  vi.advanceTimersByTime(120_000)
  expect(workers[0]?.ended).toBe(true)
  expect(compiler.state.get()).toEqual({ status: 'off' })

  await compileAnew(compiler, 3)
})

test('cancelling ends the worker, and the next compilation starts another', async () => {
  const compiler = createCompiler()
  const cancelled = compiler.ask('compile', REQUEST)
  compiler.cancel()
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' })
  expect(workers[0]?.ended).toBe(true)
  expect(compiler.state.get()).toEqual({ status: 'off' })

  await compileAnew(compiler, 2)
})

test('a second compilation cancels the one in progress', async () => {
  const compiler = createCompiler()
  const first = compiler.ask('compile', REQUEST).catch((error: unknown) => error)
  await compileAnew(compiler, 2)
  expect(await first).toMatchObject({ code: 'cancelled' })
})

test('a kept build is compiled once more by the same worker, and a compilation cancels it', async () => {
  const compiler = createCompiler()
  const texts = new Uint8Array([1])
  const request = { texts, path: 'A.sol', name: 'A', code: '0x6001' } as const
  const verified = compiler.ask('verify', request)
  workers[0]?.say(READY)
  expect(workers[0]?.received).toEqual([{ kind: 'verify', id: 1, request }])
  expect(workers[0]?.transferred).toEqual([texts.buffer])
  workers[0]?.say({ kind: 'answered', id: 1, answer: { outcome: 'same', compiler: '0.8.37' } })
  expect(await verified).toEqual({ outcome: 'same', compiler: '0.8.37' })

  const second = compiler.ask('verify', request).catch((error: unknown) => error)
  await compileAnew(compiler, 3)
  expect(await second).toMatchObject({ code: 'cancelled' })
})

test('a compiler that cannot be loaded and one that crashes give different errors', async () => {
  const compiler = createCompiler()
  const offline = compiler.ask('compile', REQUEST)
  workers[0]?.say({ kind: 'failed', reason: 'network', message: 'there was no answer' })
  await expect(offline).rejects.toMatchObject({ code: 'network', message: 'there was no answer' })

  const broken = compiler.ask('compile', REQUEST)
  workers[1]?.fail('out of memory')
  await expect(broken).rejects.toMatchObject({ code: 'broken', message: 'out of memory' })
  expect(workers.map(({ ended }) => ended)).toEqual([true, true])
})

test('a package that a source imports is told while it comes, and then that the compiler runs', async () => {
  const compiler = createCompiler()
  const done = compiler.ask('compile', REQUEST)
  const [worker] = workers
  worker?.say(READY)
  worker?.say({ kind: 'loading', what: '@openzeppelin/contracts', loadedBytes: 1, totalBytes: 4 })
  expect(compiler.state.get()).toMatchObject({ status: 'loading', what: '@openzeppelin/contracts', totalBytes: 4 })
  worker?.say({ kind: 'compiling' })
  expect(compiler.state.get()).toEqual({ status: 'compiling', version: '0.8.37', kept: true })
  worker?.say({ kind: 'answered', id: 1, answer: OUTPUT })
  await done
  expect(compiler.state.get()).toEqual({ status: 'idle', version: '0.8.37', kept: true })
})

test('the version that the page names is that of its compiler', () => {
  const { version } = createRequire(import.meta.url)('solc/package.json') as { readonly version: string }
  expect(SHIPPED_VERSION).toBe(version)
  expect(isShipped(`${version}+commit.f401782d`)).toBe(true)
  expect(isShipped('0.8.3+commit.8d00100c')).toBe(false)
})
