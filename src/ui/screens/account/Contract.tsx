import type { Address } from '#primitives/hex.ts'
import { AppLink } from '#ui/components/AppLink.tsx'
import type { KnownContract } from '#ui/decode/known-contracts.ts'
import { useContracts } from '#ui/queries/use-contracts.ts'
import { ContractView } from '#ui/screens/contracts/call/ContractView.tsx'
import { useProxy } from '#ui/screens/contracts/call/use-proxy.ts'

/** A proxy that the page does not know has no functions but those of the contract behind it. */
const UNKNOWN_PROXY: KnownContract = { name: 'Proxy', abi: [] }

/** The functions, events and source of a contract, if the page knows its ABI, or that of the contract behind it. */
export function Contract({ address }: { address: Address }) {
  const contract = useContracts().get(address)
  const proxy = useProxy(address)
  const about = contract?.wellKnown?.about
  if (about !== undefined) return <p className="empty">{about}</p>
  if (contract || proxy) return <ContractView address={address} contract={contract ?? UNKNOWN_PROXY} />
  return (
    <p className="empty">
      The page does not know this contract’s ABI, so it cannot show its functions. To add it, open{' '}
      <AppLink to="/contracts">Contracts</AppLink> and choose “At address…”.
    </p>
  )
}
