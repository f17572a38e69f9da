import { describe, expect, test, vi } from 'vitest'
import { present } from '#testing/node/persistence/chain-steps.ts'
import { createTestNode, signTransfer } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { JournalError } from '../storage/journal.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'

const MANUAL = { mode: 'manual' } as const

describe('a journal', () => {
  test('is written before a transaction is acknowledged', async () => {
    const journal = new MemoryJournal()
    const node = await createTestNode(MANUAL, { journal })
    await node.request('devnet_tick')
    const release = journal.hold()
    let acknowledged = false
    const sent = node.request('eth_sendRawTransaction', [await signTransfer(0, 0)]).then(() => {
      acknowledged = true
    })
    // Reads do not wait for the write.
    expect((await node.request('txpool_status')).pending).toBe('0x1')
    expect(acknowledged).toBe(false)
    release()
    await sent
  })

  test('is written once for all changes of a batch', async () => {
    const journal = new MemoryJournal()
    const node = await createTestNode(MANUAL, { journal })
    await node.request('devnet_tick')
    const raws = await Promise.all([0, 1, 2].map((account) => signTransfer(account, 0)))
    const batch = raws.map((raw, id) => ({ jsonrpc: '2.0', id, method: 'eth_sendRawTransaction', params: [raw] }))
    const release = journal.hold()
    let answered = false
    const sent = node.raw(JSON.stringify(batch)).then(() => {
      answered = true
    })
    await vi.waitFor(async () => expect((await node.request('txpool_status')).pending).toBe('0x3'))
    expect(answered).toBe(false)
    release()
    await sent
  })

  test('that is full fails the calls of a batch that change something', async () => {
    const journal = new MemoryJournal()
    const node = await createTestNode(MANUAL, { journal })
    await node.request('devnet_tick')
    // The write is tried again while the batch runs.
    journal.failNext(...Array.from({ length: 10 }, () => new JournalError('quota', 'there is no room left')))
    const calls = [
      ['eth_blockNumber', []],
      ['eth_sendRawTransaction', [await signTransfer(0, 0)]],
      ['evm_snapshot', []],
      ['eth_chainId', []],
    ]
    const batch = calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }))
    const refused = { code: -32000, data: { journal: 'quota' } }
    expect(JSON.parse((await node.raw(JSON.stringify(batch))) ?? '')).toMatchObject([
      { id: 0, result: '0x0' },
      { id: 1, error: refused },
      { id: 2, error: refused },
      { id: 3, result: '0x7a69' },
    ])
  })

  test('that is full refuses changes, and accepts them once there is room', async () => {
    const journal = new MemoryJournal()
    const clock = new FakeClock()
    const node = await createTestNode(MANUAL, { journal, clock })
    await node.request('devnet_tick')
    journal.failNext(new JournalError('quota', 'there is no room left'))
    await expect(node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])).rejects.toMatchObject({
      error: { code: -32000, message: 'not stored: there is no room left', data: { journal: 'quota' } },
    })
    await node.request('devnet_tick')
    expect(await present(await createTestNode({}, { journal: journal.reopen(), clock }))).toEqual(await present(node))
  })

  test('that was taken over is reported, and later changes are refused', async () => {
    const journal = new MemoryJournal()
    let told = 0
    const node = await createTestNode(MANUAL, { journal, onTakenOver: () => told++ })
    await node.request('devnet_tick')
    journal.reopen()
    await expect(node.request('devnet_tick')).rejects.toThrow('not stored')
    await expect(node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])).rejects.toThrow('not stored')
    expect(told).toBe(1)
    await node.node.close()
  })

  test('in another format, or damaged, is refused with a clear message', async () => {
    const journal = new MemoryJournal()
    const node = await createTestNode(MANUAL, { journal })
    await node.request('anvil_mine', ['0x3'])
    const [[key] = ['']] = await journal.readAll('blocks')
    const damaged = journal.afterCrash()
    await damaged.write([{ kind: 'delete', part: 'blocks', key }])
    await expect(createTestNode({}, { journal: damaged })).rejects.toMatchObject({ code: 'corrupt' })

    const cut = journal.afterCrash()
    await cut.write([{ kind: 'put', part: 'blocks', key, value: new Uint8Array(40) }])
    await expect(createTestNode({}, { journal: cut })).rejects.toMatchObject({ code: 'corrupt' })

    const newer = journal.afterCrash()
    const format = JSON.stringify({ format: 99, version: '9.9.9', options: {}, genesisTimestamp: 0, genesisHash: '0x' })
    await newer.write([{ kind: 'put', part: 'meta', key: 'chain', value: new TextEncoder().encode(format) }])
    await expect(createTestNode({}, { journal: newer })).rejects.toMatchObject({ code: 'newer' })
  })

  test('continues only with the options its chain was started with', async () => {
    const journal = new MemoryJournal()
    await createTestNode({ ...MANUAL, seed: 7, chainId: 5 }, { journal })
    await expect(createTestNode({ seed: 8 }, { journal: journal.reopen() })).rejects.toThrow(
      'the stored chain was started with seed 7, not 8',
    )
    const again = await createTestNode({ seed: 7, mode: 'manual' }, { journal: journal.reopen() })
    expect(await again.request('eth_chainId')).toBe('0x5')
  })
})
