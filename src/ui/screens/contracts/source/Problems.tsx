import { CircleX, Info, TriangleAlert } from 'lucide-react'
import type { Diagnostic, MessagePlace } from '#compiler/messages.ts'
import { othersLines, othersText } from '#ui/format/contract-text.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Problems.module.css'

const css = classNames(styles)

const SIGNS = {
  error: { Icon: CircleX, word: 'Error' },
  warning: { Icon: TriangleAlert, word: 'Warning' },
  info: { Icon: Info, word: 'Note' },
} as const

/** Advice for solc errors whose message does not say what to do, by number. */
const ADVICE: Readonly<Record<string, string>> = {
  // The pragma excludes this compiler.
  '5333': 'Change the pragma line, for example to: pragma solidity ^0.8.20;',
}

/**
 * The compiler's messages.
 *
 * @param onGoTo - Makes the place of each a link.
 */
export function Problems({
  diagnostics,
  onGoTo,
}: {
  diagnostics: readonly Diagnostic[]
  onGoTo?: (place: MessagePlace) => void
}) {
  if (diagnostics.length === 0) return undefined
  return (
    <ul className={css('list')} aria-label="Problems">
      {diagnostics.map((diagnostic) => (
        <li
          key={`${diagnostic.code} ${diagnostic.place?.file} ${diagnostic.place?.from} ${diagnostic.message}`}
          className={css('item')}
        >
          <Problem diagnostic={diagnostic} onGoTo={onGoTo} />
        </li>
      ))}
    </ul>
  )
}

function Problem({
  diagnostic: { severity, message, code, place, advice: told },
  onGoTo,
}: {
  diagnostic: Diagnostic
  onGoTo: ((place: MessagePlace) => void) | undefined
}) {
  const { Icon, word } = SIGNS[severity]
  const advice = told ?? (code === undefined ? undefined : ADVICE[code])
  return (
    <>
      <Icon size={15} aria-hidden="true" className={css('icon', severity)} />
      <div className={css('text')}>
        <p>
          <span className={css('word')}>{word}</span>
          {place && (
            <>
              {' '}
              {onGoTo ? (
                <button type="button" className={css('place')} onClick={() => onGoTo(place)}>
                  {placeWords(place)}
                </button>
              ) : (
                placeWords(place)
              )}
            </>
          )}
        </p>
        <p>{othersLines(message)}</p>
        {advice !== undefined && <p className="muted">{othersLines(advice)}</p>}
      </div>
    </>
  )
}

function placeWords({ file, line, column }: MessagePlace): string {
  return `${othersText(file)}, line ${line}, column ${column}`
}
