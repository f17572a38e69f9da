import { useEffect, useRef, useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { Kbd } from '#ui/components/Kbd.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { useNow } from '#ui/feed/ticker.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { useShortcut } from '#ui/page/use-shortcut.ts'
import { usePace } from '#ui/queries/status.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './SpeakerNotes.module.css'
import { BEATS, firstBeatOf, SCENES, wordsOf } from './scenes.ts'
import { beatAfter, openStageChannel, parseStageMessage, type StageMessage, type StageMove } from './stage-store.ts'
import { useTalkName } from './use-talk.ts'

const css = classNames(styles)

/** What the stage of the same chain shows; `undefined` until one answers. */
function useShownBeat(): {
  readonly stage: { readonly at: number | undefined } | undefined
  go: (move: StageMove) => void
} {
  const name = useTalkName()
  const [stage, setStage] = useState<{ readonly at: number | undefined }>()
  const channel = useRef<BroadcastChannel>(undefined)
  useEffect(() => {
    const opened = openStageChannel(name)
    channel.current = opened
    const ask = () => opened.postMessage({ kind: 'asks' } satisfies StageMessage)
    opened.onmessage = ({ data }) => {
      const message = parseStageMessage(data)
      if (message?.kind === 'shows') setStage({ at: message.at })
      if (message?.kind !== 'leaves') return
      setStage(undefined)
      // There may be another one.
      ask()
    }
    ask()
    return () => opened.close()
  }, [name])
  return { stage, go: (move) => channel.current?.postMessage({ kind: 'moves', move } satisfies StageMessage) }
}

/** For the speaker's own screen: what to say, what comes next, and how long it has taken. */
export function SpeakerNotes() {
  const { stage, go } = useShownBeat()
  useShortcut('PageDown', () => go('next'))
  useShortcut('PageUp', () => go('previous'))
  useShortcut('ArrowRight', () => go('next'))
  useShortcut('ArrowLeft', () => go('previous'))
  const occasion = { isRoom: useCapabilities().room !== undefined, pace: usePace() }
  const at = stage?.at
  const placed = at === undefined ? undefined : BEATS[at]
  const following = BEATS[beatAfter(at, 'next') ?? 0]
  return (
    <div className={css('notes')}>
      <h1>Speaker’s notes</h1>
      {!stage && (
        <p role="status">
          No stage is open. Open this chain with <strong>Present</strong> in another window of this browser.
        </p>
      )}
      <div className="spread">
        <p className="muted">
          {placed ? `Scene ${placed.sceneNumber} of ${SCENES.length} · ${placed.scene.title}` : 'Before the scenes'}
        </p>
        <Elapsed />
      </div>
      <p className={css('say')} role="status">
        {placed
          ? wordsOf(placed.beat, occasion).notes
          : 'The stage shows the live chain. Go on when the room is ready.'}
      </p>
      {placed && <p className={css('caption')}>The stage says: {wordsOf(placed.beat, occasion).caption}</p>}
      {following && following !== placed && (
        <Panel title="Next" aside={following.scene.title}>
          <p>{wordsOf(following.beat, occasion).caption}</p>
        </Panel>
      )}
      <div className={css('keys')}>
        <Button size="large" disabled={!stage || at === undefined} onClick={() => go('previous')}>
          Back <Kbd>PgUp</Kbd>
        </Button>
        <Button look="primary" size="large" disabled={!stage || at === BEATS.length - 1} onClick={() => go('next')}>
          {placed ? 'Next' : 'Begin the scenes'} <Kbd>PgDn</Kbd>
        </Button>
      </div>
      <ol className={css('scenes')} aria-label="Scenes">
        {SCENES.map((scene) => (
          <li key={scene.title} aria-current={scene === placed?.scene ? 'step' : undefined}>
            <Button size="small" disabled={!stage} onClick={() => go(firstBeatOf(scene))}>
              {scene.title}
            </Button>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** Time since the notes were opened, or since it was set back. */
function Elapsed() {
  const [since, setSince] = useState(() => Date.now())
  const seconds = Math.max(0, Math.floor((useNow(true) - since) / 1_000))
  const shown = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <p className={css('elapsed')}>
      <span role="timer">{shown}</span>{' '}
      <Button size="small" onClick={() => setSince(Date.now())}>
        Reset timer
      </Button>
    </p>
  )
}
