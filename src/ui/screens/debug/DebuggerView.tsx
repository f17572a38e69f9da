import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { bytesToHex } from '#primitives/hex.ts'
import type { StepSources } from '#solidity/steps/step-sources.ts'
import { Address } from '#ui/chain/Address.tsx'
import { InstructionList } from '#ui/chain/source/InstructionList.tsx'
import { FileField } from '#ui/chain/source/SourceView.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Segmented } from '#ui/components/form/Segmented.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { Workbench } from '#ui/components/layout/Workbench.tsx'
import { Panes } from '#ui/components/panes/Panes.tsx'
import { RetryButton } from '#ui/components/RetryButton.tsx'
import { disassemble, opcodeName } from '#ui/decode/disassemble.ts'
import { frameWords } from '#ui/execution/frame-words.ts'
import { frameAt, type Run } from '#ui/execution/run.ts'
import { placedStep, toggleBreakpoint } from '#ui/execution/source-track.ts'
import type { Subject } from '#ui/execution/subject.ts'
import { othersText } from '#ui/format/contract-text.ts'
import { formatCount, formatInteger } from '#ui/format/numbers.ts'
import { useStepSources } from '#ui/queries/step-sources.ts'
import { useContracts } from '#ui/queries/use-contracts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { Calls } from './Calls.tsx'
import { Controls } from './Controls.tsx'
import styles from './DebuggerView.module.css'
import { Frames } from './Frames.tsx'
import { SourcePane } from './SourcePane.tsx'
import { BytesPane, StackPane } from './StatePanes.tsx'
import { StoragePane } from './StoragePane.tsx'
import { Timeline, TimelineKey } from './Timeline.tsx'
import { type Debugger, useDebugger } from './use-debugger.ts'
import { VariablesPane } from './VariablesPane.tsx'

const css = classNames(styles)

type Reading = 'source' | 'instructions'

/**
 * A run, step by step: its buttons and slider, the code, and the state before the current step.
 *
 * @param about - What is debugged, in words.
 * @param version - As of the run's query.
 */
export function DebuggerView({
  run,
  subject,
  version,
  about,
}: {
  run: Run
  subject: Subject
  version: string
  about: ReactNode
}) {
  const looked = useStepSources(run, subject, version)
  const found = looked.data && looked.data.sources.places.length > 1 ? looked.data.sources : undefined
  const [reading, setReading] = useState<Reading>('source')
  const debug = useDebugger(run, subject, found, reading === 'source')
  const { at, go, step } = debug
  const frame = frameAt(run, at)
  const code = (
    <CodePane debug={debug} found={found} reading={reading} onRead={setReading} isLooking={looked.isLoading} />
  )
  const calls = (
    <div className={css('stack')}>
      <Panel title="Call stack" aside={formatCount(frame.depth + 1, 'call')}>
        {found ? <Calls run={run} found={found} at={at} go={go} /> : <Frames run={run} at={at} go={go} />}
      </Panel>
      {looked.data && found && <VariablesPane debug={debug} looked={looked.data} subject={subject} version={version} />}
      {looked.error && <ErrorNote error={looked.error} />}
    </div>
  )
  // Before the first step has arrived, nobody knows how high its stack is: what is below would move.
  const [hasStep, setHasStep] = useState(false)
  if (!hasStep && (step || debug.stepError !== undefined)) setHasStep(true)
  const machine = !hasStep ? (
    <div className={css('stack')} aria-busy="true">
      <StackPane step={undefined} />
    </div>
  ) : (
    <div className={css('stack')}>
      <StackPane step={step} />
      <StoragePane run={run} at={at} windows={debug.windows} go={go} />
      <BytesPane title="Memory" bytes={step?.memory} />
      <BytesPane title="Calldata" bytes={frame.input} />
      <BytesPane title="Return data" bytes={step?.returnData} />
    </div>
  )
  const state = (
    <Panes
      name="debugger state"
      direction="column"
      panes={[
        { label: 'calls and variables', content: calls, share: 0.5, least: 80 },
        { label: 'stack, storage and memory', content: machine, share: 0.5, least: 80 },
      ]}
    />
  )
  return (
    <Workbench
      title="Debugger"
      beside={
        <>
          <span className="muted">{about}</span>
          <span className={css('total')}>
            {formatCount(run.steps, 'step')} in {formatCount(run.frames.length, 'call')},{' '}
            {formatInteger(BigInt(run.trace.gasUsed))} gas
          </span>
        </>
      }
    >
      <section aria-label="Run" className={css('run')}>
        <Controls debug={debug} />
        <Standing debug={debug} found={found} />
        {debug.stepError !== undefined && (
          <div className={css('failure')}>
            <ErrorNote error={debug.stepError} />
            <RetryButton onClick={debug.retry}>Try again</RetryButton>
          </div>
        )}
      </section>
      <Panes
        name="debugger"
        direction="row"
        panes={[
          { label: 'code', content: code, share: 0.58, least: 360, scrolls: false },
          { label: 'state', content: state, share: 0.42, least: 320, scrolls: false },
        ]}
      />
    </Workbench>
  )
}

