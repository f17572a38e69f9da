import fc from 'fast-check'
import { expect, test } from 'vitest'
import { subscribe } from '#client/session/subscribe.ts'
import { createChain } from '#library/index.ts'
import { ChainTimes } from '#report/chain-times.ts'
import type { SeenPartial } from '#report/test-record.ts'
import { ask } from '#rpc-types/ask.ts'
import type { FilmMoments } from '#rpc-types/methods/devnet.ts'
import type { PartialBlockDiff } from '#rpc-types/subscriptions.ts'
import { loadChain } from '#server/state/load-chain.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { seenPartial } from './seen-partial.ts'

/** What a test may do to a chain. */
const ACTS = ['send', 'tick', 'tick', 'tick', 'seal', 'requeue', 'lose', 'snapshot', 'revert'] as const

/** A pending block as a client sees it. */
interface SeenBlock {
  readonly number: string
  readonly transactions: readonly string[]
}

/**
 * Whether the chain later went back, over a seal, to before a partial block, or to its block, which had been taken back before:
 * it is not in its file then.
 */
function isAbandoned(partials: readonly SeenPartial[], place: number): boolean {
  return partials.some((back, i) => {
    if (i <= place || back.number >= (partials[i - 1]?.number ?? 0)) return false
    const stood = partials.slice(0, i).findLastIndex(({ index, hash }) => index === back.index && hash === back.hash)
    const isOfBlock = partials[place]?.number === back.number
    return stood < place || (isOfBlock && partials.slice(place + 1, stood + 1).some(({ withdrawn }) => withdrawn))
  })
}

test('after each partial block that a test has seen, the film shows the chain that the test had', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...ACTS), { minLength: 1, maxLength: 25 }), async (acts) => {
      const chain = await createChain({ clock: 'manual', partialsPerBlock: 4 })
      const partials: SeenPartial[] = []
      const had = new Map<number, SeenBlock>()
      await subscribe(chain, 'newPartialBlocks', ['diff'], (payload) => {
        partials.push(seenPartial(payload as PartialBlockDiff, partials.at(-1)))
      })
      const [from = '0x', to = '0x'] = await chain.request({ method: 'eth_accounts' })
      const snapshots: { readonly id: `0x${string}`; readonly in: string }[] = []
      const open = async () => (await chain.request({ method: 'devnet_status' })).head.number
      for (const act of acts) {
        const before = partials.length
        if (act === 'send') await chain.request({ method: 'eth_sendTransaction', params: [{ from, to, value: '0x1' }] })
        else if (act === 'tick') await chain.tick()
        else if (act === 'seal') await chain.seal()
        else if (act === 'snapshot')
          snapshots.push({ id: await chain.request({ method: 'evm_snapshot' }), in: await open() })
        else if (act === 'revert') {
          const snapshot = snapshots.pop()
          // Over a seal: within a block the file does not tell versions apart that have the same transactions.
          if (snapshot && snapshot.in !== (await open())) {
            await chain.request({ method: 'evm_revert', params: [snapshot.id] })
          }
        } else {
          const { live } = await chain.request({ method: 'devnet_status' })
          if (live && live.index > 0) await chain.request({ method: 'devnet_dropPartialBlocks', params: [1, act] })
        }
        const block = (await chain.request({ method: 'eth_getBlockByNumber', params: ['pending', false] })) as SeenBlock
        if (partials.length > before) had.set(partials.length, block)
      }
      const { node, close } = await loadChain(
        await chain.exportChain(),
        {},
        { clock: new FakeClock(), log: () => {}, film: true },
      )
      await chain.close()
      const line = new ChainTimes((await ask(node, 'devnet_getMoments')) as FilmMoments, { partials, skipped: 0 })
      for (const [count, { number, transactions }] of had) {
        const [seen, next] = [partials[count - 1], partials[count]]
        // Cut again, with more, as a seal does: only the last of them is a moment.
        if (next && next.number === seen?.number && next.index === seen.index && !next.withdrawn) continue
        if (isAbandoned(partials, count - 1)) continue
        await ask(node, 'devnet_showMoment', line.atEndOf({ seen: [count], tookMs: 0 }, 0, 0))
        const shown = (await ask(node, 'eth_getBlockByNumber', 'pending', false)) as SeenBlock
        expect({ count, number: shown.number, transactions: shown.transactions }).toEqual({
          count,
          number,
          transactions,
        })
      }
      await close()
    }),
    { numRuns: 40 },
  )
})
