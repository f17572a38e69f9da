import { type BlinknetProvider, ProviderRpcError } from '#client/provider.ts'
import type { NodeSession } from '#client/spawn-node.ts'
import type { Hash } from '#primitives/hex.ts'
import { keep, readKept } from '#ui/shell/kept-text.ts'
import { type OwnTransaction, recallOwn, useOwnTransactions } from './own-transactions.ts'

/** Has what this tab sent outlive a reload, on a chain that does so too and as far as it still knows it. */
export async function keepOwn({ provider, chain }: Pick<NodeSession, 'provider' | 'chain'>): Promise<void> {
  if (chain === undefined) return
  const key = `blinknet:own:${chain}`
  const hashes = parse(readKept(key, 'visit'))
  useOwnTransactions.subscribe(({ sent }) => keep(key, JSON.stringify(sent.map(({ hash }) => hash)), 'visit'))
  if (hashes.length > 0) recallOwn(await find(provider, hashes))
}

async function find(provider: BlinknetProvider, hashes: readonly Hash[]): Promise<readonly OwnTransaction[]> {
  try {
    const found = await Promise.all(
      hashes.map((hash) => provider.request({ method: 'eth_getTransactionByHash', params: [hash] })),
    )
    return found.flatMap((tx) => (tx ? [{ hash: tx.hash, from: tx.from, to: tx.to, value: BigInt(tx.value) }] : []))
  } catch (error) {
    // The connection state tells of a node that is gone.
    if (error instanceof ProviderRpcError) return []
    throw error
  }
}

/** What somebody else wrote there counts for nothing. */
function parse(text: string | null): readonly Hash[] {
  try {
    const hashes: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(hashes) ? hashes.filter(isHash) : []
  } catch {
    return []
  }
}

function isHash(value: unknown): value is Hash {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value)
}
