import { SHIPPED_VERSION } from '#client/solidity-compiler.ts'
import { othersText } from '#ui/format/contract-text.ts'
import { formatCount } from '#ui/format/numbers.ts'
import type { FoundProject } from '#ui/screens/contracts/project/found-files.ts'
import { settingsWords } from '#ui/screens/contracts/project/settings-words.ts'

/** Most names shown of what was left out. */
const NAMES_SHOWN = 8

/** What was opened, and what was left out. */
export function Opened({ found: { project, leftOut, unimported, config } }: { found: FoundProject }) {
  const rest = leftOut.length - NAMES_SHOWN
  return (
    <div role="status">
      <p>
        Opened “{othersText(project.name)}” with {formatCount(Object.keys(project.files).length, 'file')}.
      </p>
      {config.tool !== undefined && (
        <p className="note">
          Compiler options are those of {config.tool}’s settings: {settingsWords(project.settings)}.
          {config.compiler !== undefined &&
            config.compiler !== SHIPPED_VERSION &&
            ` The project asks for solc ${config.compiler}. The page has ${SHIPPED_VERSION}, which gives other bytecode.`}
        </p>
      )}
      {unimported > 0 && (
        <p className="note">Of its libraries, {formatCount(unimported, 'file')} that no source imports are left out.</p>
      )}
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
