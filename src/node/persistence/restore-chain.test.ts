import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { CONTRACT, present, run, step } from '#testing/node/persistence/chain-steps.ts'
import { createTestNode, type RpcError, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { runsOf } from '#testing/primitives/runs.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'

const MANUAL = { mode: 'manual' } as const

const reopen = (journal: MemoryJournal, clock: FakeClock) => createTestNode({}, { journal: journal.reopen(), clock })

describe('a reopened chain', () => {
  test('is the same as before, whatever the operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.array(step, { maxLength: 8 }), async (steps, later) => {
        const journal = new MemoryJournal()
        const clock = new FakeClock()
        const node = await createTestNode(MANUAL, { journal, clock })
        for (const action of steps) await run(node, action)
        const before = await present(node)

        const again = await createTestNode({}, { journal: journal.afterCrash(), clock })
        expect(await present(again)).toEqual(before)

        // The restored chain continues as the original would.
        for (const action of later) await run(node, action)
        for (const action of later) await run(again, action)
        expect(await present(again)).toEqual(await present(node))
      }),
      { numRuns: runsOf(25) },
    )
  })

  test('executes requeued transactions after those that were waiting and before later ones, wherever it is opened', async () => {
    const journal = new MemoryJournal()
    const clock = new FakeClock()
    const node = await createTestNode(MANUAL, { journal, clock })
    const executed = async ({ request }: TestNode) => {
      await request('devnet_tick')
      return (await request('eth_getBlockByNumber', ['pending', false]))?.transactions
    }
    const withdrawn = await node.request('eth_sendTransaction', [{ from: DEV_KEYS[0]?.address, to: CONTRACT }])
    await run(node, { kind: 'tick', n: 1 })
    const waiting = await node.request('eth_sendTransaction', [{ from: DEV_KEYS[1]?.address, to: CONTRACT }])
    await run(node, { kind: 'withdraw' })
    const later = await node.request('eth_sendTransaction', [{ from: DEV_KEYS[1]?.address, to: CONTRACT }])

    const again = await createTestNode({}, { journal: journal.afterCrash(), clock })
    const place = new MemoryJournal()
    const taker = await createTestNode({}, { journal: place, clock, onReplaced() {} })
    await taker.request('devnet_importChain', [await node.request('devnet_exportChain')])
    const copy = await reopen(place, clock)
    expect(await executed(node)).toEqual([waiting, withdrawn, later])
    expect(await executed(again)).toEqual([waiting, withdrawn, later])
    expect(await executed(copy)).toEqual([waiting, withdrawn, later])
  })

  test('can be reverted to a snapshot of an earlier run', async () => {
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

  test('loses nothing that was acknowledged, after whichever write the node ends', async () => {
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
      { numRuns: runsOf(12) },
    )
  })

  test('still has everything that was announced as pre-confirmed, wherever the node ends', async () => {
    const choice = fc.constantFrom('send', 'tick', 'seal', 'hold', 'release')
    await fc.assert(
      fc.asyncProperty(fc.array(choice, { minLength: 5, maxLength: 30 }), async (choices) => {
        const journal = new MemoryJournal()
        const clock = new FakeClock()
        const node = await createTestNode(MANUAL, { journal, clock })
        await node.request('eth_subscribe', ['newPartialBlockTransactions'])
        const releases: (() => void)[] = []
        const release = () => releases.splice(0).forEach((go) => go())
        const nonces = [0, 0, 0]
        const under: Promise<unknown>[] = []
        for (const [i, what] of choices.entries()) {
          const sender = i % 3
          if (what === 'send') {
            const nonce = nonces[sender] ?? 0
            nonces[sender] = nonce + 1
            const raw = await signTransfer(sender, nonce, { tip: BigInt(1 + ((i * 7) % 5)) })
            under.push(node.request('eth_sendRawTransaction', [raw]))
          } else if (what === 'tick') under.push(node.request('devnet_tick'))
          else if (what === 'seal') under.push(node.request('devnet_seal'))
          else if (what === 'hold') releases.push(journal.hold())
          else release()
          await new Promise((resolve) => void setImmediate(resolve))

          const told = node.notifications.map(({ result }) => result)
          const again = await createTestNode({}, { journal: journal.afterCrash(), clock })
          const known: unknown[] = []
          const head = Number(await again.request('eth_blockNumber'))
          for (const number of [...Array.from({ length: head }, (_, n) => `0x${(n + 1).toString(16)}`), 'pending']) {
            known.push(...((await again.request('eth_getBlockByNumber', [number, false]))?.transactions ?? []))
          }
          expect(known.slice(0, told.length)).toEqual(told)
        }
        release()
        await Promise.all(under)
      }),
      { numRuns: runsOf(10) },
    )
  })

  test('continues from now after a pause, without the missed ticks', async () => {
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

  test('runs on, after whichever write the nodes before it ended', async () => {
    const clock = new FakeClock()
    const crashes: MemoryJournal[] = []
    const watched = (journal: MemoryJournal) => {
      const write = journal.write.bind(journal)
      journal.write = async (changes) => {
        await write(changes)
        crashes.push(journal.afterCrash())
      }
      return journal
    }
    await createTestNode({}, { journal: watched(new MemoryJournal()), clock })
    await clock.advance(4_200)
    const first = crashes.splice(0)
    expect(first.length).toBeGreaterThan(20)
    // Runs that opened a chain, too: it may end before its clock ticks.
    for (const journal of first) await createTestNode({}, { journal: watched(journal), clock })
    await clock.advance(0)
    for (const journal of [...first, ...crashes.splice(0)]) {
      const again = await createTestNode({}, { journal: journal.afterCrash(), clock })
      expect((await again.request('devnet_status')).paused).toBe(false)
    }
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

  test('keeps later transactions, too, after many blocks', async () => {
    const journal = new MemoryJournal()
    const clock = new FakeClock()
    const node = await createTestNode(MANUAL, { journal, clock })
    await run(node, { kind: 'code' })
    for (let i = 1; i <= 6; i++) {
      await run(node, { kind: 'store', n: i })
      await node.request('anvil_mine', ['0xc8'])
    }
    const again = await reopen(journal, clock)
    for (const number of ['0x0', '0x69', '0x3af', '0x3b0', '0x400', '0x4b0']) {
      const asked = ['eth_getStorageAt', [CONTRACT, '0x0', number]] as const
      const answer = (on: TestNode) => on.request(...asked).catch((error: RpcError) => error.message)
      expect(await answer(again)).toEqual(await answer(node))
    }
    expect(await again.request('eth_getBlockByNumber', ['0x3', true])).toEqual(
      await node.request('eth_getBlockByNumber', ['0x3', true]),
    )
    expect((await journal.readAll('diffs')).length).toBeLessThan(1_024)
    expect((await journal.readAll('states')).filter(([key]) => key.startsWith('base')).length).toBe(1)
  })
})
