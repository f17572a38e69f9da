import type { PrivateKeyAccount } from 'viem'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import { toQuantity } from '#primitives/hex.ts'
import { askToExecute } from '#ui/execution/refused-call.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'
import { formatEth } from '#ui/format/numbers.ts'
import { fetchFeeFacts, suggestedFeeCap } from './fee-facts.ts'
import { inTurn } from './in-turn.ts'
import { submitRaw } from './submit-raw.ts'

export interface Transfer {
  readonly sender: PrivateKeyAccount
  /** The sender's name on the page: `Account 0`. */
  readonly senderName: string
  readonly to: Address
  /** Wei. */
  readonly value: bigint
}

/**
 * Signs a transfer in the page and submits it raw, after earlier ones, so that their nonces do not collide.
 *
 * @throws {ExplainedError} If the balance cannot cover it.
 * @throws {ProviderRpcError} If the node refuses it, or the recipient is a contract that does.
 */
export function sendTransfer(provider: BlinknetProvider, transfer: Transfer): Promise<Hash> {
  return inTurn(() => signAndSubmit(provider, transfer))
}

async function signAndSubmit(provider: BlinknetProvider, { sender, senderName, to, value }: Transfer): Promise<Hash> {
  const from = sender.address.toLowerCase() as Address
  const { chainId, nextNonce, balance, baseFee, tip } = await fetchFeeFacts(provider, from)
  const maxFeePerGas = suggestedFeeCap(baseFee, tip)
  assertFunds(balance, value, 21_000n * maxFeePerGas, senderName)
  const call = { from, to, value: toQuantity(value) }
  const gas = await askToExecute({ call, block: 'pending' }, () =>
    provider.request({ method: 'eth_estimateGas', params: [call, 'pending'] }),
  )
  assertFunds(balance, value, BigInt(gas) * maxFeePerGas, senderName)
  const raw = await sender.signTransaction({
    type: 'eip1559',
    chainId,
    nonce: nextNonce,
    to,
    value,
    gas: BigInt(gas),
    maxFeePerGas,
    maxPriorityFeePerGas: tip,
  })
  return submitRaw(provider, raw, { from, to, value })
}

function assertFunds(balance: bigint, value: bigint, fee: bigint, senderName: string): void {
  if (balance >= value + fee) return
  throw new ExplainedError(
    `${senderName} has insufficient funds.`,
    `It has ${formatEth(balance)}; this transfer needs ${formatEth(value)} and up to ${formatEth(fee, 6)} for gas. ` +
      'Lower the amount, or send from another account.',
  )
}
