import { CircleX, Info, TriangleAlert } from 'lucide-react'
import type { Diagnostic } from '#compiler/messages.ts'
import { othersLines } from '#ui/format/contract-text.ts'
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
  // Source not found.
  '6275': 'The editor has only one file. Replace the import with the source that it imports.',
  // The pragma excludes this compiler.
  '5333': 'Change the pragma line, for example to: pragma solidity ^0.8.20;',
}

/** The compiler's messages, each with a link to its place. */
export function Problems({
  source,
  diagnostics,
  onGoTo,
}: {
  source: string
  diagnostics: readonly Diagnostic[]
  onGoTo: (position: number) => void
}) {
  if (diagnostics.length === 0) return undefined
  return (
    <ul className={css('list')} aria-label="Problems">
      {diagnostics.map((diagnostic) => (
        <li key={`${diagnostic.code} ${diagnostic.range?.from} ${diagnostic.message}`} className={css('item')}>
          <Problem source={source} diagnostic={diagnostic} onGoTo={onGoTo} />
        </li>
      ))}
    </ul>
  )
}

function Problem({
  source,
  diagnostic: { severity, message, code, range },
  onGoTo,
}: {
  source: string
  diagnostic: Diagnostic
  onGoTo: (position: number) => void
}) {
  const { Icon, word } = SIGNS[severity]
  const advice = code === undefined ? undefined : ADVICE[code]
  return (
    <>
      <Icon size={15} aria-hidden="true" className={css('icon', severity)} />
      <div className={css('text')}>
        <p>
          <span className={css('word')}>{word}</span>
          {range && (
            <>
              {' '}
              <button type="button" className={css('place')} onClick={() => onGoTo(range.from)}>
                {placeOf(source, range.from)}
              </button>
            </>
          )}
        </p>
        <p>{othersLines(message)}</p>
        {advice !== undefined && <p className="muted">{advice}</p>}
      </div>
    </>
  )
}

/** A position in a text, counted from 1: `line 3, column 9`. */
export function placeOf(source: string, position: number): string {
  const before = source.slice(0, position).split('\n')
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}
