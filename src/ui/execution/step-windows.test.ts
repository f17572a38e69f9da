import { expect, test, vi } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import type { RpcStep, RpcStepWindow } from '#rpc-types/execution-trace.ts'
import { StepWindows } from './step-windows.ts'

function step(at: number, more: Partial<RpcStep> = {}): RpcStep {
  return { pc: at, op: 'STOP', gas: '0x1', gasCost: '0x1', depth: 0, frame: 0, stack: [], refund: '0x0', ...more }
}

/** A node that answers with up to a number of steps. */
function node(most: number, more: (at: number) => Partial<RpcStep> = () => ({})) {
  return vi.fn<(first: number, count: number) => Promise<RpcStepWindow>>(async (first, count) => ({
    first,
    steps: Array.from({ length: Math.min(most, count) }, (_, i) => step(first + i, more(first + i))),
  }))
}

/** A run in which each step's offset is its own number. */
const run = (steps: number) => ({ steps, pcs: Uint32Array.from({ length: steps }, (_, i) => i) })

/** Waits until everything asked for has been answered. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a wanted step comes with those around it, and the next window is fetched only near the edge', async () => {
  const fetch = node(1_024)
  const windows = new StepWindows(fetch, run(100_000))
  windows.want(500)
  expect(windows.get(500)).toBeUndefined()
  await settled()
  expect(windows.get(500)?.pc).toBe(500)
  expect(fetch.mock.calls).toEqual([
    [256, 256],
    [512, 256],
  ])
  windows.want(400)
  expect(fetch).toHaveBeenCalledTimes(2)
})

test('memory and return data stay the same if an answer leaves them out', async () => {
  const windows = new StepWindows(
    node(9, (at) => (at === 1 ? { memory: '0xaa' } : at === 2 ? { returnData: '0xbb' } : {})),
    run(4),
  )
  windows.want(0)
  await settled()
  const parts = [0, 1, 2, 3].map((at) => [windows.get(at)?.memory, windows.get(at)?.returnData])
  expect(parts).toEqual([
    ['0x', '0x'],
    ['0xaa', '0x'],
    ['0xaa', '0xbb'],
    ['0xaa', '0xbb'],
  ])
})

test('a short answer is continued where it ended', async () => {
  const fetch = node(100)
  const windows = new StepWindows(fetch, run(256))
  windows.want(50)
  await settled()
  expect(windows.get(113)).toBeUndefined()
  windows.want(120)
  await settled()
  expect(windows.get(120)?.pc).toBe(120)
  expect(fetch.mock.calls.map(([first]) => first)).toEqual([0, 120])
})

test('a wanted step missing from a short answer is fetched again', async () => {
  const fetch = node(2)
  const windows = new StepWindows(fetch, run(256))
  windows.want(50)
  await settled()
  expect(windows.get(50)?.pc).toBe(50)
  expect(fetch.mock.calls.map(([first]) => first)).toEqual([0, 50])
})

test('only the most recently used windows are kept', async () => {
  const windows = new StepWindows(node(1_024), run(1_000_000))
  for (let i = 0; i < 40; i++) {
    windows.want(i * 10_000 + 128)
    await settled()
  }
  expect(windows.get(128)).toBeUndefined()
  expect(windows.get(39 * 10_000 + 128)).toBeDefined()
  expect(windows.get(38 * 10_000 + 128)).toBeDefined()
})

test('a failure is reported at its step, and asking again asks the node', async () => {
  const fetch = node(1_024)
  fetch.mockRejectedValueOnce(new Error('gone'))
  const windows = new StepWindows(fetch, run(100))
  const told = vi.fn<() => void>()
  windows.subscribe(told)
  windows.want(5)
  await settled()
  expect(windows.errorAt(5)).toMatchObject({ message: 'gone' })
  expect(told).toHaveBeenCalledOnce()
  windows.retry(5)
  await settled()
  expect(windows.errorAt(5)).toBeUndefined()
  expect(windows.get(5)?.pc).toBe(5)
})

test('slots of steps not shown are fetched without keeping those steps', async () => {
  const storage = { key: toWord(1), value: toWord(2) }
  const fetch = node(1_024, (at) => (at === 700 || at === 900 ? { storage } : {}))
  const windows = new StepWindows(fetch, run(1_000))
  windows.wantSlots([900, 700])
  await settled()
  expect(windows.slotAt(900)).toEqual(storage)
  expect(windows.slotAt(700)).toEqual(storage)
  expect(windows.get(900)).toBeUndefined()
  expect(fetch).toHaveBeenCalledOnce()
})

test('steps that do not match the run are not shown', async () => {
  const windows = new StepWindows(
    node(9, (at) => (at === 3 ? { pc: 77 } : {})),
    run(9),
  )
  windows.want(0)
  await settled()
  expect(windows.get(0)).toBeUndefined()
  expect(windows.errorAt(0)).toMatchObject({ message: 'These steps are no longer the same.' })
})
