import type { Hex } from '#primitives/hex.ts'
import { cutText } from '#ui/format/contract-text.ts'
import { useContracts } from '#ui/queries/use-contracts.ts'

/** Most characters of a name in a list. */
const LONGEST = 24

/** What a selector that no ABI explains is probably called, marked as a guess; the selector itself if nobody knows. */
export function MethodGuess({ selector }: { selector: Hex }) {
  const { bySelector } = useContracts()
  const known = bySelector?.(selector.toLowerCase() as Hex) ?? []
  // Errors have selectors, too.
  const name = known.flatMap(({ abi }) => abi.flatMap((item) => (item.type === 'function' ? [item.name] : [])))[0]
  if (name === undefined) return <span title={selector}>{selector}</span>
  return (
    <span title={`${name}: a guess by the selector ${selector}, which other functions can have, too.`}>
      {cutText(name, LONGEST)}
      <span aria-hidden="true">?</span>
      <span className="visually-hidden"> (a guess)</span>
    </span>
  )
}
