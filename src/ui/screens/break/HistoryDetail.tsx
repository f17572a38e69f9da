import { Pause, Pin, PinOff, Play } from 'lucide-react'
import { useState } from 'react'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Button } from '#ui/components/Button.tsx'
import { CodeBlock } from '#ui/components/CodeBlock.tsx'
import { CopyButton, CopyTextButton } from '#ui/components/CopyButton.tsx'
import { Segmented } from '#ui/components/form/Segmented.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { nodeCode, playwrightCode } from './codes.ts'
import styles from './HistoryDetail.module.css'
import { MAX_PINS, togglePin, usePins } from './pins.ts'
import { SaidList } from './SaidList.tsx'
import { Screens } from './Screens.tsx'
import { Strip } from './Strip.tsx'
import type { Care, ScenarioHistory, Way } from './scenario/scenario.ts'
import type { HistoryReplay } from './use-replay.ts'
import { sentenceOf, timeOf, titleOf } from './words.ts'

const css = classNames(styles)

/** One history: what both dapps show, what was said, and how to run it in one's own tests. */
export function HistoryDetail({
  history,
  way,
  end,
  replay,
}: {
  history: ScenarioHistory
  way: Way
  end: number
  replay: HistoryReplay
}) {
  const { at, playing, play, pause, seek } = replay
  return (
    <section className={css('detail')} aria-labelledby="history-title">
      <div className={css('head')}>
        <h2 id="history-title" className={css('title')}>
          {titleOf(history.schedule)}
        </h2>
        <p className="muted">{sentenceOf(history.schedule)}</p>
      </div>
      <Screens history={history} at={Math.floor(at)} judged={at >= end} />
      <div className={css('time')}>
        <Strip history={history} end={end} at={at} />
        <div className={css('keys')}>
          <Button size="small" onClick={playing ? pause : play}>
            {playing ? <Pause size={14} aria-hidden="true" /> : <Play size={14} aria-hidden="true" />}
            {playing ? 'Pause' : 'Play'}
          </Button>
          <input
            type="range"
            className={css('slider')}
            aria-label="Moment of the history"
            aria-valuetext={timeOf(Math.floor(at))}
            min={0}
            max={end}
            step={1}
            value={Math.floor(at)}
            onChange={(event) => seek(Number(event.currentTarget.value))}
          />
          <span className={css('clock')}>{timeOf(Math.floor(at))}</span>
        </div>
      </div>
      <StageKeys history={history} way={way} />
      <Conversation history={history} />
      <Codes history={history} />
    </section>
  )
}

/** Which histories the stage shows. */
function StageKeys({ history: { fate, schedule }, way }: { history: ScenarioHistory; way: Way }) {
  const pins = usePins()
  const pinned = pins.way === way && pins.fates.includes(fate)
  const count = pins.way === way ? pins.fates.length : 0
  return (
    <div className={css('pins')}>
      <Button size="small" aria-pressed={pinned} onClick={() => togglePin(way, schedule)}>
        {pinned ? <PinOff size={14} aria-hidden="true" /> : <Pin size={14} aria-hidden="true" />}
        {pinned ? 'On the stage' : 'Put on the stage'}
      </Button>
      <span className="note">
        {count} of {MAX_PINS} side by side{count === MAX_PINS && !pinned && ', the oldest makes room'}.{' '}
        <AppLink to="/?view=projector">Open the stage</AppLink>
      </span>
    </div>
  )
}

const CARES_SHOWN = [
  { value: 'careless', label: 'Careless dapp' },
  { value: 'careful', label: 'Careful dapp' },
] as const satisfies readonly { readonly value: Care; readonly label: string }[]

/** Who said what, when. */
function Conversation({ history }: { history: ScenarioHistory }) {
  const [care, setCare] = useState<Care>('careless')
  return (
    <section className={css('part')} aria-labelledby="history-said">
      <div className="spread">
        <h3 id="history-said" className={css('heading')}>
          What the dapp sees
        </h3>
        <Segmented legend="Whose calls" options={CARES_SHOWN} value={care} onChange={setCare} size="small" />
      </div>
      <SaidList run={history[care]} label={`What the ${care} dapp sees`} />
    </section>
  )
}

const TOOLS = [
  { value: 'playwright', label: 'Playwright' },
  { value: 'node', label: 'Node.js' },
] as const

/** The history's name, and code that runs it. */
function Codes({ history: { fate, schedule } }: { history: ScenarioHistory }) {
  const [tool, setTool] = useState<(typeof TOOLS)[number]['value']>('playwright')
  const code = tool === 'playwright' ? playwrightCode(schedule) : nodeCode(schedule)
  return (
    <section className={css('part')} aria-labelledby="history-code">
      <div className="spread">
        <h3 id="history-code" className={css('heading')}>
          Run it against your dapp
        </h3>
        <Segmented legend="Tool" options={TOOLS} value={tool} onChange={setTool} size="small" />
      </div>
      {fate !== '' && (
        <p className={css('fate')}>
          Fate <code>{fate}</code> <CopyButton value={fate} label="Fate" />
        </p>
      )}
      <CodeBlock>{code}</CodeBlock>
      <div className="row">
        <CopyTextButton value={code}>code</CopyTextButton>
        <CopyTextButton value={location.href}>link</CopyTextButton>
      </div>
    </section>
  )
}
