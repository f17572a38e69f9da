import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SealedBlock } from '#node/payload/block.ts'
import { encodeBlock, readBlockBody, readBlockHead, readBlockStart } from '#node/storage/block-record.ts'
import { fromBase64 } from '#primitives/base64.ts'
import { toQuantity } from '#primitives/hex.ts'
import { changesChain } from '#rpc-types/effects.ts'
import { EFFECTS } from '#rpc-types/method-tables.derived.ts'
import { openTestFilm } from '#testing/node/film/open-test-film.ts'
import { editFile } from '#testing/node/persistence/chain-files.ts'
import { run, type Step, step } from '#testing/node/persistence/chain-steps.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'

/** What can be asked of a chain at one moment. */
async function look({ request }: TestNode) {
  const { live, head } = await request('devnet_status')
  return {
    live,
    head,
    pending: await request('eth_getBlockByNumber', ['pending', true]),
    latest: await request('eth_getBlockByNumber', ['latest', true]),
    receipts: await request('eth_getBlockReceipts', ['pending']),
    state: await request('devnet_exportState'),
    logs: await request('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'pending' }]),
    trace: await request('debug_traceBlockByNumber', ['pending', { tracer: 'prestateTracer' }]),
  }
}

type Look = Awaited<ReturnType<typeof look>>

const placeOf = ({ live }: Pick<Look, 'live'>) => `${Number(live.number)}/${live.index}`

/** The schedule of earlier blocks is not in a file. */
function withoutTimes({ live: { sealsAtMs: _at, nextTickAtMs: _next, ...live }, ...rest }: Look) {
  return { ...rest, live }
}

async function exported({ request }: TestNode): Promise<Uint8Array> {
  return fromBase64(await request('devnet_exportChain'))
}

async function momentsOf({ request }: TestNode) {
  const moments = await request('devnet_getMoments')
  if (!moments) throw new Error('this is no film')
  return moments
}

/** A chain of two blocks whose partial blocks hold transactions, and a pending one; how it looked at each of them. */
async function grow() {
  const chain = await createTestNode({ mode: 'manual' })
  const looks = new Map<string, Look>()
  for (let i = 0; i < 24; i++) {
    if (i % 2 === 0) await chain.request('eth_sendRawTransaction', [await signTransfer(0, i / 2)])
    if (i === 5) await chain.request('devnet_faucet', [devAccount(7).address, '0x5'])
    const seen = await look(chain)
    looks.set(placeOf(seen), seen)
    if (i === 9) await chain.request('devnet_seal')
    else await chain.request('devnet_tick')
  }
  await chain.request('eth_sendRawTransaction', [await signTransfer(2, 3)])
  return { chain, looks, film: await openTestFilm(await exported(chain)) }
}

describe('a film', () => {
  test('begins with its last moment, which is the chain as it was exported, with its pool', async () => {
    const { chain, film } = await grow()
    expect(withoutTimes(await look(film))).toEqual(withoutTimes(await look(chain)))
    expect(await film.request('txpool_content')).toEqual(await chain.request('txpool_content'))
    const { count, shown, hiddenBlocks } = await momentsOf(film)
    expect(shown).toBe(count - 1)
    expect(hiddenBlocks).toBe(0)
    expect(await film.request('devnet_status')).toMatchObject({ film: true, paused: true })
  })

  test('is backwards and forwards what the chain was live', async () => {
    const { looks, film } = await grow()
    const { count } = await momentsOf(film)
    const there = Array.from({ length: count }, (_, moment) => moment)
    const walk = [...there.toReversed(), ...there, 3, 11, 2, count - 1, 0]
    let compared = 0
    for (const moment of walk) {
      const { number, index } = await film.request('devnet_showMoment', [moment])
      expect((await momentsOf(film)).shown).toBe(moment)
      const seen = await look(film)
      expect(seen.live).toMatchObject({ number, index })
      const live = looks.get(placeOf(seen))
      if (!live) continue
      compared++
      expect(withoutTimes(seen)).toEqual(withoutTimes(live))
    }
    expect(compared).toBeGreaterThan(2 * looks.size - 4)
  })

  test('does not know later transactions at an earlier moment', async () => {
    const { film } = await grow()
    const block = await film.request('eth_getBlockByNumber', ['pending', false])
    const [hash] = block?.transactions ?? []
    expect(hash).toBeDefined()
    await film.request('devnet_showMoment', [0])
    expect(await film.request('eth_getTransactionByHash', [hash])).toBeNull()
    expect(await film.request('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
    expect(await film.request('eth_blockNumber')).toBe('0x0')
  })

  test('tells subscribers and filters what is taken back and what comes', async () => {
    const { film } = await grow()
    const id = await film.request('eth_subscribe', ['newHeads'])
    const { count } = await momentsOf(film)
    await film.request('devnet_showMoment', [0])
    await film.request('devnet_showMoment', [count - 1])
    const heads = film.notifications.filter(({ subscription }) => subscription === id)
    expect(heads.map(({ result }) => (result as { number: string }).number)).toEqual(['0x1', '0x2'])
  })

  test('can be exported at a moment; that chain goes on from there', async () => {
    const { film, looks } = await grow()
    await film.request('devnet_showMoment', [4])
    const again = await openTestFilm(await exported(film))
    const seen = await look(again)
    expect(withoutTimes(seen)).toEqual(withoutTimes(looks.get(placeOf(seen)) as Look))
  })

  test('refuses every method that changes a chain, with one sentence that says how to go on', async () => {
    const { film } = await grow()
    const before = await look(film)
    const names = [...Object.keys(EFFECTS).filter(changesChain), 'anvil_nodeInfo']
    const refused: string[] = []
    for (const method of names) {
      const answer = await film.raw(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }))
      if (/this chain is a film and cannot be changed: to go on from here/.test(answer ?? '')) refused.push(method)
    }
    expect(names.filter((name) => !refused.includes(name))).toEqual(['anvil_nodeInfo'])
    expect(refused.length).toBeGreaterThan(70)
    expect(await look(film)).toEqual(before)
  })

  test('says which moment it does not have', async () => {
    const { film } = await grow()
    const { count } = await momentsOf(film)
    await expect(film.request('devnet_showMoment', [count])).rejects.toThrow(`the film has no moment ${count}`)
    expect((await momentsOf(film)).shown).toBe(count - 1)
  })

  test('has the pre-confirmations that were taken back, at the moments before that', async () => {
    const chain = await createTestNode({ mode: 'manual' })
    const looks: Look[] = []
    const tick = async () => {
      await chain.request('devnet_tick')
      looks.push(await look(chain))
    }
    looks.push(await look(chain))
    await chain.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
    await tick()
    await chain.request('devnet_faucet', [devAccount(7).address, '0x5'])
    looks[1] = await look(chain)
    await chain.request('eth_sendRawTransaction', [await signTransfer(1, 0)])
    await tick()
    await tick()
    await chain.request('devnet_dropPartialBlocks', ['0x2', 'lose'])
    looks.push(await look(chain))
    await chain.request('eth_sendRawTransaction', [await signTransfer(2, 0)])
    await tick()
    await chain.request('devnet_seal')
    looks.push(await look(chain))
    const film = await openTestFilm(await exported(chain))
    const { runs, count } = await momentsOf(film)
    expect(runs).toEqual([
      { number: '0x1', first: 0, transactions: [0, 1, 1, 0], takenFrom: 2 },
      { number: '0x1', first: 1, transactions: [1, 1] },
      { number: '0x2', first: 0, transactions: [0] },
    ])
    expect(count).toBe(looks.length)
    for (const moment of [6, 5, 4, 3, 2, 1, 0, 3, 4, 6, 0]) {
      await film.request('devnet_showMoment', [moment])
      expect((await momentsOf(film)).shown).toBe(moment)
      expect(withoutTimes(await look(film))).toEqual(withoutTimes(looks[moment] as Look))
    }
  })

  test('has nothing of what a reset or a reorg of sealed blocks has taken back', async () => {
    const { chain } = await grow()
    await chain.request('devnet_dropPartialBlocks')
    await chain.request('devnet_reset')
    await chain.request('devnet_tick')
    const { runs } = await momentsOf(await openTestFilm(await exported(chain)))
    expect(runs).toEqual([{ number: '0x1', first: 0, transactions: [0, 0] }])
  })

  test('of a long chain begins where states are kept, and says how many blocks are hidden', async () => {
    const chain = await createTestNode({ mode: 'manual' })
    await chain.request('anvil_mine', ['0x12c'])
    const film = await openTestFilm(await exported(chain))
    const { hiddenBlocks, runs, count } = await momentsOf(film)
    expect({ hiddenBlocks, first: Number(runs[0]?.number), count }).toEqual({ hiddenBlocks: 45, first: 46, count: 256 })
    await film.request('devnet_showMoment', [0])
    expect(await film.request('eth_blockNumber')).toBe(toQuantity(45))
  })

  test('stays where it is if a block of the file cannot be executed again, and says why', async () => {
    const { chain } = await grow()
    const file = await exported(chain)
    // The hash of a block does not cover which partial block a transaction was in.
    const broken = editFile(file, (entries) =>
      entries.map((entry) => (entry.part === 'blocks' ? { ...entry, value: withIndex(entry.value, 2 ** 40) } : entry)),
    )
    const film = await openTestFilm(broken)
    const before = await look(film)
    await expect(film.request('devnet_showMoment', [0])).rejects.toThrow(/block 1 of the film cannot be shown/)
    expect(await look(film)).toEqual(before)
  })
})

test('a chain that is not a film has no moments', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  expect(await request('devnet_getMoments')).toBeNull()
  await expect(request('devnet_showMoment', [0])).rejects.toThrow(/this chain is no film/)
})

