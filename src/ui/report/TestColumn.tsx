import { CircleCheck, CircleX, CornerDownRight, Globe } from 'lucide-react'
import type { RecordedLine, TestRecord } from '#report/test-record.ts'
import { Button } from '#ui/components/Button.tsx'
import { LONGEST_BLOCK, othersLines, othersText } from '#ui/format/contract-text.ts'
import { formatDuration, formatSeconds } from '#ui/format/numbers.ts'
import { classNames } from '#ui/styles/class-names.ts'
import type { PlacedStep, TimeSpan } from './line-of-time.ts'
import { pictureAt, pictureUrl } from './pictures.ts'
import { useReport } from './report-context.ts'
import styles from './TestColumn.module.css'

const css = classNames(styles)

/** Lines of the console that are shown: the newest before the step's end. */
const LINES = 60

interface TestColumnProps {
  readonly record: TestRecord
  readonly steps: readonly PlacedStep[]
  readonly span: TimeSpan
  /** The step that is shown; -1 before the first. */
  readonly chosen: number
  readonly atMs: number
  readonly onChoose: (step: number) => void
}

/** The test: what it failed with, its steps, and what its page showed at the one that is chosen. */
export function TestColumn({ record, steps, span, chosen, atMs, onChoose }: TestColumnProps) {
  const picture = pictureAt(record.pictures, atMs)
  return (
    <aside className={css('column')} aria-label="Test">
      <TestTitle record={record} />
      <Failures record={record} />
      <Chains />
      <StepList steps={steps} span={span} chosen={chosen} onChoose={onChoose} />
      {picture && (
        <figure className={css('figure')}>
          <img src={pictureUrl(picture)} alt={`The page at ${formatSeconds(picture.atMs - span.from)}`} />
        </figure>
      )}
      <Console lines={record.lines} span={span} atMs={atMs} />
    </aside>
  )
}

function TestTitle({ record: { titles, project, place, status, retry, tookMs } }: { record: TestRecord }) {
  const [title = '', ...groups] = titles.toReversed()
  const where = [project, ...groups.toReversed()].filter((part) => part !== '')
  return (
    <header className={css('head')}>
      {where.length > 0 && <p className={css('where')}>{where.map((part) => othersText(part, 80)).join(' › ')}</p>}
      <h1 className={css('title')}>{othersText(title)}</h1>
      <p className={css('facts')}>
        <strong className={css('status')}>
          <CircleX size={14} aria-hidden="true" /> {othersText(status, 30)}
        </strong>
        {tookMs >= 0 && <span>{formatDuration(tookMs)}</span>}
        {retry > 0 && <span>retry {retry}</span>}
        {place !== '' && <code className={css('code')}>{othersText(place, 120)}</code>}
      </p>
    </header>
  )
}

function Failures({ record: { errors } }: { record: TestRecord }) {
  return errors.map(({ message, snippet, stack }, i) => (
    <section key={i} className={css('failure')} aria-label="Failure">
      <pre className={css('message')}>{othersLines(message, LONGEST_BLOCK)}</pre>
      {(snippet !== '' || stack !== '') && (
        <details>
          <summary>Code and stack</summary>
          {snippet !== '' && <pre>{othersLines(snippet)}</pre>}
          {stack !== '' && <pre>{othersLines(stack)}</pre>}
        </details>
      )}
    </section>
  ))
}

/** Which of the test's chains is shown, where it has several. */
function Chains() {
  const { record, place, show } = useReport()
  if (record.chains.length < 2) return null
  return (
    <div className={css('chains')} role="group" aria-label="Chains">
      {record.chains.map(({ name }, i) => (
        <Button key={name} size="small" aria-pressed={i === place} onClick={() => show(i)}>
          {othersText(name, 30)}
        </Button>
      ))}
    </div>
  )
}

/** Scrolls the list alone, not the window around it. */
function bringIntoList(step: HTMLButtonElement | null): void {
  const list = step?.closest('ol')
  if (step && list) list.scrollTop = step.offsetTop - list.clientHeight / 2
}

function StepList({ steps, span, chosen, onChoose }: Omit<TestColumnProps, 'record' | 'atMs'>) {
  if (steps.length === 0) return <p className={css('none')}>The steps of this test were not recorded.</p>
  return (
    <ol className={css('steps')} aria-label="Steps">
      {steps.map(({ step, depth, endedAtMs }, i) => {
        const failed = step.error !== ''
        const Icon = failed ? CircleX : step.category === 'expect' ? CircleCheck : depth > 0 ? CornerDownRight : Globe
        return (
          <li key={i}>
            <button
              type="button"
              ref={i === chosen ? bringIntoList : undefined}
              className={css('step', failed && 'failed')}
              style={{ paddingInlineStart: `${12 + 14 * Math.min(depth, 6)}px` }}
              aria-current={i === chosen ? 'step' : undefined}
              onClick={() => onChoose(i)}
            >
              <Icon size={14} aria-hidden="true" className={css('icon')} />
              <span className={css('name')}>{othersText(step.title, 200)}</span>
              {failed && <span className="visually-hidden">failed</span>}
              <span className={css('when')}>{formatSeconds(step.startedAtMs - span.from)}</span>
            </button>
            {i === chosen && (
              <p className={css('about')} style={{ paddingInlineStart: `${34 + 14 * Math.min(depth, 6)}px` }}>
                {step.tookMs < 0 ? 'did not end' : `took ${formatDuration(endedAtMs - step.startedAtMs)}`}
                {step.place !== '' && ` · ${othersText(step.place, 120)}`}
              </p>
            )}
          </li>
        )
      })}
    </ol>
  )
}

/** What pages wrote until then, the newest last. */
function Console({ lines, span, atMs }: { lines: readonly RecordedLine[]; span: TimeSpan; atMs: number }) {
  const until = lines.filter((line) => line.atMs <= atMs)
  if (lines.length === 0) return null
  const later = lines.length - until.length
  return (
    <section className={css('console')} aria-label="Console of the page">
      <h2 className={css('label')}>
        Console
        <span className="muted">
          {until.length > LINES ? ` the newest ${LINES} of ${until.length} lines` : ''}
          {later > 0 ? ` ${later} later` : ''}
        </span>
      </h2>
      <ul>
        {until.slice(-LINES).map(({ atMs: writtenAtMs, kind, text }, i) => (
          <li key={i} className={css('line', /^(error|pageerror|assert)$/.test(kind) && 'wrong')}>
            <span className={css('when')}>{formatSeconds(writtenAtMs - span.from)}</span>
            <span>
              {kind === 'pageerror' ? 'Uncaught: ' : ''}
              {othersLines(text, 2_000)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