/** The slider, and in words where it stands. */
function Standing({ debug, found }: { debug: Debugger; found: StepSources | undefined }) {
  const contracts = useContracts()
  const { run, at, go, step, marks } = debug
  const frame = frameAt(run, at)
  const op = run.ops[at] as number
  const opName = opcodeName(op) ?? `0x${op.toString(16).padStart(2, '0')}`
  const offset = (run.pcs[at] as number).toString(16).padStart(4, '0')
  const line = found && lineWords(found, run, at)
  const name = line ? line.name : frameWords(contracts, frame)
  const depth = found ? (found.depths[at] as number) : frame.depth
  return (
    <>
      <Timeline
        run={run}
        marks={marks}
        at={at}
        go={go}
        where={`${line ? `${line.where}, ` : ''}${opName} at ${offset} in ${name}, depth ${depth}`}
      />
      <div className={css('standing')}>
        <p role="status" className={css('where')}>
          <strong>
            Step {formatInteger(at + 1)} of {formatInteger(run.steps)}
          </strong>
          {line && (
            <span className={css('line')}>
              {line.where} in <code>{line.name}</code>
            </span>
          )}
          <span>
            <code className={css('op')}>{opName}</code> at {offset}, depth {depth}
          </span>
          <span className={css('gas')}>
            {formatInteger(run.gas[at] as number)} gas left
            {step && `, ${formatInteger(BigInt(step.gasCost))} for this step`}
          </span>
        </p>
        <TimelineKey />
      </div>
    </>
  )
}

/** The line of a step in words. */
function lineWords(found: StepSources, run: Run, at: number): { where: string; name: string } | undefined {
  const placed = placedStep(found, run, at)
  const place = placed === undefined ? undefined : found.places[found.placeOf[placed] as number]
  const source = place && found.sources[place.source]
  if (!source) return undefined
  const file = source.path.slice(source.path.lastIndexOf('/') + 1)
  return { where: othersText(`${file}:${place.line}`), name: othersText(found.names[place.callable] ?? '') }
}

function CodePane({
  debug,
  found,
  reading,
  onRead,
  isLooking,
}: {
  debug: Debugger
  found: StepSources | undefined
  reading: Reading
  onRead: (reading: Reading) => void
  isLooking: boolean
}) {
  const { run, at } = debug
  const frame = frameAt(run, at)
  const { code } = frame
  const placed = found && placedStep(found, run, at)
  const place = found && placed !== undefined ? (found.placeOf[placed] as number) : 0
  const own = found?.places[place]?.source ?? -1
  // A chosen file stays until the step enters another one.
  const [chosen, setChosen] = useState<{ readonly source: number; readonly own: number }>()
  const shown = chosen?.own === own ? chosen.source : own
  const known = found && code !== null ? found.codes[code] : undefined
  const showsSource = found !== undefined && reading === 'source' && own >= 0
  return (
    <section aria-label="Code" className={css('code')}>
      <div className={css('codeHead')}>
        {found && (
          <Segmented
            legend="Code as"
            options={[
              { value: 'source', label: 'Source' },
              { value: 'instructions', label: 'Instructions' },
            ]}
            value={reading}
            onChange={onRead}
          />
        )}
        {showsSource && (
          <div className={css('file')}>
            <FileField
              paths={found.sources.map(({ path }) => path)}
              shown={shown}
              onShow={(source) => setChosen({ source, own })}
            />
          </div>
        )}
        <span className={css('aside')}>
          {known && <span>{othersText(known.contract)}</span>}
          <Address address={frame.codeAddress} />
        </span>
      </div>
      {showsSource ? (
        <SourcePane found={found} place={place} shown={shown} debug={debug} />
      ) : (
        <Instructions debug={debug} />
      )}
      {showsSource && known?.isOptimized && (
        <p className={css('codeNote')}>
          The optimizer moves and merges code, so the line shown may be another one that does the same.
        </p>
      )}
      {!showsSource && (!found || (reading === 'source' && own < 0)) && (
        <p className={css('codeNote')}>
          {isLooking
            ? 'Looking for the source of this code…'
            : known
              ? 'The compiler added this instruction; it belongs to no line.'
              : 'The page has no source for this code. Compile it on the Contracts screen, or add its artifacts there, to see its lines here.'}
        </p>
      )}
    </section>
  )
}

/** The code of the current frame, with the current instruction marked and a breakpoint button for each. */
function Instructions({ debug: { run, at, breakpoints, setBreakpoints } }: { debug: Debugger }) {
  const { code: hash } = frameAt(run, at)
  const code = hash === null ? undefined : run.codes.get(hash)
  const instructions = useMemo(() => (code ? disassemble(bytesToHex(code)) : []), [code])
  const onToggle = useCallback(
    (offset: number) => {
      if (hash !== null) setBreakpoints((before) => toggleBreakpoint(before, hash, offset))
    },
    [hash, setBreakpoints],
  )
  return (
    <InstructionList
      key={hash ?? ''}
      instructions={instructions}
      pc={run.pcs[at] as number}
      stops={{ at: hash === null ? undefined : breakpoints.get(hash), onToggle }}
    />
  )
}
