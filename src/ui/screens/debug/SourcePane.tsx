import type { StepSources } from '#solidity/steps/step-sources.ts'
import { type LineMargin, SourceView } from '#ui/chain/source/SourceView.tsx'
import { toggleBreakpoint } from '#ui/execution/source-track.ts'
import { othersText } from '#ui/format/contract-text.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './SourcePane.module.css'
import type { Debugger } from './use-debugger.ts'

const css = classNames(styles)

/**
 * The source of the current step, with its line marked and a breakpoint button for each line at which one can stop.
 *
 * @param place - Index of the step's place.
 * @param shown - Index of the source that is shown.
 */
export function SourcePane({
  found,
  place,
  shown,
  debug,
}: {
  found: StepSources
  place: number
  shown: number
  debug: Debugger
}) {
  const source = found.sources[shown]
  const current = found.places[place]
  if (!source) return null
  const stoppable = linesOf(found, shown)
  const marginOf = (line: number): LineMargin => {
    if (!stoppable.has(line)) return {}
    const isSet = debug.lines.get(source.path)?.has(line) === true
    return {
      number: (
        <button
          type="button"
          className={css('stop', isSet && 'set')}
          aria-pressed={isSet}
          aria-label={`Breakpoint at line ${line}`}
          title={isSet ? 'Remove the breakpoint' : 'Set a breakpoint'}
          onClick={() => debug.setLines(toggleBreakpoint(debug.lines, source.path, line))}
        >
          {line}
        </button>
      ),
    }
  }
  return (
    <SourceView
      key={source.path}
      label={`Source ${othersText(source.path)}`}
      content={source.content}
      current={current?.source === shown ? current : undefined}
      marginOf={marginOf}
      columns="3.5rem"
    />
  )
}

const LINES = new WeakMap<StepSources, Map<number, ReadonlySet<number>>>()

/** The lines of a source at which a step of the run stands. */
function linesOf(found: StepSources, source: number): ReadonlySet<number> {
  const all = LINES.get(found) ?? new Map<number, ReadonlySet<number>>()
  LINES.set(found, all)
  const known = all.get(source)
  if (known) return known
  const lines = new Set(found.places.flatMap((place) => (place.source === source && place.isInside ? place.line : [])))
  all.set(source, lines)
  return lines
}
