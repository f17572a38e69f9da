import { Pause, Play, Snowflake, StepForward } from 'lucide-react'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Segmented } from '#ui/components/form/Segmented.tsx'
import { useFrozenView } from '#ui/feed/store.ts'
import { useClockControls, useClockState, useStatus } from '#ui/queries/status.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ClockControls.module.css'
import { toggleFreeze } from './clock-shortcuts.ts'

const css = classNames(styles)

const SPEEDS = [
  { value: '0.1', label: '0.1×' },
  { value: '1', label: '1×' },
  { value: '5', label: '5×' },
] as const

/** Pause, step, freeze and speed; their keys are `useClockShortcuts`. A chain with a manual clock only has the step. */
export function ClockControls() {
  const clock = useClockState()
  const speed = useStatus((status) => status.speed)
  const { step, togglePause, setSpeed, error } = useClockControls()
  const canPause = clock === 'running' || clock === 'paused'
  return (
    <div className={css('controls')}>
      {clock !== 'manual' && (
        <Button
          size="small"
          disabled={!canPause}
          onClick={togglePause}
          aria-keyshortcuts="p"
          title={clock === 'paused' ? 'Resume the chain (P)' : 'Pause the chain (P)'}
        >
          {clock === 'paused' ? <Play size={14} aria-hidden="true" /> : <Pause size={14} aria-hidden="true" />}
          {clock === 'paused' ? 'Resume' : 'Pause'}
        </Button>
      )}
      <Button
        size="small"
        disabled={!clock}
        onClick={step}
        aria-keyshortcuts="."
        title="Add one partial block (.). A running chain is paused first."
      >
        <StepForward size={14} aria-hidden="true" />
        Step
      </Button>
      <FreezeButton />
      {clock !== 'manual' && (
        <Segmented
          legend="Speed"
          options={SPEEDS}
          value={SPEEDS.find((option) => Number(option.value) === speed)?.value}
          onChange={(value) => setSpeed(Number(value))}
          disabled={!canPause}
          size="small"
        />
      )}
      {error && <ErrorNote error={error} />}
    </div>
  )
}

/** Freezes the view while the chain continues, unlike a pause of the chain. */
function FreezeButton() {
  const frozen = useFrozenView((view) => view.sinceMs !== undefined)
  return (
    <Button
      size="small"
      onClick={toggleFreeze}
      aria-pressed={frozen}
      aria-keyshortcuts="f"
      title={frozen ? 'Follow the chain again (F)' : 'Freeze the view; the chain keeps running (F)'}
    >
      <Snowflake size={14} aria-hidden="true" />
      Freeze view
    </Button>
  )
}
