import { concatHex } from 'viem'
import { create } from 'zustand'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import { sendCall } from '#ui/compose/send-call.ts'
import { encodeValues } from '#ui/decode/encode-values.ts'
import { awaitContract } from '#ui/decode/known-contracts.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'
import { useSender } from '#ui/own/sender.ts'
import { sendingAccount } from '#ui/own/sending-account.ts'
import type { FormValues } from '#ui/screens/contracts/call/use-call-form.ts'
import { type Deployable, type Links, linkCode } from './link-libraries.ts'
import { settleAwaited, whenIncluded } from './settle-awaited.ts'

/** A deployment that was sent to the chain. */
export interface Deployment {
  readonly hash: Hash
  readonly name: string
}

interface Shown {
  readonly deployment: Deployment | undefined
  /** The selected contract. */
  readonly selected: Address | undefined
}

/** State of deployed contracts; survives leaving the screen. */
export const useShown = create<Shown>()(() => ({ deployment: undefined, selected: undefined }))

export function selectContract(selected: Address | undefined): void {
  useShown.setState({ selected })
}

/** A contract to deploy. */
interface Order {
  readonly contract: Deployable
  /** Text of its file. */
  readonly source: string | undefined
  readonly values: FormValues
  /** Addresses of the libraries that it needs. */
  readonly links?: Links
}

/**
 * Deploys a contract from the chosen account. The page remembers it from then on, and its address once a block includes
 * it, even before the seal.
 *
 * @throws {ProviderRpcError} If the node refuses the transaction, or its constructor would revert.
 */
export async function deploy(provider: BlinknetProvider, order: Order): Promise<Hash> {
  const { name } = order.contract
  const hash = await send(provider, order)
  useShown.setState({ deployment: { hash, name } })
  settleAwaited(provider, hash, selectContract)
  return hash
}

/**
 * Deploys a library and waits until a block includes it.
 *
 * @param signal - Ends the wait; what was sent stays sent.
 * @param onSent - Called once the node has it.
 * @returns Its address.
 * @throws {ExplainedError} If no block includes it.
 */
export async function deployLibrary(
  provider: BlinknetProvider,
  order: Omit<Order, 'values'>,
  signal: AbortSignal,
  onSent: () => void,
): Promise<Address> {
  const { name } = order.contract
  const hash = await send(provider, { ...order, values: { args: [], value: 0n } })
  onSent()
  settleAwaited(provider, hash, () => undefined)
  await Promise.race([whenIncluded(hash), whenAborted(signal)])
  if (signal.aborted) {
    throw new ExplainedError(
      `The deployment stopped before ${name} was in a block.`,
      'The library may still get there. The contract was not sent.',
    )
  }
  const receipt = await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  if (receipt?.status === '0x1' && receipt.contractAddress) return receipt.contractAddress
  throw new ExplainedError(
    `The library ${name} was not deployed.`,
    'Its transaction was dropped or failed, so the contract was not sent. Deploy again.',
  )
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

async function send(provider: BlinknetProvider, { contract, source, values, links }: Order): Promise<Hash> {
  const { name, abi } = contract
  const inputs = abi.find((item) => item.type === 'constructor')?.inputs ?? []
  const hash = await sendCall(provider, {
    sender: sendingAccount(useSender.getState()),
    to: null,
    value: values.value,
    data: concatHex([
      linkCode(contract, links ?? new Map()),
      encodeValues(inputs, inputs.length > 0 ? values.args : []),
    ]),
  })
  awaitContract(hash, { name, abi, source })
  return hash
}
