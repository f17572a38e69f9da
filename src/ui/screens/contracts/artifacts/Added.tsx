import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { formatCount } from '#ui/format/numbers.ts'
import type { AddedArtifacts } from './add-artifacts.ts'

/** Most names and files listed. */
const SHOWN = 8

/** What was added, what it lacks, and what was left out. */
export function Added({ added: { kept, unkept, refused, refusedCount } }: { added: AddedArtifacts }) {
  const contracts = sumOf(kept.map((build) => build.contracts))
  const missing = sumOf(kept.map((build) => build.missing))
  return (
    <>
      <p role="status">
        {kept.length === 0
          ? 'Nothing was added.'
          : `Added ${formatCount(contracts, 'contract')}: ${listed(
              kept.flatMap(({ names }) => names.map((name) => othersText(name, LONGEST_NAME))),
              contracts,
            )}.`}
      </p>
      {missing > 0 && (
        <div>
          <p>
            The text of {missing} of {formatCount(sumOf(kept.map(({ sources }) => sources)), 'source')} is missing or
            has changed since, so lines in {missing === 1 ? 'it' : 'them'} cannot be shown:{' '}
            {listed(
              kept.flatMap(({ missingPaths }) => missingPaths.map((path) => othersText(path))),
              missing,
            )}
            .
          </p>
          <p className="note">Compile again, and add the folder of the whole project: its sources are in there.</p>
        </div>
      )}
      {unkept > 0 && (
        <p>
          {formatCount(unkept, 'build')} {unkept === 1 ? 'was' : 'were'} left out: the page has no room for{' '}
          {unkept === 1 ? 'it' : 'them'}.
        </p>
      )}
      {refusedCount > 0 && (
        <div>
          <p>{formatCount(refusedCount, 'file')} could not be used:</p>
          <ul>
            {refused.slice(0, SHOWN).map(({ path, reason }, i) => (
              <li key={i}>
                {othersText(path)}: {othersText(reason)}
              </li>
            ))}
          </ul>
          {refusedCount > SHOWN && <p className="note">{refusedCount - SHOWN} more are not listed.</p>}
        </div>
      )}
    </>
  )
}

function listed(names: readonly string[], count: number): string {
  const shown = [...new Set(names)].slice(0, SHOWN)
  const rest = count - shown.length
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ')
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0)
}
