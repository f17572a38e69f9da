import type { Address } from '#primitives/hex.ts'
import { AppLink } from '#ui/components/AppLink.tsx'
import { usableContract } from '#ui/decode/knowledge.ts'
import { useContracts } from '#ui/decode/known-contracts.ts'
import { ContractView } from '#ui/screens/contracts/call/ContractView.tsx'

/** The functions, events and source of a contract, if the page knows its ABI. */
export function Contract({ address }: { address: Address }) {
  const contract = usableContract(useContracts(), address)
  if (contract) return <ContractView address={address} contract={contract} />
  return (
    <p className="empty">
      The page does not know this contract’s ABI, so it cannot show its functions. To add it, open{' '}
      <AppLink to="/contracts">Contracts</AppLink> and choose “At address…”.
    </p>
  )
}
