import { memo, type ReactNode, useMemo } from 'react'
import { SelectField } from '#ui/components/form/SelectField.tsx'
import { othersLines, othersText } from '#ui/format/contract-text.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { CodeLines, lineClass } from './CodeLines.tsx'
import { highlightLines, splitLines, type Token } from './highlight-solidity.ts'
import styles from './SourceView.module.css'

const css = classNames(styles)

const NO_TOKENS: readonly Token[] = []

/** Height of a line, in rem. */
const LINE = 1.5

/** A stretch of a source; lines and columns from 1. */
export interface SourceStretch {
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/** What stands before a line. */
export interface LineMargin {
  /** Number of the line, or a button with it. */
  readonly number?: ReactNode
  /** A column before the text. */
  readonly before?: ReactNode
  /** From 0 to 1: how strongly the line is tinted. */
  readonly heat?: number
}

/**
 * A source to read; only the lines in sight are drawn. It is not the editor: CodeMirror would weigh fifty times as much.
 *
 * @param current - What is marked, and brought into sight.
 * @param start - Where nothing is marked, the line that is in sight at first.
 * @param marginOf - What stands before a line; lines are counted from 1.
 */
export function SourceView({
  label,
  content,
  current,
  start,
  marginOf,
  columns = '3.25rem',
}: {
  label: string
  content: string
  current?: SourceStretch | undefined
  start?: number | undefined
  marginOf?: (line: number) => LineMargin
  /** Widths of the margin's columns. */
  columns?: string
}) {
  const lines = useMemo(() => splitLines(content), [content])
  const tokens = useMemo(() => highlightLines(lines), [lines])
  const at = current?.line
  const inSight = at ?? start
  return (
    <CodeLines
      label={label}
      className={css('lines')}
      count={lines.length}
      lineHeight={LINE}
      current={inSight === undefined ? undefined : inSight - 1}
      renderLine={(index, top) => {
        const line = index + 1
        const { number = line, before, heat } = marginOf?.(line) ?? {}
        const look = css('line', line === at && 'current', heat !== undefined && heat > 0 && 'heated')
        return (
          <li
            key={index}
            className={`${lineClass} ${look}`}
            style={{
              transform: `translateY(${top}px)`,
              gridTemplateColumns: `${columns} max-content`,
              ...tint(heat),
            }}
            aria-current={line === at ? 'step' : undefined}
            aria-setsize={lines.length}
            aria-posinset={line}
          >
            <span className={css('number')}>{number}</span>
            {before}
            <code className={css('text')}>
              <Line
                tokens={tokens[index] ?? NO_TOKENS}
                marked={current && stretchOf(current, line, lines[index] ?? '')}
              />
            </code>
          </li>
        )
      }}
    />
  )
}

/** As strong as leaves every colour of the text a contrast of 4.5. */
function tint(heat: number | undefined): { background?: string } {
  if (heat === undefined || heat <= 0) return {}
  return { background: `color-mix(in srgb, var(--preconfirmed) ${Math.round(4 + heat * 20)}%, transparent)` }
}

/** The columns of a line that a stretch covers; `undefined` unless the stretch begins in it. */
function stretchOf(stretch: SourceStretch, line: number, text: string): readonly [number, number] | undefined {
  if (line !== stretch.line) return undefined
  const end = stretch.endLine === line ? stretch.endColumn - 1 : text.length
  return [stretch.column - 1, end]
}

/** A line's tokens, with a background for the marked ones. Memoized: of the lines in sight, a step changes two. */
const Line = memo(function Line({
  tokens,
  marked,
}: {
  tokens: readonly Token[]
  marked: readonly [number, number] | undefined
}) {
  let at = 0
  return tokens.map(({ text, kind }, i) => {
    const from = at
    at += text.length
    if (!marked || at <= marked[0] || from >= marked[1]) return <Part key={i} kind={kind} text={text} />
    const start = Math.max(0, marked[0] - from)
    const end = Math.min(text.length, marked[1] - from)
    return (
      <span key={i}>
        <Part kind={kind} text={text.slice(0, start)} />
        <mark className={css('mark')}>
          <Part kind={kind} text={text.slice(start, end)} />
        </mark>
        <Part kind={kind} text={text.slice(end)} />
      </span>
    )
  })
})

/** Spelt out only here, so that the columns of a mark are those of the source. */
function Part({ kind, text }: Token) {
  if (text === '') return null
  const shown = othersLines(text)
  return kind === 'plain' ? shown : <span className={css(kind)}>{shown}</span>
}

/**
 * Chooses one of several sources; nothing if there is only one.
 *
 * @param shown - Index of the one that is shown.
 */
export function FileField({
  paths,
  shown,
  onShow,
}: {
  paths: readonly string[]
  shown: number
  onShow: (source: number) => void
}) {
  if (paths.length < 2) return null
  return (
    <SelectField label="File" value={shown} onChange={(value) => onShow(Number(value))}>
      {paths.map((path, i) => (
        <option key={path} value={i}>
          {othersText(path)}
        </option>
      ))}
    </SelectField>
  )
}
