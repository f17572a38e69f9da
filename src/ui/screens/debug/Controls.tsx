import {
  ArrowLeftToLine,
  ArrowRightToLine,
  ChevronLeft,
  ChevronRight,
  CornerLeftDown,
  CornerLeftUp,
  CornerRightDown,
  CornerRightUp,
  type LucideIcon,
  Redo2,
  Undo2,
} from 'lucide-react'
import { memo } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { formatInteger } from '#ui/format/numbers.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Controls.module.css'
import { DEBUGGER_KEYS, type Debugger, type Movement, useMovementKeys } from './use-debugger.ts'

const css = classNames(styles)

interface StepButton {
  readonly name: string
  readonly icon: LucideIcon
  readonly key: string
  readonly movement: Movement
}

const STEPS: readonly StepButton[] = [
  { name: 'To the start', icon: ArrowLeftToLine, key: '', movement: { to: 'end', direction: -1 } },
  { name: 'Back out', icon: CornerLeftUp, key: 'Shift+O', movement: { how: 'out', direction: -1 } },
  { name: 'Back over', icon: Undo2, key: 'Shift+N', movement: { how: 'over', direction: -1 } },
  { name: 'Back into', icon: CornerLeftDown, key: 'Shift+I', movement: { how: 'into', direction: -1 } },
  { name: 'Step into', icon: CornerRightDown, key: 'I', movement: { how: 'into', direction: 1 } },
  { name: 'Step over', icon: Redo2, key: 'N', movement: { how: 'over', direction: 1 } },
  { name: 'Step out', icon: CornerRightUp, key: 'O', movement: { how: 'out', direction: 1 } },
  { name: 'To the end', icon: ArrowRightToLine, key: '', movement: { to: 'end', direction: 1 } },
]

const PLACES = [
  { to: 'log', name: 'log', key: 'L' },
  { to: 'write', name: 'storage write', key: 'W' },
  { to: 'call', name: 'call', key: 'C' },
  { to: 'revert', name: 'revert', key: 'R' },
  { to: 'breakpoint', name: 'breakpoint', key: 'B' },
] as const

/** The debugger's buttons: single steps, and jumps to the next log, write, call, revert or breakpoint. */
export function Controls({ debug }: { debug: Debugger }) {
  return (
    <div className={css('controls')}>
      <div role="group" aria-label="Steps" className={css('steps')}>
        {STEPS.map((step) => (
          <Step key={step.name} step={step} isEnabled={debug.canMove(step.movement)} move={debug.move} />
        ))}
      </div>
      <div role="group" aria-label="Places" className={css('places')}>
        {PLACES.map(({ to, name, key }) => (
          <Place
            key={to}
            to={to}
            name={name}
            shortcut={key}
            count={to === 'breakpoint' ? debug.stops.length : debug.marks[to].length}
            hasPrevious={debug.canMove({ to, direction: -1 })}
            hasNext={debug.canMove({ to, direction: 1 })}
            move={debug.move}
          />
        ))}
      </div>
      {DEBUGGER_KEYS.map(([key, movement]) => (
        <Keys key={key} shortcut={key} movement={movement} move={debug.move} />
      ))}
    </div>
  )
}

/** Memoized, like the others: most steps change no button. */
const Step = memo(function Step({
  step: { name, icon: Icon, key, movement },
  isEnabled,
  move,
}: {
  step: StepButton
  isEnabled: boolean
  move: Debugger['move']
}) {
  return (
    <Button
      size="small"
      aria-label={name}
      title={key === '' ? name : `${name} (${key})`}
      disabled={!isEnabled}
      onClick={() => move(movement)}
    >
      <Icon size={15} aria-hidden="true" />
      <span className={css('word')}>{name}</span>
    </Button>
  )
})

const Place = memo(function Place({
  to,
  name,
  shortcut,
  count,
  hasPrevious,
  hasNext,
  move,
}: Pick<(typeof PLACES)[number], 'to' | 'name'> & {
  shortcut: string
  count: number
  hasPrevious: boolean
  hasNext: boolean
  move: Debugger['move']
}) {
  return (
    <span className={css('place')}>
      <Button
        size="small"
        aria-label={`Previous ${name}`}
        title={`Previous ${name} (Shift+${shortcut})`}
        disabled={!hasPrevious}
        onClick={() => move({ to, direction: -1 })}
      >
        <ChevronLeft size={14} aria-hidden="true" />
      </Button>
      <span className={css('kind', count === 0 && 'none')}>
        {name} <span className={css('count')}>{formatInteger(count)}</span>
      </span>
      <Button
        size="small"
        aria-label={`Next ${name}`}
        title={`Next ${name} (${shortcut})`}
        disabled={!hasNext}
        onClick={() => move({ to, direction: 1 })}
      >
        <ChevronRight size={14} aria-hidden="true" />
      </Button>
    </span>
  )
})

const Keys = memo(function Keys({
  shortcut,
  movement,
  move,
}: {
  shortcut: string
  movement: Movement
  move: Debugger['move']
}) {
  useMovementKeys(shortcut, movement, move)
  return null
})
