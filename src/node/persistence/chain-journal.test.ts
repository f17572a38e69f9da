import { expect, test, vi } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { type Durability, type JournalChange, JournalError } from '../storage/journal.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'

const MANUAL = { mode: 'manual' } as const
const settle = () => new Promise((resolve) => void setImmediate(resolve))

/** A journal that records its writes, and can hold each one back. */
class WatchedJournal extends MemoryJournal {
  readonly writes: { readonly changes: readonly JournalChange[]; readonly durability: Durability | undefined }[] = []
  /** Callbacks that let the held-back writes continue, oldest first. */
  readonly waiting: (() => void)[] = []
  slow = false
  full = false
  /** How many more writes it has room for. */
  roomFor = Number.POSITIVE_INFINITY

  override async write(changes: readonly JournalChange[], durability?: Durability): Promise<void> {
    this.writes.push({ changes, durability })
    if (this.roomFor-- === 0) this.full = true
    if (this.full) throw new JournalError('quota', 'there is no room left')
    if (this.slow) await new Promise<void>((resolve) => this.waiting.push(resolve))
    await super.write(changes)
  }
}

async function open(journal: MemoryJournal): Promise<TestNode> {
  const node = await createTestNode(MANUAL, { journal })
  await node.request('devnet_tick')
  return node
}

