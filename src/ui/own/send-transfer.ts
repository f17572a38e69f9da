import type { PrivateKeyAccount } from 'viem'
import type { BlinknetProvider } from '#client/provider.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import { toQuantity } from '#primitives/hex.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'
import { formatEth } from '#ui/format/numbers.ts'
import { inTurn } from './in-turn.ts'
import { rememberOwn } from './own-transactions.ts'

export interface Transfer {
  readonly sender: PrivateKeyAccount
  /** How the page calls the sender: `Account 0`. */
  readonly senderName: string
  readonly to: Address
  /** Wei. */
  readonly value: bigint
}

/** The base fee may double before the transaction is included. */
const FEE_HEADROOM = 2n

/**
 * Signs a transfer in the page and submits it raw, after those before it, so that their nonces do not collide.
 *
 * @throws {ExplainedError} If the balance cannot cover it.
 * @throws {ProviderRpcError} If the node refuses it.
 */
export function sendTransfer(provider: BlinknetProvider, transfer: Transfer): Promise<Hash> {
  return inTurn(() => signAndSubmit(provider, transfer))
}

async function signAndSubmit(provider: BlinknetProvider, { sender, senderName, to, value }: Transfer): Promise<Hash> {
  const from = sender.address.toLowerCase() as Address
  const [chainId, nonce, balance, tip, pending] = await Promise.all([
    provider.request({ method: 'eth_chainId' }),
    provider.request({ method: 'eth_getTransactionCount', params: [from, 'pending'] }),
    provider.request({ method: 'eth_getBalance', params: [from, 'pending'] }),
    provider.request({ method: 'eth_maxPriorityFeePerGas' }),
    provider.request({ method: 'eth_getBlockByNumber', params: ['pending', false] }),
  ])
  const maxPriorityFeePerGas = BigInt(tip)
  const block = pending ?? (await provider.request({ method: 'eth_getBlockByNumber', params: ['latest', false] }))
  const maxFeePerGas = BigInt(block?.baseFeePerGas ?? '0x0') * FEE_HEADROOM + maxPriorityFeePerGas
  assertFunds(BigInt(balance), value, 21_000n * maxFeePerGas, senderName)
  const gas = await provider.request({
    method: 'eth_estimateGas',
    params: [{ from, to, value: toQuantity(value) }, 'pending'],
  })
  assertFunds(BigInt(balance), value, BigInt(gas) * maxFeePerGas, senderName)
  const raw = await sender.signTransaction({
    type: 'eip1559',
    chainId: Number(chainId),
    nonce: Number(nonce),
    to,
    value,
    gas: BigInt(gas),
    maxFeePerGas,
    maxPriorityFeePerGas,
  })
  const hash = await provider.request({ method: 'eth_sendRawTransaction', params: [raw] })
  rememberOwn({ hash, from, to, value })
  return hash
}

function assertFunds(balance: bigint, value: bigint, fee: bigint, senderName: string): void {
  if (balance >= value + fee) return
  throw new ExplainedError(
    `${senderName} has insufficient funds.`,
    `It has ${formatEth(balance)}; this transfer needs ${formatEth(value)} and up to ${formatEth(fee, 6)} for gas. ` +
      'Lower the amount, or send from another account.',
  )
}
