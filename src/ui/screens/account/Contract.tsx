import type { Address } from '#primitives/hex.ts'
import { AppLink } from '#ui/components/AppLink.tsx'
import { usableContract } from '#ui/decode/knowledge.ts'
import { useContracts } from '#ui/decode/known-contracts.ts'
import { ContractView } from '#ui/screens/contracts/ContractView.tsx'

/** The functions, events and source of a contract, as far as the page knows its ABI. */
export function Contract({ address }: { address: Address }) {
  const contract = usableContract(useContracts(), address)
  if (contract) return <ContractView address={address} contract={contract} />
  return (
    <p className="empty">
      The page does not know the ABI of this contract, so it cannot show its functions. Add the ABI under{' '}
      <AppLink to="/contracts">Contracts</AppLink> with “At address…”.
    </p>
  )
}
