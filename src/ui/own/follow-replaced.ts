import type { NodeSession } from '#client/session/session.ts'
import type { Hash } from '#primitives/hex.ts'
import { liveFeed } from '#ui/feed/store.ts'
import type { KeptChain } from './keep-replaced.ts'
import type { ReplacedTransaction } from './replaced-transactions.ts'

let followed: KeptChain | undefined

/** Loaded with the first transaction that another one takes the place of, or that the node does not know. */
const keeping = () => import('./keep-replaced.ts')

/** If the file does not come, replaced transactions are not kept: the chain has them until the page is reloaded. */
const unkept = () => {}

/** Keeps the transactions that this page saw wait and that others took the place of, if the chain survives a reload. */
export function followReplaced({ provider, chain }: Pick<NodeSession, 'provider' | 'chain'>): void {
  if (chain === undefined) return
  const kept = { provider, chain }
  followed = kept
  liveFeed.subscribe(({ transactions }, before) => {
    if (transactions === before.transactions) return
    for (const { hash, status } of transactions.values()) {
      if (status !== 'replaced' || before.transactions.get(hash)?.status !== 'mempool') continue
      void keeping().then(({ noteReplaced }) => noteReplaced(kept, hash), unkept)
    }
  })
}

/** A replaced transaction, from before a reload, too. */
export async function earlierReplaced(hash: Hash): Promise<ReplacedTransaction | undefined> {
  if (!followed) return undefined
  const kept = followed
  return (await keeping()).recallReplaced(kept, hash)
}

/** Forgets all of them: another chain has begun. */
export function forgetEarlierReplaced(): void {
  const kept = followed
  if (kept) void keeping().then(({ dropReplaced }) => dropReplaced(kept), unkept)
}
