import { encodeDeployData } from 'viem'
import { create } from 'zustand'
import type { BlinknetProvider } from '#client/session/provider.ts'
import { devSigner } from '#client/signing/dev-signer.ts'
import type { CompiledContract } from '#compiler/messages.ts'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import { sendCall } from '#ui/compose/send-call.ts'
import { awaitContract } from '#ui/decode/known-contracts.ts'
import { useSender } from '#ui/own/sender.ts'
import type { FormValues } from '#ui/screens/contracts/call/use-call-form.ts'
import { settleAwaited } from './settle-awaited.ts'

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

/** A compiled contract with bytecode. */
export type Deployable = CompiledContract & { readonly bytecode: Hex }

/**
 * Deploys a contract from the chosen account. The page remembers it from then on, and its address once a block includes
 * it, even before the seal.
 *
 * @throws {ProviderRpcError} If the node refuses the transaction, or its constructor would revert.
 */
export async function deploy(
  provider: BlinknetProvider,
  { contract, source, values }: { contract: Deployable; source: string; values: FormValues },
): Promise<Hash> {
  const { name, abi, bytecode } = contract
  const hasConstructor = abi.some(({ type }) => type === 'constructor')
  const hash = await sendCall(provider, {
    sender: devSigner(useSender.getState().index),
    to: null,
    value: values.value,
    data: encodeDeployData({ abi, bytecode, args: hasConstructor ? values.args : [] }),
  })
  useShown.setState({ deployment: { hash, name } })
  awaitContract(hash, { name, abi, source })
  settleAwaited(provider, hash, selectContract)
  return hash
}
