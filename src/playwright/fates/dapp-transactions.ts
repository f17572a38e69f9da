import type { Play } from '#fates/play.ts'
import type { Chain } from '#library/chain.ts'
import type { DappTransaction } from './judge.ts'

/** What became of the dapp's transactions, as the chains themselves say. */
export async function transactionsOf(
  play: Pick<Play, 'sentOn' | 'eventsOf' | 'happened'>,
  chains: readonly { readonly name: string; readonly own: Chain }[],
): Promise<readonly DappTransaction[]> {
  // Whichever send it was: the dapp may rightly be in doubt.
  const isKnown = !play.happened.some(({ fault, effect }) => fault.kind === 'lost-answer' && effect)
  const found: DappTransaction[] = []
  const sent = chains.flatMap(({ name, own }) => play.sentOn(name).map((hash) => ({ chain: name, own, hash })))
  for (const { chain, own, hash } of sent) {
    const events = await play.eventsOf(chain, hash)
    const transaction = await own.request({ method: 'eth_getTransactionByHash', params: [hash] })
    const { from, to, value, input, nonce } = transaction ?? {}
    found.push({
      chain,
      hash,
      // A transaction that is lost can do nothing, so it is like no other.
      does: transaction ? JSON.stringify([chain, from, to, value, input]) : hash,
      nonce: Number(nonce ?? 0),
      events,
      isSealed: events.findLast(({ kind }) => kind !== 'received')?.kind === 'sealed',
      isKnown,
    })
  }
  return found
}
