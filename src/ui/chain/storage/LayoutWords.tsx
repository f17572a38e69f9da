import type { Address as AddressHex } from '#primitives/hex.ts'
import type { NamedAccount } from '#solidity/worker/messages.ts'
import { Address } from '#ui/chain/Address.tsx'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { useIsCompleting } from '#ui/queries/known-builds.ts'

/** Whose layout it is that variables are named by, or why none are named. */
export function LayoutWords({
  named,
  implementation,
  isPast = false,
}: {
  named: NamedAccount | undefined
  /** If it is not the contract's own. */
  implementation: AddressHex | undefined
  /** Whether it is about what the proxy ran at an earlier time. */
  isPast?: boolean
}) {
  const isCompleting = useIsCompleting()
  if (!named)
    return 'The page has no source for this code. Compile it on the Contracts screen to see its variables here.'
  const contract = <strong>{othersText(named.contract, LONGEST_NAME)}</strong>
  if (!named.hasLayout && isCompleting)
    return <>The build of {contract} has no storage layout. Its sources are being compiled to get one…</>
  if (!named.hasLayout)
    return <>The build of {contract} has no storage layout. Compile it again to see its variables.</>
  return (
    <>
      Variables of {contract} ({othersText(named.path)})
      {implementation && (
        <>
          , which this proxy {isPast ? 'ran' : 'runs'} at <Address address={implementation} />
        </>
      )}
    </>
  )
}
