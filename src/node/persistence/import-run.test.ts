import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { DevnetImport } from '#rpc-types/methods/devnet.ts'
import { createTestNode, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'

/** Advances with each look at it, so that work pauses as often as it can, and others get their turn. */
class HurriedClock extends FakeClock {
  override now(): number {
    this.jump(9)
    return super.now()
  }

  override async yield(): Promise<void> {
    await setImmediate()
  }
}

/** A file with 20 blocks after block 0, whose states are all kept, and five partial blocks. */
async function exportFile(): Promise<string> {
  const { request } = await createTestNode({ mode: 'manual' })
  await request('anvil_mine', ['0x14'])
  await request('devnet_tick', [4])
  return request('devnet_exportChain')
}

async function openTarget() {
  let replaced = 0
  const deps = { journal: new MemoryJournal(), clock: new HurriedClock(), onReplaced: () => replaced++ }
  const node = await createTestNode({ mode: 'manual', seed: 9 }, deps)
  return { node, replaced: () => replaced }
}

/** Calls `look` each time the import has made progress, until it returns true or the import ends. */
async function watch({ request }: TestNode, importing: Promise<unknown>, look: (progress: DevnetImport) => boolean) {
  const state = { ended: false }
  const end = () => {
    state.ended = true
  }
  importing.then(end, end)
  let last = ''
  while (!state.ended) {
    await setImmediate()
    const { importing: progress } = await request('devnet_getStorage')
    if (!progress || JSON.stringify(progress) === last) continue
    last = JSON.stringify(progress)
    if (!look(progress)) return
  }
}

test('an import reports its progress: blocks checked, states checked, partial blocks executed', async () => {
  const file = await exportFile()
  const { node, replaced } = await openTarget()
  expect(await node.request('devnet_getStorage')).not.toHaveProperty('importing')
  const importing = node.request('devnet_importChain', [file])
  const seen: DevnetImport[] = []
  await watch(node, importing, (progress) => seen.push(progress) > 0)
  expect(await importing).toBe(true)
  expect(replaced()).toBe(1)
  expect(seen).toContainEqual({ step: 'blocks', done: 7, total: 20 })
  expect(seen).toContainEqual({ step: 'states', done: 7, total: 21 })
  expect(seen).toContainEqual({ step: 'partial-blocks', done: 2, total: 5 })
  const steps = seen.map(({ step }) => step).filter((step, i, all) => step !== all[i - 1])
  expect(steps).toEqual(['blocks', 'states', 'partial-blocks', 'states', 'partial-blocks'])
  expect(await node.request('devnet_getStorage')).not.toHaveProperty('importing')
})

test.each(['blocks', 'states', 'partial-blocks'])(
  'an import is cancelled among the %s: the chain stays',
  async (step) => {
    const file = await exportFile()
    const { node, replaced } = await openTarget()
    await node.request('anvil_mine', ['0x2'])
    const head = await node.request('eth_getBlockByNumber', ['latest', true])
    expect(await node.request('devnet_cancelImport')).toBe(false)
    const importing = node.request('devnet_importChain', [file])
    await watch(node, importing, (progress) => progress.step !== step || progress.total === 0)
    await expect(node.request('devnet_importChain', [file])).rejects.toThrow('another chain is being imported')
    expect(await node.request('devnet_cancelImport')).toBe(true)
    await expect(importing).rejects.toMatchObject({
      error: { code: -32602, message: 'the import was cancelled. Nothing has changed' },
    })
    expect(replaced()).toBe(0)
    expect(await node.request('eth_getBlockByNumber', ['latest', true])).toEqual(head)
    expect(await node.request('devnet_cancelImport')).toBe(false)
    // The chain continues, and the same file can be imported later.
    await node.request('devnet_tick', [10])
    expect(await node.request('devnet_importChain', [file])).toBe(true)
    expect(replaced()).toBe(1)
  },
)
