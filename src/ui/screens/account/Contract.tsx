import type { Address } from '#primitives/hex.ts'
import { AppLink } from '#ui/components/AppLink.tsx'
import type { KnownContract } from '#ui/decode/known-contracts.ts'
import { useContracts } from '#ui/queries/use-contracts.ts'
import { ContractView } from '#ui/screens/contracts/call/ContractView.tsx'
import { useGuess } from '#ui/screens/contracts/call/use-guess.ts'
import { useProxy } from '#ui/screens/contracts/call/use-proxy.ts'

/** A proxy that the page does not know has no functions but those of the contract behind it. */
const UNKNOWN_PROXY: KnownContract = { name: 'Proxy', abi: [] }

/**
 * The functions, events and source of a contract: by its ABI if the page knows it, or that of the contract behind it;
 * otherwise those whose selectors are known.
 */
export function Contract({ address }: { address: Address }) {
  const contracts = useContracts()
  const contract = contracts.get(address)
  const proxy = useProxy(address)
  // Nothing is guessed before the builds were asked whose code it is.
  const isLooked = contracts.standing(address) !== undefined
  const guess = useGuess(contract || !isLooked ? undefined : address)
  const about = contract?.wellKnown?.about
  if (about !== undefined) return <p className="empty">{about}</p>
  if (contract) return <ContractView address={address} contract={contract} />
  if (guess) return <ContractView address={address} contract={guess.contract} guess={guess} />
  if (proxy) return <ContractView address={address} contract={UNKNOWN_PROXY} />
  return (
    <p className="empty">
      The page does not know this contract’s ABI, and finds no functions in its code. To add its ABI, open{' '}
      <AppLink to="/contracts">Contracts</AppLink> and choose “At address…”.
    </p>
  )
}