/** Keys of the blocks that are on the chain, without block 0. */
async function chainKeys({ request }: TestNode): Promise<string[]> {
  const head = Number(await request('eth_blockNumber'))
  const keys: string[] = []
  for (let number = 1; number <= head; number++) {
    const block = await request('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
    keys.push(`${number.toString(16).padStart(8, '0')}-${block?.hash?.slice(2)}`)
  }
  return keys
}
const keysOf = async (journal: MemoryJournal, part: 'blocks' | 'diffs') =>
  (await journal.readAll(part)).map(([key]) => key)

test('a durable change is acknowledged while a newer one is still being written', async () => {
  const journal = new WatchedJournal()
  const node = await open(journal)
  journal.slow = true
  const acknowledged: number[] = []
  const send = async (nonce: number) => {
    const raw = await signTransfer(0, nonce)
    void node.request('eth_sendRawTransaction', [raw]).then(() => acknowledged.push(nonce))
    await settle()
  }
  await send(0)
  await send(1)
  expect(journal.waiting).toHaveLength(1)
  journal.waiting.shift()?.()
  await settle()
  expect(journal.waiting).toHaveLength(1)
  expect(acknowledged).toEqual([0])
  journal.waiting.shift()?.()
  await settle()
  expect(acknowledged).toEqual([0, 1])
})

test('failed writes do not pile up: the next one has each entry once, with the durability of a seal', async () => {
  const journal = new WatchedJournal()
  const node = await open(journal)
  await node.request('devnet_tick', [8])
  journal.roomFor = 1
  // The seal succeeds; the write of the partial block after it fails.
  await expect(node.request('devnet_tick')).rejects.toThrow('not stored')
  expect(await node.request('eth_blockNumber')).toBe('0x1')
  for (let i = 0; i < 3; i++) await expect(node.request('devnet_tick')).rejects.toThrow('not stored')
  journal.full = false
  const refused = journal.writes.length
  await node.request('devnet_tick')
  const first = journal.writes[refused]
  const entries = first?.changes.map((change) => `${change.part} ${'key' in change ? change.key : ''}`) ?? []
  expect(new Set(entries).size).toBe(entries.length)
  expect(first?.durability).toBe('strict')
})

test('orphaned blocks are deleted as soon as no snapshot needs them', async () => {
  const journal = new MemoryJournal()
  const node = await open(journal)
  await node.request('anvil_mine', ['0x2'])
  const outer = await node.request('evm_snapshot')
  await node.request('anvil_mine', ['0x3'])
  await node.request('evm_snapshot')
  await node.request('devnet_reorg', [2])
  await node.request('anvil_mine', ['0x1'])
  // The inner snapshot needs two of the removed blocks.
  expect(await keysOf(journal, 'blocks')).toHaveLength(4 + 2)

  const again = await createTestNode({}, { journal: journal.reopen() })
  expect(await again.request('evm_revert', [outer])).toBe(true)
  expect(await keysOf(journal, 'blocks')).toEqual((await chainKeys(again)).toSorted())
  for (const key of await keysOf(journal, 'diffs')) expect(await chainKeys(again)).toContain(key)
})

test('a transaction that is sealed and, after its nonce was lowered, in the live block again is stored for both', async () => {
  const journal = new MemoryJournal()
  const node = await open(journal)
  const sender = devAccount(0).address
  const raw = await signTransfer(0, 0)
  const hash = await node.request('eth_sendRawTransaction', [raw])
  await node.request('anvil_mine', ['0x1'])
  await node.request('anvil_setNonce', [sender, '0x0'])
  await node.request('eth_sendRawTransaction', [raw])
  await node.request('devnet_tick')
  await node.request('eth_sendRawTransaction', [await signTransfer(1, 0)])
  await node.request('devnet_tick')
  await node.request('devnet_dropPartialBlocks', [1, 'lose'])
  const live = await node.request('eth_getBlockByNumber', ['pending', false])
  expect(live?.transactions).toEqual([hash])

  const again = await createTestNode({}, { journal: journal.reopen() })
  expect(await again.request('eth_getBlockByNumber', ['pending', false])).toEqual(live)
  await again.request('anvil_mine', ['0x1'])
  await again.request('devnet_reorg', [1, 'lose'])
  expect(Number((await again.request('eth_getTransactionByHash', [hash]))?.blockNumber)).toBe(1)
})

test('a chain that was reverted to a snapshot keeps its newest states across a restart', {
  timeout: 300_000,
}, async () => {
  const journal = new MemoryJournal()
  const clock = new FakeClock()
  const node = await createTestNode(MANUAL, { journal, clock })
  await node.request('anvil_mine', ['0x28'])
  const id = await node.request('evm_snapshot')
  await node.request('anvil_mine', ['0x118'])
  await node.request('evm_revert', [id])
  const balances = async ({ request }: TestNode) => {
    const answers: unknown[] = []
    for (const number of ['0x1', '0x14', '0x28'] as Hex[]) {
      answers.push(await request('eth_getProof', [devAccount(0).address, [], number]).catch(String))
    }
    return answers
  }
  const again = await createTestNode({}, { journal: journal.reopen(), clock })
  expect(await balances(again)).toEqual(await balances(node))
})

test('a transaction that arrives during a failing import is not lost', async () => {
  const journal = new WatchedJournal()
  const node = await createTestNode(MANUAL, { journal, onReplaced: () => {} })
  await node.request('devnet_tick')
  journal.slow = true
  let acknowledged = false
  const started = node.request('devnet_startChain')
  while (journal.waiting.length === 0) await settle()
  const hash = node.request('eth_sendRawTransaction', [await signTransfer(0, 0)]).then((sent) => {
    acknowledged = true
    return sent
  })
  await settle()
  expect(acknowledged).toBe(false)
  journal.failNext(new JournalError('quota', 'there is no room left'))
  journal.slow = false
  for (const go of journal.waiting) go()
  await expect(started).rejects.toThrow('not stored')
  const again = async () => createTestNode({}, { journal: journal.afterCrash() })
  expect(await (await again()).request('chain_transactionStatus', [await hash])).toEqual({ status: 'Known' })
})

test('a partial block is announced only after it was written', async () => {
  const journal = new WatchedJournal()
  const node = await open(journal)
  const hash = await node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await node.request('eth_subscribe', ['newPartialBlocks'])
  journal.slow = true
  const tick = node.request('devnet_tick')
  while (journal.waiting.length === 0) await settle()
  expect(node.notifications).toEqual([])
  expect(await node.request('eth_getTransactionReceipt', [hash])).toBeNull()
  const crashed = await createTestNode({}, { journal: journal.afterCrash() })
  expect(await crashed.request('eth_getBlockTransactionCountByNumber', ['pending'])).toBe('0x0')
  journal.slow = false
  journal.waiting.shift()?.()
  await tick
  expect(node.notifications).toHaveLength(1)
  const again = await createTestNode({}, { journal: journal.afterCrash() })
  expect(await again.request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
})

test('nothing is pre-confirmed while the journal is full; pre-confirmation resumes once there is room', async () => {
  const journal = new WatchedJournal()
  const node = await open(journal)
  const hash = await node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await node.request('eth_subscribe', ['newPartialBlockTransactions'])
  journal.full = true
  for (let i = 0; i < 3; i++) await expect(node.request('devnet_tick')).rejects.toThrow('not stored')
  await expect(node.request('devnet_seal')).rejects.toThrow('not stored')
  expect(await node.request('eth_getTransactionReceipt', [hash])).toBeNull()
  expect(node.notifications).toEqual([])
  expect(await node.request('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
  expect(await node.request('eth_blockNumber')).toBe('0x0')

  journal.full = false
  await node.request('devnet_tick')
  const receipt = await node.request('eth_getTransactionReceipt', [hash])
  expect(receipt).toMatchObject({ status: '0x1', blockNumber: '0x1' })
  expect(node.notifications).toHaveLength(1)
  const again = await createTestNode({}, { journal: journal.afterCrash() })
  expect(await again.request('eth_getTransactionReceipt', [hash])).toEqual(receipt)
  // The indices that could not be cut leave no gap.
  await node.request('devnet_dropPartialBlocks', [1])
  await node.request('devnet_seal')
  expect(await node.request('eth_getTransactionReceipt', [hash])).toMatchObject({ blockNumber: '0x1' })
})

test('a transaction whose submission failed is not in the pool, and the one it replaced is back', async () => {
  const journal = new WatchedJournal()
  const node = await open(journal)
  const first = await node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  journal.full = true
  const better = await signTransfer(0, 0, { maxFeePerGas: 20_000_000_000n, tip: 2_000_000_000n })
  await expect(node.request('eth_sendRawTransaction', [better])).rejects.toThrow('not stored')
  await expect(
    node.request('eth_sendTransaction', [{ from: devAccount(1).address, to: devAccount(2).address }]),
  ).rejects.toThrow('not stored')
  await expect(
    node.raw(
      JSON.stringify([
        { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [await signTransfer(3, 0)] },
        { jsonrpc: '2.0', method: 'eth_sendRawTransaction', params: [await signTransfer(4, 0)] },
      ]),
    ),
  ).resolves.toContain('not stored')
  expect(await node.request('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
  expect(await node.request('chain_transactionStatus', [first])).toEqual({ status: 'Known' })
  journal.full = false
  await node.request('devnet_tick')
  const block = await node.request('eth_getBlockByNumber', ['pending', false])
  expect(block?.transactions).toEqual([first])
  const again = await createTestNode({}, { journal: journal.afterCrash() })
  expect(await again.request('eth_getBlockByNumber', ['pending', false])).toEqual(block)
})

test('a write that fails refuses only what it held; what came meanwhile is tried by the next write', async () => {
  const journal = new MemoryJournal()
  const node = await open(journal)
  const release = journal.hold()
  journal.failNext(new JournalError('quota', 'there is no room left'))
  const early = node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await vi.waitFor(() => expect(journal.inFlight).toBe(1))
  const late = node.request('eth_sendRawTransaction', [await signTransfer(1, 0)])
  await settle()
  release()
  await expect(early).rejects.toThrow('not stored')
  const hash = await late
  await node.request('devnet_tick')
  expect(await node.request('eth_getBlockByNumber', ['pending', false])).toMatchObject({ transactions: [hash] })
})

test('a failed edit has no effect', async () => {
  const journal = new WatchedJournal()
  const node = await open(journal)
  journal.full = true
  const { address } = devAccount(7)
  const before = await node.request('eth_getBalance', [address, 'pending'])
  await expect(node.request('anvil_setBalance', [address, '0x5'])).rejects.toThrow('not stored')
  expect(await node.request('eth_getBalance', [address, 'pending'])).toBe(before)
})

test('no partial block is announced after another owner has taken over the chain', async () => {
  const journal = new MemoryJournal()
  const node = await open(journal)
  const hash = await node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await node.request('eth_subscribe', ['newPartialBlocks'])
  journal.reopen()
  await expect(node.request('devnet_tick')).rejects.toThrow('not stored')
  expect(node.notifications).toEqual([])
  expect(await node.request('eth_getTransactionReceipt', [hash])).toBeNull()
})

test('a block is announced as sealed only after its seal is written', async () => {
  const journal = new WatchedJournal()
  const node = await open(journal)
  await node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await node.request('devnet_tick', [8])
  await node.request('eth_subscribe', ['newHeads'])
  const live = await node.request('eth_getBlockByNumber', ['pending', false])
  journal.slow = true
  const tick = node.request('devnet_tick')
  while (journal.waiting.length === 0) await settle()
  expect(node.notifications).toEqual([])
  expect(await node.request('eth_blockNumber')).toBe('0x0')
  const before = journal.afterCrash()
  journal.slow = false
  journal.waiting.shift()?.()
  await tick
  expect(node.notifications).toMatchObject([{ result: { hash: live?.hash, number: '0x1' } }])
  expect(await (await createTestNode({}, { journal: before })).request('eth_blockNumber')).toBe('0x0')
  const again = await createTestNode({}, { journal: journal.afterCrash() })
  expect((await again.request('eth_getBlockByNumber', ['0x1', false]))?.hash).toBe(live?.hash)
})

test('a block announced as sealed is the same after a restart, though more could have been mined into it', async () => {
  const journal = new WatchedJournal()
  const node = await open(journal)
  await node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await node.request('devnet_tick', [8])
  await node.request('eth_sendRawTransaction', [await signTransfer(0, 1)])
  await node.request('eth_subscribe', ['newHeads'])
  // There is a crash after every write, from the first one of the seal on.
  const crashes: { readonly journal: MemoryJournal; readonly told: readonly unknown[] }[] = []
  journal.slow = true
  const under = { way: true }
  const tick = node.request('devnet_tick', [2]).finally(() => {
    under.way = false
  })
  while (under.way) {
    crashes.push({ journal: journal.afterCrash(), told: node.notifications.map(({ result }) => result) })
    journal.waiting.shift()?.()
    await settle()
  }
  await tick
  expect(crashes.some(({ told }) => told.length === 1)).toBe(true)
  for (const { journal: left, told } of crashes) {
    const { request } = await createTestNode({}, { journal: left })
    // This would mine the other transaction into the block if it were still open.
    await request('evm_mine')
    for (const head of told as { hash: Hex; number: Hex }[]) {
      expect(await request('eth_getBlockByNumber', [head.number, false])).toMatchObject({ hash: head.hash })
    }
  }
})

test('while there is no room to write a seal, the block stays open; it is sealed once there is room', async () => {
  const journal = new WatchedJournal()
  const node = await open(journal)
  await node.request('devnet_tick', [8])
  journal.full = true
  await expect(node.request('devnet_tick')).rejects.toThrow('not stored')
  expect(await node.request('eth_blockNumber')).toBe('0x0')
  journal.full = false
  await node.request('devnet_tick')
  expect(await node.request('eth_blockNumber')).toBe('0x1')
})

test('a chain that ends writes its large state whole after all else, and loses nothing where that has no room', async () => {
  const address = (i: number): Hex => `0x${i.toString(16).padStart(40, 'a')}`
  const accounts = (count: number, balance: Hex) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [address(i), { balance }]))
  const journal = new WatchedJournal()
  const node = await createTestNode(MANUAL, { journal, tidyMs: 1_000 })
  // The first is so much that its state is written whole at once, the second is not.
  for (const loaded of [accounts(25_000, '0x1'), accounts(10_000, '0x2')]) {
    await node.requestLoosely('anvil_loadState', [{ accounts: loaded }])
    await node.request('devnet_seal')
    await settle()
  }
  journal.writes.length = 0
  journal.roomFor = 1
  await node.node.close()
  const isWhole = ({ part, kind }: JournalChange) => part === 'states' && kind === 'put'
  expect(journal.writes.map(({ changes }) => changes.some(isWhole))).toEqual([false, true])
  const next = await createTestNode(MANUAL, { journal: journal.reopen() })
  expect(await next.request('eth_getBalance', [address(7)])).toBe('0x2')
})
