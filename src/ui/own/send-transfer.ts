import type { BlinknetProvider } from '#client/session/provider.ts'
import { devSigner } from '#client/signing/dev-signer.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import { toQuantity } from '#primitives/hex.ts'
import { askToExecute } from '#ui/execution/refused-call.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'
import { formatEth } from '#ui/format/numbers.ts'
import { fetchFeeFacts, suggestedFeeCap } from './fee-facts.ts'
import { handIn } from './hand-in.ts'
import { inTurn } from './in-turn.ts'

/** Who sends a transfer. */
interface TransferSender {
  /** The key of a development account, which the page has; without it the account is impersonated. */
  readonly index?: number | undefined
  readonly name: string
  readonly address: Address
}

export interface Transfer {
  readonly sender: TransferSender
  readonly to: Address
  /** Wei. */
  readonly value: bigint
}

/**
 * Hands in a transfer, after earlier ones, so that their nonces do not collide.
 *
 * @throws {ExplainedError} If the balance cannot cover it.
 * @throws {ProviderRpcError} If the node refuses it, or the recipient is a contract that does.
 */
export function sendTransfer(provider: BlinknetProvider, transfer: Transfer): Promise<Hash> {
  return inTurn(() => signAndSubmit(provider, transfer))
}

async function signAndSubmit(provider: BlinknetProvider, { sender, to, value }: Transfer): Promise<Hash> {
  const from = sender.address
  const call = { from, to, value: toQuantity(value) }
  // Sent together.
  const fetching = fetchFeeFacts(provider, from)
  const estimating = askToExecute({ call, block: 'pending' }, () =>
    provider.request({ method: 'eth_estimateGas', params: [call, 'pending'] }),
  )
  // Missing funds are said in words first.
  estimating.catch(() => {})
  const { chainId, nextNonce, balance, baseFee, tip } = await fetching
  const maxFeePerGas = suggestedFeeCap(baseFee, tip)
  assertFunds(balance, value, 21_000n * maxFeePerGas, sender.name)
  const gas = await estimating
  assertFunds(balance, value, BigInt(gas) * maxFeePerGas, sender.name)
  const by = sender.index === undefined ? ({ source: 'impersonated', address: from } as const) : devSigner(sender.index)
  const tx = {
    type: 'eip1559',
    chainId,
    nonce: nextNonce,
    to,
    value,
    gas: BigInt(gas),
    maxFeePerGas,
    maxPriorityFeePerGas: tip,
  } as const
  return handIn(provider, by, tx, { from, to, value })
}

function assertFunds(balance: bigint, value: bigint, fee: bigint, name: string): void {
  if (balance >= value + fee) return
  throw new ExplainedError(
    `${name} has insufficient funds.`,
    `It has ${formatEth(balance)}; this transfer needs ${formatEth(value)} and up to ${formatEth(fee, 6)} for gas. ` +
      'Lower the amount, or send from another account.',
  )
}
