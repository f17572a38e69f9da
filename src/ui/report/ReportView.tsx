import { useMemo, useState } from 'react'
import { ChainTimes } from '#report/chain-times.ts'
import { FilmBar } from '#ui/film/FilmBar.tsx'
import { useFilm } from '#ui/film/use-film.ts'
import { LineOfTime } from './LineOfTime.tsx'
import { firstFailed, placeSteps, spanOf, stepAt } from './line-of-time.ts'
import { useReport } from './report-context.ts'
import { TestColumn } from './TestColumn.tsx'

/** A film from a file, with the test that it is of, if there is one. */
export function ReportView() {
  const { record } = useReport()
  return record.titles.length > 0 ? <TestView /> : <FilmBar />
}

/** Where the record knows nothing of a chain. */
const NONE = { partials: [], skipped: 0 }

/** A place on the line of time: a step that was chosen, with the moment that it led to. */
interface Chosen {
  readonly step: number
  readonly moment: number | undefined
}

function TestView() {
  const { record, place } = useReport()
  const [{ span, steps }] = useState(() => {
    const all = spanOf(record)
    return { span: all, steps: placeSteps(record.steps, all.to) }
  })
  const chain = record.chains[place]
  const film = useFilm((moments) => {
    const first = steps[firstFailed(steps)]
    const begin = new ChainTimes(moments, chain ?? NONE)
    return first ? begin.atEndOf(first.step, first.endedAtMs, place) : begin.at(span.to)
  })
  const runs = film?.moments.runs
  const count = film?.moments.count
  const line = useMemo(
    () => (runs && count !== undefined ? new ChainTimes({ runs, count }, chain ?? NONE) : undefined),
    [runs, count, chain],
  )
  const [chosen, setChosen] = useState<Chosen>(() => ({ step: firstFailed(steps), moment: undefined }))
  const times = line?.times ?? []
  // A film that has gone on by itself has left the step.
  const isAtStep = !film || chosen.moment === undefined || chosen.moment === film.at
  const atMs = isAtStep ? (steps[chosen.step]?.endedAtMs ?? span.to) : (times[film.at] ?? span.from)
  const step = isAtStep ? chosen.step : stepAt(steps, atMs)

  function choose(next: number): void {
    const placed = steps[next]
    if (!placed) return
    const moment = line?.atEndOf(placed.step, placed.endedAtMs, place)
    setChosen({ step: next, moment })
    if (moment !== undefined) film?.go(moment)
  }

  /** Leaves the step that was chosen, also where its moment is the one that is gone to. */
  function goTo(moment: number): void {
    setChosen({ step: stepAt(steps, times[moment] ?? span.from), moment: -1 })
    film?.go(moment)
  }

  return (
    <>
      <LineOfTime
        record={record}
        steps={steps}
        span={span}
        film={film}
        line={line}
        chosen={step}
        atMs={atMs}
        onMoment={goTo}
        onStep={choose}
      />
      <TestColumn record={record} steps={steps} span={span} chosen={step} atMs={atMs} onChoose={choose} />
    </>
  )
}
