import type { BlinknetProvider } from '#client/session/provider.ts'
import { type Address, type Hash, type Hex, toQuantity } from '#primitives/hex.ts'
import { askToExecute } from '#ui/execution/refused-call.ts'
import { fetchFeeFacts } from '#ui/own/fee-facts.ts'
import { handIn, type SendingAccount } from '#ui/own/hand-in.ts'
import { inTurn } from '#ui/own/in-turn.ts'
import { completeTransaction, toViem } from './complete.ts'

export interface ContractSend {
  readonly sender: SendingAccount
  /** `null` for a new contract. */
  readonly to: Address | null
  /** Wei. */
  readonly value: bigint
  readonly data: Hex
  /** Gas limit; by default the node's estimate. */
  readonly gas?: bigint | undefined
}

/** Earlier transactions in the block may change what the call does, so allow a fifth more than the estimate. */
const withHeadroom = (gas: bigint) => (gas * 6n) / 5n

/**
 * Hands in a call with suggested fees and gas, after earlier ones.
 *
 * @throws {ProviderRpcError} If the node refuses it; with code 3 and the contract's data if the call would revert.
 */
export function sendCall(provider: BlinknetProvider, { sender, to, value, data, gas }: ContractSend): Promise<Hash> {
  return inTurn(async () => {
    const from = sender.address.toLowerCase() as Address
    const call = { from, value: toQuantity(value), input: data, ...(to && { to }) }
    const [facts, limit] = await Promise.all([
      fetchFeeFacts(provider, from),
      gas ??
        askToExecute({ call, block: 'pending' }, () =>
          provider.request({ method: 'eth_estimateGas', params: [call, 'pending'] }),
        ).then((estimate) => withHeadroom(BigInt(estimate))),
    ])
    const automatic = { nonce: undefined, gas: undefined, feeCap: undefined, tip: undefined, copies: 1 }
    const tx = completeTransaction({ to, value, data, type: '2', ...automatic }, facts, limit)
    return handIn(provider, sender, toViem(tx), { from, to, value })
  })
}
