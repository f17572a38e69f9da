import { Pause, Play, StepBack, StepForward } from 'lucide-react'
import type { PointerEvent } from 'react'
import type { ChainTimes } from '#report/chain-times.ts'
import type { TestRecord } from '#report/test-record.ts'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { type FilmControls, placeOf } from '#ui/film/use-film.ts'
import { formatInteger, formatSeconds } from '#ui/format/numbers.ts'
import { partialNumber } from '#ui/format/partial-number.ts'
import { useShortcut } from '#ui/page/use-shortcut.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './LineOfTime.module.css'
import type { PlacedStep, TimeSpan } from './line-of-time.ts'
import { pictureUrl } from './pictures.ts'

const css = classNames(styles)

/** Pictures that are drawn along the line. */
const MOST_PICTURES = 12
/** Steps and partial blocks that are drawn one by one. */
const MOST_DRAWN = 2_000

export interface LineOfTimeProps {
  readonly record: TestRecord
  readonly steps: readonly PlacedStep[]
  readonly span: TimeSpan
  /** `undefined` until it is known. */
  readonly film: FilmControls | undefined
  /** `undefined` until the film is known. */
  readonly line: ChainTimes | undefined
  /** The step that is shown; -1 before the first. */
  readonly chosen: number
  readonly atMs: number
  readonly onMoment: (moment: number) => void
  readonly onStep: (step: number) => void
}

/** The test's pictures and steps and the chain's partial blocks, on one line of time. */
export function LineOfTime(props: LineOfTimeProps) {
  const { line, atMs, span, film, onMoment } = props
  const seek = (event: PointerEvent<HTMLDivElement>) => {
    if (!line || event.buttons !== 1) return
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const share = Math.max(0, Math.min(1, (event.clientX - left) / width))
    onMoment(line.at(span.from + share * (span.to - span.from)))
  }
  return (
    <section className={css('bar')} aria-label="Film">
      <div
        className={css('line')}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          seek(event)
        }}
        onPointerMove={seek}
      >
        <Pictures {...props} />
        <Lanes {...props} />
        <div className={css('now')} style={{ left: `${shareOf(span, atMs)}%` }} aria-hidden="true" />
        {film && <MomentInput {...props} film={film} />}
      </div>
      <div className={css('row')}>
        {film ? <Controls {...props} film={film} /> : <p className="muted">Opening the chain…</p>}
      </div>
      {film?.error && <ErrorNote error={film.error} />}
    </section>
  )
}

/** A time's place on the line, in percent. */
function shareOf({ from, to }: TimeSpan, atMs: number): number {
  return Math.max(0, Math.min(100, (100 * (atMs - from)) / (to - from)))
}

/** For the keyboard and for screen readers; what is drawn behind it takes the pointer. */
function MomentInput({ film, onMoment }: LineOfTimeProps & { film: FilmControls }) {
  return (
    <input
      type="range"
      aria-label="Moment"
      aria-valuetext={placeWords(film)}
      className={css('input')}
      min={0}
      max={film.moments.count - 1}
      step={1}
      value={film.at}
      onChange={({ target }) => onMoment(target.valueAsNumber)}
    />
  )
}

const TAKEN = { later: ', taken back later', before: ', something was taken back' } as const

function placeWords({ moments, at }: FilmControls): string {
  const { number, index, taken } = placeOf(moments, at)
  return `block ${number}, partial block ${partialNumber(index)}${taken ? TAKEN[taken] : ''}, moment ${at + 1} of ${moments.count}`
}

function Pictures({ record: { pictures }, span }: LineOfTimeProps) {
  if (pictures.length === 0) return null
  // One for each part of the line: the first that shows it.
  const shown = Array.from({ length: MOST_PICTURES }, (_, part) => {
    const until = span.from + ((part + 1) * (span.to - span.from)) / MOST_PICTURES
    return pictures.findLast(({ atMs }) => atMs < until)
  })
  return (
    <div className={css('pictures')} aria-hidden="true">
      {shown.map((picture, part) => (
        <div key={part} className={css('picture')}>
          {picture && <img src={pictureUrl(picture)} alt="" draggable={false} />}
        </div>
      ))}
    </div>
  )
}

const HEIGHT = 40

