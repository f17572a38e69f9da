import { expect, test } from 'vitest'
import { wasm } from './assembly/evm/host/heap.ts?wasm'
import { compileWasm, instantiateWasm, type WasmMemory } from './web-assembly.ts'

interface Heap {
  readonly memory: WasmMemory
  startHeap(at: number): void
  allocateBlock(size: number): number
  freeBlock(at: number): void
  blockSize(at: number): number
  growBlock(at: number, used: number, size: number): number
}

const START = 65_536

async function newHeap(): Promise<Heap> {
  const heap = instantiateWasm(await compileWasm(wasm), {}) as Heap
  heap.startHeap(START)
  return heap
}

test('the last block grows where it is, and another one into a new place with what it has', async () => {
  const heap = await newHeap()
  const first = heap.allocateBlock(100)
  const last = heap.allocateBlock(100)
  new Uint8Array(heap.memory.buffer).fill(7, first, first + 100)
  expect(heap.growBlock(last, 100, 1_000_000)).toBe(last)
  expect(heap.blockSize(last)).toBeGreaterThanOrEqual(1_000_000)
  const moved = heap.growBlock(first, 100, 1_000)
  expect(moved).toBeGreaterThan(last + 1_000_000)
  expect(new Uint8Array(heap.memory.buffer, moved, 100).every((byte) => byte === 7)).toBe(true)
  // What it has left is free again.
  expect(heap.allocateBlock(100)).toBe(first)
})

test('blocks that grow and are given back again and again use each other’s room', async () => {
  const heap = await newHeap()
  let end = 0
  for (let round = 0; round < 1_000; round++) {
    let at = heap.allocateBlock(100)
    for (let size = 200; size < 1_000_000; size *= 2) at = heap.growBlock(at, 100, size)
    heap.freeBlock(at)
    end = Math.max(end, at + heap.blockSize(at))
  }
  expect(end - START).toBeLessThan(4_000_000)
})
