import { useQuery } from '@tanstack/react-query'
import type { Hash } from '#primitives/hex.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'
import { useFeed } from '#ui/feed/store.ts'
import { earlierReplaced } from '#ui/own/follow-replaced.ts'
import { replacedBy, useReplacedTransactions } from '#ui/own/replaced-transactions.ts'

/** The waiting transaction that this one replaced, if the page saw it. */
export function useReplaced(tx: Pick<RpcTransaction, 'hash' | 'from' | 'nonce'> | null): Hash | undefined {
  const hash = tx?.hash
  // What was stored before a reload is read once something asks for it.
  useQuery({
    queryKey: ['replaced', hash],
    queryFn: async () => (hash && (await earlierReplaced(hash))) ?? null,
    enabled: hash !== undefined,
  })
  const earlier = useReplacedTransactions((replaced) => hash && replacedBy(replaced, hash))
  const seen = useFeed(({ transactions }) => {
    if (!tx) return undefined
    const taken = Number(tx.nonce)
    for (const { hash: other, from, nonce, status } of transactions.values()) {
      if (status === 'replaced' && from === tx.from && nonce === taken && other !== tx.hash) return other
    }
    return undefined
  })
  return seen ?? earlier ?? undefined
}
