import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CompileOutput, CompileRequest, FromCompiler, ToCompiler } from '#compiler/messages.ts'
import { type CompilerWorkerLike, createSolidityCompiler } from './solidity-compiler.ts'

class FakeWorker implements CompilerWorkerLike {
  readonly received: ToCompiler[] = []
  ended = false
  onmessage: CompilerWorkerLike['onmessage'] = null
  onerror: CompilerWorkerLike['onerror'] = null
  postMessage(message: ToCompiler): void {
    this.received.push(message)
  }
  terminate(): void {
    this.ended = true
  }
  say(message: FromCompiler): void {
    this.onmessage?.({ data: message } as MessageEvent<FromCompiler>)
  }
}

const REQUEST: CompileRequest = {
  source: 'contract A {}',
  settings: { optimizer: true, runs: 200, evmVersion: 'osaka' },
}
const OUTPUT: CompileOutput = { diagnostics: [], contracts: [] }
const READY: FromCompiler = { kind: 'ready', version: '0.8.37', kept: true }

let workers: FakeWorker[]

function createCompiler() {
  return createSolidityCompiler(() => {
    const worker = new FakeWorker()
    workers.push(worker)
    return worker
  })
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
  const first = compiler.compile(REQUEST)
  const [worker] = workers
  worker?.say({ kind: 'loading', loadedBytes: 5, totalBytes: 10 })
  expect(compiler.state.get()).toEqual({ status: 'loading', loadedBytes: 5, totalBytes: 10 })
  expect(worker?.received).toEqual([])
  worker?.say(READY)
  expect(worker?.received).toEqual([{ kind: 'compile', id: 1, request: REQUEST }])
  expect(compiler.state.get()).toMatchObject({ status: 'compiling', version: '0.8.37' })
  worker?.say({ kind: 'compiled', id: 1, output: OUTPUT })
  expect(await first).toBe(OUTPUT)
  expect(compiler.state.get()).toMatchObject({ status: 'idle', kept: true })

  const second = compiler.compile(REQUEST)
  worker?.say({ kind: 'compiled', id: 2, output: OUTPUT })
  await second
  expect(workers).toHaveLength(1)
})

test('without work for two minutes the worker ends, and the next compilation starts another', async () => {
  const compiler = createCompiler()
  const first = compiler.compile(REQUEST)
  workers[0]?.say(READY)
  workers[0]?.say({ kind: 'compiled', id: 1, output: OUTPUT })
  await first
  vi.advanceTimersByTime(90_000)
  const second = compiler.compile(REQUEST)
  vi.advanceTimersByTime(90_000)
  expect(workers[0]?.ended).toBe(false)
  workers[0]?.say({ kind: 'compiled', id: 2, output: OUTPUT })
  await second
  vi.advanceTimersByTime(120_000)
  expect(workers[0]?.ended).toBe(true)
  expect(compiler.state.get()).toEqual({ status: 'off' })

  const third = compiler.compile(REQUEST)
  workers[1]?.say(READY)
  workers[1]?.say({ kind: 'compiled', id: 3, output: OUTPUT })
  expect(await third).toBe(OUTPUT)
})

test('cancelling ends the worker, and the next compilation starts another', async () => {
  const compiler = createCompiler()
  const cancelled = compiler.compile(REQUEST)
  compiler.cancel()
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' })
  expect(workers[0]?.ended).toBe(true)
  expect(compiler.state.get()).toEqual({ status: 'off' })

  const next = compiler.compile(REQUEST)
  workers[1]?.say(READY)
  workers[1]?.say({ kind: 'compiled', id: 2, output: OUTPUT })
  expect(await next).toBe(OUTPUT)
})

test('a second compilation cancels the one in progress', async () => {
  const compiler = createCompiler()
  const first = compiler.compile(REQUEST)
  const second = compiler.compile(REQUEST)
  await expect(first).rejects.toMatchObject({ code: 'cancelled' })
  workers[1]?.say(READY)
  workers[1]?.say({ kind: 'compiled', id: 2, output: OUTPUT })
  expect(await second).toBe(OUTPUT)
})

test('a compiler that cannot be loaded and one that crashes give different errors', async () => {
  const compiler = createCompiler()
  const offline = compiler.compile(REQUEST)
  workers[0]?.say({ kind: 'failed', reason: 'network', message: 'there was no answer' })
  await expect(offline).rejects.toMatchObject({ code: 'network', message: 'there was no answer' })

  const broken = compiler.compile(REQUEST)
  workers[1]?.onerror?.({ message: 'out of memory', preventDefault() {} } as ErrorEvent)
  await expect(broken).rejects.toMatchObject({ code: 'broken', message: 'out of memory' })
  expect(workers.map(({ ended }) => ended)).toEqual([true, true])
})
