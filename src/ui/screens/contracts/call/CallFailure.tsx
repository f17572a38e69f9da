import type { ReactNode } from 'react'
import { ProviderRpcError } from '#client/session/provider.ts'
import type { Address, Hex } from '#primitives/hex.ts'
import { RevertView } from '#ui/chain/decoded/RevertView.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { decodeRevert } from '#ui/decode/decode-revert.ts'
import { useContracts } from '#ui/decode/known-contracts.ts'

/** geth's code for a call that the contract reverted. */
const REVERTED = 3

/** Why a call failed before anything was sent; with the contract's reason if the contract refused. */
export function CallFailure({
  error,
  address,
  children,
}: {
  error: unknown
  address: Address | null
  children?: ReactNode
}) {
  const contracts = useContracts()
  const data = revertData(error)
  if (data === undefined) return <ErrorNote error={error} />
  return (
    <div role="alert">
      <RevertView revert={decodeRevert(contracts, [address], data)} />
      {children}
    </div>
  )
}

/** Data that the contract returned; `undefined` if it was not the contract that refused. */
export function revertData(error: unknown): Hex | undefined {
  if (!(error instanceof ProviderRpcError) || (error.code !== REVERTED && error.data === undefined)) return undefined
  return typeof error.data === 'string' && /^0x([0-9a-f]{2})*$/i.test(error.data) ? (error.data as Hex) : '0x'
}
