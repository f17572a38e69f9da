import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FakeClock } from '#primitives/fake-clock.ts'
import type { Hex } from '#primitives/hex.ts'
import { JournalError } from '../storage/journal.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'
import { createTestNode, devAccount, RpcError, signTransfer, type TestNode } from '../testing/test-node.ts'

const MANUAL = { mode: 'manual' } as const
const EDITED: Hex = `0x${'e2'.repeat(20)}`
const IMPERSONATED: Hex = `0x${'ab'.repeat(20)}`
const CONTRACT: Hex = `0x${'c0'.repeat(20)}`
/** Writes the call's first word into slot 0, and logs it. */
const STORE_AND_LOG: Hex = '0x5f3580805f5500005f525f60205fa1'

type Step =
  | { readonly kind: 'send'; readonly sender: number; readonly gap: number }
  | { readonly kind: 'tick' | 'mine' | 'drop' | 'reorg' | 'travel' | 'revert' | 'store' | 'stall'; readonly n: number }
  | { readonly kind: 'faucet' | 'code' | 'snapshot' | 'impersonate' | 'pause' | 'baseFee' | 'deploy' }

const counted = (kind: Extract<Step, { n: number }>['kind'], max: number): fc.Arbitrary<Step> =>
  fc.record({ kind: fc.constant(kind), n: fc.integer({ min: 1, max }) })
const plain = (kind: 'faucet' | 'code' | 'snapshot' | 'impersonate' | 'pause' | 'baseFee' | 'deploy') =>
  fc.constant<Step>({ kind })

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('send' as const), sender: fc.nat(2), gap: fc.constantFrom(0, 0, 0, 1) }),
  },
  { weight: 6, arbitrary: counted('tick', 12) },
  counted('mine', 4),
  counted('drop', 4),
  counted('reorg', 3),
  counted('travel', 100),
  counted('revert', 3),
  counted('store', 9),
  counted('stall', 3),
  ...(['faucet', 'code', 'snapshot', 'impersonate', 'pause', 'baseFee', 'deploy'] as const).map(plain),
)

/** Does one step; what the chain refuses (a reorg too deep, a snapshot that is gone) is part of the game. */
async function run({ request }: TestNode, action: Step): Promise<void> {
  const nonce = async (account: string) => Number(await request('eth_getTransactionCount', [account, 'pending']))
  const [sender] = [devAccount(0).address.toLowerCase()]
  try {
    switch (action.kind) {
      case 'send': {
        const from = devAccount(action.sender).address
        await request('eth_sendRawTransaction', [await signTransfer(action.sender, (await nonce(from)) + action.gap)])
        return
      }
      case 'tick':
        await request('devnet_tick', [action.n])
        return
      case 'mine':
        await request('anvil_mine', [`0x${action.n.toString(16)}`])
        return
      case 'drop':
        await request('devnet_dropPartialBlocks', [action.n, action.n % 2 === 0 ? 'requeue' : 'lose'])
        return
      case 'reorg':
        await request('devnet_reorg', [action.n, action.n % 2 === 0 ? 'requeue' : 'lose'])
        return
      case 'travel':
        await request('evm_increaseTime', [action.n])
        return
      case 'revert':
        await request('evm_revert', [`0x${action.n.toString(16)}`])
        return
      case 'store':
        await request('eth_sendTransaction', [
          { from: sender, to: CONTRACT, input: `0x${action.n.toString(16).padStart(64, '0')}`, gas: '0x30d40' },
        ])
        return
      case 'stall':
        await request('devnet_stallPartialBlocks', [action.n])
        return
      case 'faucet':
        await request('devnet_faucet', [EDITED, '0x5'])
        return
      case 'code':
        await request('anvil_setCode', [CONTRACT, STORE_AND_LOG])
        return
      case 'snapshot':
        await request('evm_snapshot')
        return
      case 'impersonate':
        await request('anvil_impersonateAccount', [IMPERSONATED])
        await request('devnet_faucet', [IMPERSONATED, '0xde0b6b3a7640000'])
        await request('eth_sendTransaction', [{ from: IMPERSONATED, to: EDITED, value: '0x1' }])
        return
      case 'pause':
        await request('devnet_pause')
        return
      case 'baseFee':
        await request('anvil_setNextBlockBaseFeePerGas', ['0x77359400'])
        return
      case 'deploy':
        await request('eth_sendTransaction', [{ from: sender, input: '0x6001600c60003960016000f300', gas: '0x30d40' }])
        return
      default:
        action satisfies never
    }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
  }
}

