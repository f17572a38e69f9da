import { ChevronDown, Play, Split, TriangleAlert } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { useLocation } from 'wouter'
import type { Schedule } from '#fates/fault.ts'
import { formatFate } from '#fates/fault.ts'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Segmented } from '#ui/components/form/Segmented.tsx'
import { ScreenHeading } from '#ui/components/layout/ScreenHeading.tsx'
import { Notice } from '#ui/components/Notice.tsx'
import { othersText } from '#ui/format/contract-text.ts'
import { formatCount, formatInteger } from '#ui/format/numbers.ts'
import { announce } from '#ui/page/announce.ts'
import { useTitle, useWithSetup } from '#ui/page/navigation.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './BreakScreen.module.css'
import { HistoryDetail } from './HistoryDetail.tsx'
import { HistoryTree } from './HistoryTree.tsx'
import { cancelHistories, type Depth, historyOf, runHistories, useHistories } from './histories-store.ts'
import { treeOf } from './history-tree.ts'
import { Legend } from './Legend.tsx'
import type { ScenarioHistory, ScenarioProgress, ScenarioResult, Way } from './scenario/scenario.ts'
import { WAYS } from './scenario/scenario.ts'
import { endOf } from './time-parts.ts'
import { useReplay } from './use-replay.ts'
import { VerdictSign } from './VerdictSign.tsx'
import { addressOf, readFate, titleOf } from './words.ts'

const css = classNames(styles)

const WAY_OPTIONS = [
  { value: 'subscribing', label: 'subscribes' },
  { value: 'polling', label: 'polls' },
] as const satisfies readonly { readonly value: Way; readonly label: string }[]

const DEPTH_OPTIONS = [
  { value: '1', label: 'One fault' },
  { value: '2', label: 'Two faults' },
] as const

/** A payment under every history that faults can make of it, as a tree on the line of time. */
export function BreakScreen({ way: named, fate: text }: { way?: string; fate?: string }) {
  useTitle('Break the promise')
  const way = WAYS.find((each) => each === named) ?? 'subscribing'
  const asked = useMemo(() => readAsked(text), [text])
  const { result, progress, error } = useHistories()
  const depth = useHistories((state) => state.asked?.depth) ?? 1
  const shown = result?.way === way ? result : undefined
  const go = useReplace()
  const linked = asked.schedule
  const isMissing = linked !== undefined && (!shown || !historyOf(shown.histories, linked))
  // A link shows its history; without one, nothing runs before a press.
  useEffect(() => {
    if (!isMissing || useHistories.getState().progress) return
    void run({ way, depth: linked.length > 1 ? 2 : 1 }, linked)
  }, [isMissing, way, linked])

  return (
    <>
      <ScreenHeading
        title="Break the promise"
        lead="A dapp pays one ether on a chain beside yours: see every way in which that can go."
      >
        <div className={css('tools')}>
          <div className={css('choice')}>
            <span aria-hidden="true">The dapp</span>
            <Segmented
              legend="How the dapp learns of its payment"
              options={WAY_OPTIONS}
              value={way}
              disabled={progress !== undefined}
              onChange={(next) => {
                go(`/break/${next}`)
                if (result) void run({ way: next, depth })
              }}
            />
          </div>
          <Segmented
            legend="Faults of a history"
            options={DEPTH_OPTIONS}
            value={String(depth) as '1' | '2'}
            disabled={progress !== undefined}
            onChange={(next) => void run({ way, depth: Number(next) as Depth })}
          />
          <div className={css('run')}>
            {progress ? (
              <Running progress={progress} />
            ) : (
              <Button look={shown ? 'plain' : 'primary'} onClick={() => void run({ way, depth })}>
                <Play size={16} aria-hidden="true" />
                {shown ? 'Run again' : 'Run every history'}
              </Button>
            )}
          </div>
        </div>
      </ScreenHeading>
      {asked.problem !== undefined && (
        <Notice title="This link names no history" icon={TriangleAlert} look="attention">
          <p>{othersText(asked.problem)}. Run every history, and choose one.</p>
        </Notice>
      )}
      {error !== undefined && <ErrorNote error={error} />}
      {shown ? (
        <Histories result={shown} way={way} chosen={linked ?? []} busy={progress !== undefined} />
      ) : (
        <Empty busy={progress !== undefined} />
      )}
    </>
  )
}

