import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { settleContract } from '#ui/decode/known-contracts.ts'
import { liveFeed } from '#ui/feed/store.ts'

/** Deployments that are being watched. */
const watched = new Set<Hash>()

/**
 * Finds out what became of a deployment, and waits for it if needed; a second call does not wait twice.
 *
 * @param onSettled - Called with the contract's address, if there is one.
 */
export function settleAwaited(provider: BlinknetProvider, hash: Hash, onSettled: (address: Address) => void): void {
  if (watched.has(hash)) return
  watched.add(hash)
  settle(provider, hash, onSettled)
    .finally(() => watched.delete(hash))
    .catch(reportUnlessGone)
}

async function settle(provider: BlinknetProvider, hash: Hash, onSettled: (address: Address) => void): Promise<void> {
  if (await settleNow(provider, hash, onSettled)) return
  await whenIncluded(hash)
  // If the chain has ended, it stays awaited, as the same chain may come back.
  await settleNow(provider, hash, onSettled)
}

/** @returns Whether there is nothing left to wait for. */
async function settleNow(
  provider: BlinknetProvider,
  hash: Hash,
  onSettled: (address: Address) => void,
): Promise<boolean> {
  const [receipt, tx] = await Promise.all([
    provider.request({ method: 'eth_getTransactionReceipt', params: [hash] }),
    provider.request({ method: 'eth_getTransactionByHash', params: [hash] }),
  ])
  if (!receipt && tx) return false
  const address = receipt?.status === '0x1' ? (receipt.contractAddress ?? undefined) : undefined
  settleContract(hash, address)
  if (address) onSettled(address)
  return true
}

/** The connection state shows when the node is gone; the check runs again at the next visit. */
function reportUnlessGone(error: unknown): void {
  if (!(error instanceof ProviderRpcError) || error.code !== ERROR_CODES.disconnected) throw error
}

/** Whether a transaction gets into a block, sealed or not; `false` if it is dropped or the chain ends. */
export function whenIncluded(hash: Hash): Promise<boolean> {
  return new Promise((resolve) => {
    function check(): boolean {
      const { live, transactions } = liveFeed.getState()
      const status = transactions.get(hash)?.status
      const isIncluded = status === 'preconfirmed' || status === 'sealed'
      if (isIncluded || status === 'dropped' || status === 'replaced' || !live) resolve(isIncluded)
      else return false
      return true
    }
    if (check()) return
    const stop = liveFeed.subscribe(() => {
      if (check()) stop()
    })
  })
}