function Lanes({ steps, span, chosen, film, line }: LineOfTimeProps) {
  const width = 1_000
  const x = (atMs: number) => (width * shareOf(span, atMs)) / 100
  const bars = steps.slice(0, MOST_DRAWN).flatMap(({ step, depth, endedAtMs }, i) => {
    if (depth > 2) return []
    const from = x(step.startedAtMs)
    return [{ i, from, wide: Math.max(2, x(endedAtMs) - from), y: 2 + depth * 5, failed: step.error !== '' }]
  })
  const columns = film && line ? columnsOf(film, line.times) : []
  return (
    <svg className={css('lanes')} viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {bars.map(({ i, from, wide, y, failed }) => (
        <rect
          key={i}
          className={css('step', failed && 'failed', i === chosen && 'chosen')}
          x={from}
          y={y}
          width={wide}
          height={4}
        />
      ))}
      <path className={css('ground')} d={`M0 ${HEIGHT - 0.5}H${width}`} vectorEffect="non-scaling-stroke" />
      {columns.map(({ moment, atMs, height, taken }) => (
        <path
          key={moment}
          className={css('partial', height > 3 && 'full', taken && 'taken', moment === film?.at && 'here')}
          d={`M${x(atMs)} ${HEIGHT}v${-height}`}
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  )
}

interface Column {
  readonly moment: number
  readonly atMs: number
  readonly height: number
  readonly taken: boolean
}

/** A column for each partial block that the test saw, as high as it has new transactions. */
function columnsOf({ moments: { runs } }: FilmControls, times: readonly (number | undefined)[]): readonly Column[] {
  const most = runs.reduce((max, { transactions }) => transactions.reduce((a, b) => Math.max(a, b), max), 1)
  const columns: Column[] = []
  let moment = 0
  for (const { transactions, first, takenFrom } of runs) {
    for (const [after, added] of transactions.entries()) {
      const atMs = times[moment]
      if (atMs !== undefined && columns.length < MOST_DRAWN) {
        const height = added === 0 ? 3 : 8 + 12 * Math.sqrt(added / most)
        columns.push({ moment, atMs, height, taken: takenFrom !== undefined && first + after >= takenFrom })
      }
      moment++
    }
  }
  return columns
}

function Controls({ film, atMs, span, chosen, steps, onMoment, onStep }: LineOfTimeProps & { film: FilmControls }) {
  const { moments, at, playing } = film
  const { number, index, taken } = placeOf(moments, at)
  useShortcut('ArrowLeft', () => onMoment(Math.max(0, at - 1)), 'repeats')
  useShortcut('ArrowRight', () => onMoment(Math.min(moments.count - 1, at + 1)), 'repeats')
  useShortcut('ArrowUp', () => onStep(Math.max(0, chosen - 1)), 'repeats')
  useShortcut('ArrowDown', () => onStep(Math.min(steps.length - 1, chosen + 1)), 'repeats')
  useShortcut('Home', () => onMoment(0))
  useShortcut('End', () => onMoment(moments.count - 1))
  useShortcut(' ', film.togglePlay)
  return (
    <>
      <div className={css('buttons')}>
        <Button size="small" disabled={at === 0} onClick={() => onMoment(at - 1)} title="One partial block back (←)">
          <StepBack size={14} aria-hidden="true" />
          <span className="visually-hidden">Back</span>
        </Button>
        <Button size="small" onClick={film.togglePlay} title={playing ? 'Pause (Space)' : 'Play (Space)'}>
          {playing ? <Pause size={14} aria-hidden="true" /> : <Play size={14} aria-hidden="true" />}
          <span className="visually-hidden">{playing ? 'Pause' : 'Play'}</span>
        </Button>
        <Button
          size="small"
          disabled={at === moments.count - 1}
          onClick={() => onMoment(at + 1)}
          title="One partial block on (→)"
        >
          <StepForward size={14} aria-hidden="true" />
          <span className="visually-hidden">Forward</span>
        </Button>
      </div>
      <p className={css('place')}>
        <strong>
          Block {formatInteger(number)}, partial block {partialNumber(index)}
        </strong>
        <span className="muted">
          {taken ? TAKEN[taken].slice(2) : `${formatInteger(at + 1)} of ${formatInteger(moments.count)}`}
        </span>
      </p>
      <p className={css('time')}>{formatSeconds(atMs - span.from)} into the test</p>
    </>
  )
}