async function run(asked: { readonly way: Way; readonly depth: Depth }, also: Schedule = []): Promise<void> {
  await runHistories(asked, also)
  const { result, error, progress } = useHistories.getState()
  if (result && error === undefined && !progress)
    announce(`${formatCount(result.histories.length, 'history').replace('historys', 'histories')} found`)
}

/** The history in an address, or why there is none. */
function readAsked(text: string | undefined): { readonly schedule?: Schedule; readonly problem?: string } {
  if (text === undefined) return {}
  try {
    return { schedule: readFate(text) }
  } catch (problem) {
    return { problem: problem instanceof Error ? problem.message : String(problem) }
  }
}

/** Changes the address without a step in the browser's history: one walks through many. */
function useReplace(): (path: string) => void {
  const [, navigate] = useLocation()
  const withSetup = useWithSetup()
  return (path) => navigate(withSetup(path), { replace: true })
}

function Running({ progress }: { progress: ScenarioProgress }) {
  const isRunning = progress.phase === 'running'
  return (
    <div className={css('running')}>
      <progress
        className={css('bar')}
        aria-label="Histories"
        {...(isRunning && { value: progress.done, max: progress.of })}
      />
      <span className={css('words')}>
        {isRunning
          ? `${formatInteger(progress.done)} of ${formatInteger(progress.of)} histories`
          : `${formatInteger(progress.found)} histories in ${formatInteger(progress.played)} plays`}
      </span>
      <Button onClick={cancelHistories}>Cancel</Button>
    </div>
  )
}

function Histories({
  result,
  way,
  chosen,
  busy,
}: {
  result: ScenarioResult
  way: Way
  chosen: Schedule
  busy: boolean
}) {
  const go = useReplace()
  const nodes = useMemo(() => treeOf(result.histories), [result])
  const end = useMemo(() => endOf(result.histories), [result])
  const history = historyOf(result.histories, chosen) ?? result.histories[0]
  const fate = history?.fate ?? formatFate(chosen)
  const replay = useReplay(end)
  if (!history) return null
  const wrong = (care: 'careless' | 'careful') =>
    result.histories.filter((each) => each[care].verdict.kind === 'wrong').length
  return (
    <div className={css('pair')} aria-busy={busy}>
      <section className={css('tree')} aria-labelledby="histories-title">
        <h2 id="histories-title" className={css('count')}>
          {formatInteger(result.histories.length)} histories
        </h2>
        <p className={css('summary')}>
          They stand for {formatCount(result.schedules, 'schedule')} of faults. The careless dapp is wrong in{' '}
          <strong>{wrong('careless')}</strong>, the careful one in <strong>{wrong('careful')}</strong>.
        </p>
        <HistoryTree
          nodes={nodes}
          end={end}
          chosen={fate}
          now={replay.at < end ? replay.at : undefined}
          onChoose={(next) => go(addressOf(way, next))}
        />
        <Legend />
        <Below history={history} />
        {result.leftOut.map((note) => (
          <p key={note} className="note">
            Left out: {note}.
          </p>
        ))}
      </section>
      <HistoryDetail key={fate} history={history} way={way} end={end} replay={replay} />
    </div>
  )
}

/** In a narrow window: the chosen history in short, and the way to what it is like. */
function Below({ history }: { history: ScenarioHistory }) {
  return (
    <button
      type="button"
      className={css('below')}
      onClick={() => document.getElementById('history-title')?.scrollIntoView({ block: 'start' })}
    >
      <strong>{titleOf(history.schedule)}</strong>
      <span className={css('short')}>
        <VerdictSign kind={history.careless.verdict.kind} /> {history.careless.verdict.words}
      </span>
      <ChevronDown size={16} aria-hidden="true" className={css('chevron')} />
    </button>
  )
}

/** Before the first run. */
function Empty({ busy }: { busy: boolean }) {
  return (
    <div className={css('empty')} aria-busy={busy}>
      <Split size={28} aria-hidden="true" />
      <p>
        {busy
          ? 'The payment is made again and again, each time with another fault.'
          : 'A pre-confirmation is a promise. It can be withdrawn, lost, replaced or told too late; a stream can stall while blocks go on.'}
      </p>
      {!busy && <p className="note">It takes a few seconds, on a chain in memory. Yours is not touched.</p>}
    </div>
  )
}
