import type { BlinknetProvider } from '#client/session/provider.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import { fetchFeeFacts, suggestedFeeCap } from './fee-facts.ts'
import { handIn, type SendingAccount } from './hand-in.ts'
import { inTurn } from './in-turn.ts'
import { fetchNonceGap, fillable } from './nonce-gap.ts'

/**
 * Sends 0 ETH from an account to itself with each nonce that is missing now.
 *
 * @param below - As in `fetchNonceGap`.
 * @throws {ProviderRpcError} If the node refuses one.
 */
export function fillNonceGap(
  provider: BlinknetProvider,
  sender: SendingAccount,
  below?: number,
): Promise<readonly Hash[]> {
  return inTurn(async () => {
    const address = sender.address.toLowerCase() as Address
    const gap = await fetchNonceGap(provider, address, below)
    if (!gap) return []
    const { chainId, baseFee, tip } = await fetchFeeFacts(provider, address)
    const hashes: Hash[] = []
    for (const { first, last } of fillable(gap.missing)) {
      for (let nonce = first; nonce <= last; nonce++) {
        const tx = {
          type: 'eip1559',
          chainId,
          nonce,
          to: address,
          value: 0n,
          gas: 21_000n,
          maxFeePerGas: suggestedFeeCap(baseFee, tip),
          maxPriorityFeePerGas: tip,
        } as const
        hashes.push(await handIn(provider, sender, tx, { from: address, to: address, value: 0n }))
      }
    }
    return hashes
  })
}
