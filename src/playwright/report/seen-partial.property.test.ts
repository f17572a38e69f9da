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

/** Whether the chain went back from one to the other, over a sealed block. */
function isBehind(later: SeenPartial, earlier: SeenPartial | undefined): boolean {
  if (!earlier || later.withdrawn) return false
  return later.number < earlier.number || (later.number === earlier.number && later.index < earlier.index)
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
      const snapshots: `0x${string}`[] = []
      for (const act of acts) {
        const before = partials.length
        if (act === 'send') await chain.request({ method: 'eth_sendTransaction', params: [{ from, to, value: '0x1' }] })
        else if (act === 'tick') await chain.tick()
        else if (act === 'seal') await chain.seal()
        else if (act === 'snapshot') snapshots.push(await chain.request({ method: 'evm_snapshot' }))
        else if (act === 'revert') {
          const id = snapshots.pop()
          if (id) await chain.request({ method: 'evm_revert', params: [id] })
        } else {
          const { live } = await chain.request({ method: 'devnet_status' })
          if (live && live.index > 0) await chain.request({ method: 'devnet_dropPartialBlocks', params: [1, act] })
        }
        const block = (await chain.request({ method: 'eth_getBlockByNumber', params: ['pending', false] })) as SeenBlock
        if (partials.length > before) had.set(partials.length, block)
      }
      const { node, close } = await loadChain(await chain.exportChain(), {}, { clock: new FakeClock(), log: () => {}, film: true })
      await chain.close()
      const line = new ChainTimes((await ask(node, 'devnet_getMoments')) as FilmMoments, { partials, skipped: 0 })
      for (const [count, { number, transactions }] of had) {
        const [seen, next] = [partials[count - 1], partials[count]]
        // Cut again, with more, as a seal does: only the last of them is a moment.
        if (next && next.number === seen?.number && next.index === seen.index && !next.withdrawn) continue
        // Blocks that the chain went back before are not in its file.
        if (partials.slice(count).some((later, i) => isBehind(later, seen) && isBehind(later, partials[count + i - 1]))) {
          continue
        }
        await ask(node, 'devnet_showMoment', line.atEndOf({ seen: [count], tookMs: 0 }, 0, 0))
        const shown = (await ask(node, 'eth_getBlockByNumber', 'pending', false)) as SeenBlock
        expect({ count, number: shown.number, transactions: shown.transactions }).toEqual({ count, number, transactions })
      }
      await close()
    }),
    { numRuns: 40 },
  )
})
