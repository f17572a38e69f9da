import { AppLink } from '#ui/components/AppLink.tsx'
import type { GuessedContract } from '#ui/decode/code-functions.ts'
import { formatCount } from '#ui/format/numbers.ts'

/** How many interfaces are named. */
const NAMED = 5

/** Says that functions are a guess, what the contract seems to be, and what is missing. */
export function GuessNote({ guess: { contract, of, unknown } }: { guess: GuessedContract }) {
  const known = contract.abi.length
  return (
    <div>
      <p className="note">
        {known === 0
          ? 'The page does not know this contract’s ABI, nor any of the functions in its code.'
          : `The page does not know this contract’s ABI. ${formatCount(known, 'function')} in its code ${known === 1 ? 'is' : 'are'} known by selector: ${namesOf(of)}. This is a guess, as other functions can have the same selector.`}{' '}
        Add its sources (<AppLink to="/contracts">Contracts</AppLink> or the tab Source) to be sure.
      </p>
      {unknown.length > 0 && (
        <details>
          <summary>{formatCount(unknown.length, 'other function')}, by selector</summary>
          <p className="mono">{unknown.join(' ')}</p>
        </details>
      )}
    </div>
  )
}

function namesOf(of: readonly string[]): string {
  const more = of.length - NAMED
  return [...of.slice(0, NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}
