import { ProviderRpcError } from '#client/session/provider.ts'
import { toQuantity } from '#primitives/hex.ts'
import { formatInteger } from '#ui/format/numbers.ts'
import { GWEI, type OffenceContext, signDynamicFee } from './offence.ts'

/** Makes sure that the signer's nonce 0 is used, at least by a pre-confirmed transaction. */
export async function spendNonce(context: OffenceContext): Promise<void> {
  const { provider, address } = context
  const [next, pool, status, block] = await Promise.all([
    provider.request({ method: 'eth_getTransactionCount', params: [address, 'pending'] }),
    provider.request({ method: 'txpool_contentFrom', params: [address] }),
    provider.request({ method: 'devnet_status' }),
    provider.request({ method: 'eth_getBlockByNumber', params: ['pending', false] }),
  ])
  if (BigInt(next) > 0n && !('0' in pool.pending)) return
  const feeCap = 2n * BigInt(block?.baseFeePerGas ?? '0x0') + GWEI
  const raw = await signDynamicFee(context, { nonce: BigInt(next), feeCap })
  if (status.mode === 'auto' && !status.paused) {
    await provider.request({ method: 'eth_sendRawTransactionSync', params: [raw] })
    return
  }
  await provider.request({ method: 'eth_sendRawTransaction', params: [raw] })
  // Without a running clock, partial blocks come only on request.
  await provider.request({ method: 'devnet_tick', params: [1] })
}

/** Most transactions that the mempool accepts from one sender. */
const MOST = 2_000
const AT_ONCE = 100

/**
 * Sends transactions behind a nonce gap until the mempool accepts no more.
 *
 * @returns A nonce after all of theirs.
 */
export async function fillMempool({ provider, address, farNonce, cleanUp, report }: OffenceContext): Promise<bigint> {
  let nonce = farNonce
  let full = false
  const last = farNonce + BigInt(MOST)
  while (!full && nonce < last) {
    const batch = Array.from({ length: AT_ONCE }, (_, i) => toQuantity(nonce + BigInt(i)))
    const results = await Promise.allSettled(
      batch.map((quantity) =>
        provider.request({
          method: 'eth_sendTransaction',
          params: [
            {
              from: address,
              to: address,
              nonce: quantity,
              gas: '0x5208',
              maxFeePerGas: '0x1',
              maxPriorityFeePerGas: '0x1',
              value: '0x0',
            },
          ],
        }),
      ),
    )
    for (const result of results) {
      if (result.status === 'fulfilled') cleanUp(result.value)
      else if (result.reason instanceof ProviderRpcError && result.reason.message === 'txpool is full') full = true
      else throw result.reason
    }
    nonce += BigInt(AT_ONCE)
    report(`${formatInteger(nonce - farNonce)} of ${formatInteger(MOST)}`)
  }
  return nonce
}
