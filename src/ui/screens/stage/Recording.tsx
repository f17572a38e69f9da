import { useEffect } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { useSession } from '#ui/page/session.ts'
import { useShortcut } from '#ui/page/use-shortcut.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { markRecorded } from '#ui/styles/motion.ts'
import styles from './Recording.module.css'
import { dismissOutcome, startRecording, stopRecording, useRecording } from './recording.ts'

const css = classNames(styles)

const WORDS = { off: 'Record', starts: 'Starting…', rolls: 'Stop recording' } as const
/** In the one row of keys, where “stop” could also mean the chain; the red dot says what. */
const SHORT = { ...WORDS, rolls: 'Stop' } as const

/** Starts and ends a video of the stage. */
export function RecordKey() {
  const session = useSession()
  const state = useRecording()
  const { kind } = state
  const shown = state.kind !== 'records' ? 'off' : state.hasPicture ? 'rolls' : 'starts'
  const press = () => {
    if (kind === 'records') stopRecording()
    else void startRecording(session)
  }
  useShortcut('v', press)
  const isRecording = kind === 'records'
  useEffect(() => {
    markRecorded(isRecording)
    return () => markRecorded(false)
  }, [isRecording])
  // Whoever leaves the stage has recorded it.
  useEffect(() => stopRecording, [])
  return (
    <Button
      size="small"
      disabled={kind === 'asks'}
      aria-pressed={kind === 'records'}
      onClick={press}
      aria-keyshortcuts="v"
      title="Save the stage as a video, and the chain as a file that plays again (V)"
    >
      <RecordingDot />
      <span className="visually-hidden">{WORDS[shown]}</span>
      <span aria-hidden="true">{SHORT[shown]}</span>
    </Button>
  )
}

/** A red dot while the stage is recorded. */
export function RecordingDot() {
  const rolls = useRecording(({ kind }) => kind === 'records')
  return rolls && <span className={css('rolling')} title="Recording" aria-hidden="true" />
}

/** What was saved, or why nothing was. */
export function RecordingOutcome() {
  const state = useRecording()
  const { outcome, error } = state.kind === 'off' ? state : {}
  return (
    <>
      <output aria-label="Recording">
        {outcome}
        {error !== undefined && <ErrorNote error={error} />}
      </output>
      {(outcome !== undefined || error !== undefined) && (
        <Button size="small" onClick={dismissOutcome}>
          Dismiss
        </Button>
      )}
    </>
  )
}