test('whatever a chain did, its film shows each moment that stands as it was', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      const chain = await createTestNode({ mode: 'manual' })
      const looks = new Map<string, Look[]>()
      for (const each of steps.flatMap(singly)) {
        await run(chain, each)
        const seen = await look(chain)
        looks.set(placeOf(seen), [...(looks.get(placeOf(seen)) ?? []), seen])
      }
      const film = await openTestFilm(await exported(chain))
      const { count } = await momentsOf(film)
      for (const moment of [...Array(count).keys()].reverse()) {
        await film.request('devnet_showMoment', [moment])
        const seen = await look(film)
        // A transaction that was taken back and came again leaves the hash as it was, in another partial block.
        const live = looks.get(placeOf(seen))?.filter(({ pending }) => pending?.hash === seen.pending?.hash) ?? []
        // Blocks that were taken back are not in the file.
        if (live.length === 0) continue
        compared++
        expect(live.map(withoutTimes)).toContainEqual(withoutTimes(seen))
      }
      await chain.node.close()
      await film.node.close()
    }),
    { numRuns: 8 },
  )
  expect(compared).toBeGreaterThan(8)
})

/** The record of a block whose transactions are all in one partial block. */
function withIndex(record: Uint8Array, partialIndex: number): Uint8Array {
  const { transactions, ...body } = readBlockBody(record)
  return encodeBlock({
    ...readBlockStart(record),
    ...readBlockHead(record),
    ...body,
    transactions: transactions.map((included) => ({ ...included, partialIndex })),
  } as unknown as SealedBlock)
}

/** An action in steps of one tick or block. */
function singly(action: Step): readonly Step[] {
  if (action.kind !== 'tick' && action.kind !== 'mine') return [action]
  return Array.from({ length: action.n }, () => ({ ...action, n: 1 }))
}
