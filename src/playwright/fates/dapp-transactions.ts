import type { Play } from '#fates/play.ts'
import type { Chain } from '#library/chain.ts'
import type { DappTransaction } from './judge.ts'

/** What became of the dapp's transactions, as the chains themselves say. */
export async function transactionsOf(
  play: Pick<Play, 'sent'>,
  chains: readonly { readonly name: string; readonly own: Chain }[],
): Promise<readonly DappTransaction[]> {
  const found: DappTransaction[] = []
  for (const { chain, hash, isKnown, from, to, value, input, nonce } of play.sent) {
    const own = chains.find(({ name }) => name === chain)?.own
    if (!own) continue
    const timeline = await own.request({ method: 'devnet_getTransactionTimeline', params: [hash] })
    if (!timeline) continue
    const last = timeline.events.findLast(({ kind }) => kind !== 'received')
    const does = JSON.stringify([chain, from, to, value, input])
    found.push({ chain, hash, does, nonce, timeline, isSealed: last?.kind === 'sealed', isKnown })
  }
  return found
}
