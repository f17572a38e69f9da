import { useMemo, useState } from 'react'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Button } from '#ui/components/Button.tsx'
import { CopyButton } from '#ui/components/CopyButton.tsx'
import { othersText } from '#ui/format/contract-text.ts'
import { formatInteger } from '#ui/format/numbers.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './JsonView.module.css'
import { type JsonLine, jsonLines } from './json-lines.ts'
import { targetOf } from './value-target.ts'

const css = classNames(styles)

/** How many lines are shown at first, and after a request for more. */
const FIRST_LINES = 300
const MORE_LINES = 3_000

/** A formatted JSON value; hexadecimal numbers also show their decimal value. */
export function JsonView({ label, value }: { label: string; value: unknown }) {
  const [limit, setLimit] = useState(FIRST_LINES)
  const { lines, cut } = useMemo(() => jsonLines(value, limit), [value, limit])
  const raw = useMemo(() => JSON.stringify(value, undefined, 2) ?? 'null', [value])
  return (
    <div className={css('view')}>
      <div className={css('copy')}>
        <CopyButton value={raw} label={label} />
      </div>
      {/* Scrollable areas must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={css('scroll')} aria-label={label} tabIndex={0}>
        <pre className={css('lines')}>
          {lines.map((line, i) => (
            // Lines are identified by their index.
            <Line key={i} line={line} />
          ))}
        </pre>
        {cut && limit < MORE_LINES && (
          <Button size="small" onClick={() => setLimit(MORE_LINES)}>
            Show more
          </Button>
        )}
        {cut && limit >= MORE_LINES && (
          <p className={`${css('note')} note`}>
            These are the first {formatInteger(MORE_LINES)} lines of {formatInteger(raw.length)} characters. Copy to get
            all of them.
          </p>
        )}
      </section>
    </div>
  )
}

function Line({ line: { indent, name, text, kind, hint, comma } }: { line: JsonLine }) {
  const target = kind === 'text' ? targetOf(text, name) : undefined
  return (
    <div className={css('line')} style={{ paddingLeft: `${indent * 2 + 2}ch` }}>
      {name !== undefined && <span className={css('name')}>{othersText(JSON.stringify(name))}: </span>}
      <span className={css(kind, hint !== undefined && 'hinted')} title={hint}>
        {target === undefined ? text : <AppLink to={target}>{text}</AppLink>}
      </span>
      {comma && ','}
      {hint !== undefined && <span className={css('hint')}> {hint}</span>}
    </div>
  )
}