/** All that a node knows of its chain and that its clients may ask for. */
async function present({ request }: TestNode): Promise<unknown> {
  const head = Number(await request('eth_blockNumber'))
  const blocks: unknown[] = []
  for (let number = 0; number <= head; number++) {
    const selector = `0x${number.toString(16)}`
    blocks.push([
      await request('eth_getBlockByNumber', [selector, true]),
      await request('eth_getBlockReceipts', [selector]),
      number > 0 && (await request('debug_traceBlockByNumber', [selector, { tracer: 'prestateTracer' }])),
      await request('eth_getBalance', [EDITED, selector]),
      await request('eth_getCode', [CONTRACT, selector]),
      await request('eth_getProof', [CONTRACT, ['0x0'], selector]),
    ])
  }
  const { chainTimeMs: _now, ...status } = await request('devnet_status')
  return {
    blocks,
    live: await request('eth_getBlockByNumber', ['pending', true]),
    receipts: await request('eth_getBlockReceipts', ['pending']),
    state: await request('devnet_exportState'),
    pool: await request('txpool_content'),
    logs: await request('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'pending' }]),
    trace: await request('debug_traceBlockByNumber', ['pending']),
    status,
  }
}

const reopen = (journal: MemoryJournal, clock: FakeClock) => createTestNode({}, { journal: journal.reopen(), clock })

describe('a chain that is opened again', () => {
  test('is what it was, whatever has happened', { timeout: 1_500_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.array(step, { maxLength: 8 }), async (steps, later) => {
        const journal = new MemoryJournal()
        const clock = new FakeClock()
        const node = await createTestNode(MANUAL, { journal, clock })
        for (const action of steps) await run(node, action)
        const before = await present(node)

        const again = await createTestNode({}, { journal: journal.afterCrash(), clock })
        expect(await present(again)).toEqual(before)

        // And it goes on as the other one would.
        for (const action of later) await run(node, action)
        for (const action of later) await run(again, action)
        expect(await present(again)).toEqual(await present(node))
      }),
      { numRuns: 400 },
    )
  })

  test('goes back to a snapshot of an earlier run', async () => {
    const journal = new MemoryJournal()
    const clock = new FakeClock()
    const node = await createTestNode(MANUAL, { journal, clock })
    await run(node, { kind: 'send', sender: 0, gap: 0 })
    await run(node, { kind: 'tick', n: 12 })
    await run(node, { kind: 'send', sender: 1, gap: 0 })
    await run(node, { kind: 'tick', n: 3 })
    await run(node, { kind: 'send', sender: 2, gap: 1 })
    const id = await node.request('evm_snapshot')
    const then = await present(node)
    await run(node, { kind: 'reorg', n: 1 })
    await run(node, { kind: 'tick', n: 30 })

    const again = await reopen(journal, clock)
    expect(await again.request('evm_revert', [id])).toBe(true)
    expect(await present(again)).toEqual(then)
    expect(await again.request('evm_revert', [id])).toBe(false)
    expect(await present(await createTestNode({}, { journal: journal.afterCrash(), clock }))).toEqual(then)
    expect(await again.request('evm_snapshot')).not.toBe(id)
  })

  test('loses nothing that was acknowledged, at whatever write it ends', { timeout: 1_500_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 20 }), async (choices) => {
        const journal = new MemoryJournal()
        const clock = new FakeClock()
        const node = await createTestNode(MANUAL, { journal, clock })
        const release = journal.hold()
        const acknowledged: Hex[] = []
        let nonce = 0
        const crashes: { readonly journal: MemoryJournal; readonly hashes: readonly Hex[] }[] = []
        for (const choice of choices) {
          if (choice === 0) release()
          if (choice === 1) void node.request('devnet_tick').catch(() => {})
          const sent = node.request('eth_sendRawTransaction', [await signTransfer(0, nonce++)])
          void sent.then((hash) => acknowledged.push(hash))
          if (choice === 0) await sent
          crashes.push({ journal: journal.afterCrash(), hashes: [...acknowledged] })
        }
        for (const crash of crashes) {
          const again = await createTestNode(MANUAL, { journal: crash.journal, clock })
          for (const hash of crash.hashes) {
            expect(await again.request('chain_transactionStatus', [hash])).toEqual({ status: 'Known' })
          }
        }
        release()
      }),
      { numRuns: 100 },
    )
  })

  test('goes on from now after a pause, without the ticks that it has missed', async () => {
    const journal = new MemoryJournal()
    const clock = new FakeClock()
    const node = await createTestNode({}, { journal, clock })
    await clock.advance(5_000)
    await node.node.close()
    const head = await node.request('eth_blockNumber')
    await clock.advance(60_000)
    const again = await reopen(journal, clock)
    expect(await again.request('eth_blockNumber')).toBe(head)
    await clock.advance(2_200)
    expect(Number(await again.request('eth_blockNumber'))).toBe(Number(head) + 2)
    const latest = await again.request('eth_getBlockByNumber', ['latest', false])
    expect(Math.abs(Number(latest?.timestamp) - clock.now() / 1000)).toBeLessThan(4)
  })

  test('stays paused where it was', async () => {
    const journal = new MemoryJournal()
    const clock = new FakeClock()
    const node = await createTestNode({}, { journal, clock })
    await node.request('devnet_pause')
    const again = await reopen(journal, clock)
    await clock.advance(10_000)
    expect(await again.request('eth_blockNumber')).toBe('0x0')
    expect((await again.request('devnet_status')).paused).toBe(true)
  })

  test('keeps what was sent after the next block too, when blocks were many', async () => {
    const journal = new MemoryJournal()
    const clock = new FakeClock()
    const node = await createTestNode(MANUAL, { journal, clock })
    await run(node, { kind: 'code' })
    for (let i = 1; i <= 6; i++) {
      await run(node, { kind: 'store', n: i })
      await node.request('anvil_mine', ['0x3c'])
    }
    const again = await reopen(journal, clock)
    for (const number of ['0x0', '0x69', '0x100', '0x169']) {
      const asked = ['eth_getStorageAt', [CONTRACT, '0x0', number]] as const
      const answer = (on: TestNode) => on.request(...asked).catch((error: RpcError) => error.message)
      expect(await answer(again)).toEqual(await answer(node))
    }
    expect(await again.request('eth_getBlockByNumber', ['0x3', true])).toEqual(
      await node.request('eth_getBlockByNumber', ['0x3', true]),
    )
    expect((await journal.readAll('diffs')).length).toBeLessThanOrEqual(256)
    expect((await journal.readAll('states')).filter(([key]) => key.startsWith('base')).length).toBe(1)
  })
})

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
    // Reads do not wait for it.
    expect((await node.request('txpool_status')).pending).toBe('0x1')
    expect(acknowledged).toBe(false)
    release()
    await sent
  })

  test('that has no room refuses what cannot be stored, and takes it once there is room', async () => {
    const journal = new MemoryJournal()
    const clock = new FakeClock()
    const node = await createTestNode(MANUAL, { journal, clock })
    await node.request('devnet_tick')
    journal.failNext(new JournalError('quota', 'there is no room left'))
    await expect(node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])).rejects.toMatchObject({
      error: { code: -32000, message: 'not stored: there is no room left', data: { journal: 'quota' } },
    })
    await node.request('devnet_tick')
    expect(await present(await reopen(journal, clock))).toEqual(await present(node))
  })

  test('that was taken over is told of, and nothing more is acknowledged', async () => {
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

  test('of another format, or that is damaged, is refused in words', async () => {
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

  test('goes on only with the options that its chain was started with', async () => {
    const journal = new MemoryJournal()
    await createTestNode({ ...MANUAL, seed: 7, chainId: 5 }, { journal })
    await expect(createTestNode({ seed: 8 }, { journal: journal.reopen() })).rejects.toThrow(
      'the stored chain was started with seed 7, not 8',
    )
    const again = await createTestNode({ seed: 7, mode: 'manual' }, { journal: journal.reopen() })
    expect(await again.request('eth_chainId')).toBe('0x5')
  })
})
