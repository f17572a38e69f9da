import { othersText } from '#ui/format/contract-text.ts'
import { formatCount } from '#ui/format/numbers.ts'
import type { FoundProject } from '#ui/screens/contracts/project/found-files.ts'

/** Most names shown of what was left out. */
const NAMES_SHOWN = 8

/** What was opened, and what was left out. */
export function Opened({ found: { project, leftOut } }: { found: FoundProject }) {
  const rest = leftOut.length - NAMES_SHOWN
  return (
    <div role="status">
      <p>
        Opened “{othersText(project.name)}” with {formatCount(Object.keys(project.files).length, 'file')}.
      </p>
      {leftOut.length > 0 && (
        <p className="note">
          Left out:{' '}
          {leftOut
            .slice(0, NAMES_SHOWN)
            .map((path) => othersText(path))
            .join(', ')}
          {rest > 0 ? ` and ${rest} more` : ''}.
        </p>
      )}
    </div>
  )
}
