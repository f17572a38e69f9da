import { ClockControls } from '#ui/chain/ClockControls.tsx'
import { useClockShortcuts } from '#ui/chain/clock-shortcuts.ts'
import { Button } from '#ui/components/Button.tsx'
import { Kbd } from '#ui/components/Kbd.tsx'
import { useCapabilities } from '#ui/page/session.ts'
import { useShortcut } from '#ui/page/use-shortcut.ts'
import { useOpenView } from '#ui/page/view-address.ts'
import { FaultOutcome } from '#ui/screens/live/faults/FaultsPanel.tsx'
import { useCauseFault, useFaultState } from '#ui/screens/live/faults/fault-control.ts'
import { FAULTS } from '#ui/screens/live/faults/fault-names.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { RecordingOutcome, RecordKey } from './Recording.tsx'
import styles from './Stage.module.css'
import { BEATS } from './scenes.ts'
import { drawCurtain, useStage } from './stage-store.ts'
import { useTalk } from './use-talk.ts'

const css = classNames(styles)

/** The scenes, the clock and the faults, as keys. Scenes need an account to send from. */
export function Controls() {
  const { accounts } = useCapabilities()
  useClockShortcuts()
  return (
    <section className={css('controls')} aria-label="Controls">
      {accounts.length > 0 && <SceneKeys />}
      <ClockControls />
      <div className={css('keys')} role="group" aria-label="Faults">
        {FAULTS.map((fault, i) => (
          <FaultKey key={fault.kind} fault={fault} digit={String(i + 1)} />
        ))}
      </div>
      {accounts.length > 0 && <CurtainKeys />}
      <div className={css('told')}>
        <FaultOutcome />
        <RecordingOutcome />
      </div>
    </section>
  )
}

function SceneKeys() {
  const open = useOpenView()
  const leaveStage = () => open('page')
  const { go, openNotes } = useTalk()
  const { at, spotlight, curtain } = useStage()
  useShortcut('PageDown', () => go('next'))
  useShortcut('PageUp', () => go('previous'))
  useShortcut('ArrowRight', () => go('next'))
  useShortcut('ArrowLeft', () => go('previous'))
  useShortcut('Escape', () => {
    if (curtain) useStage.setState({ curtain: undefined })
    else if (at === undefined) leaveStage()
    else go('end')
  })
  useShortcut('n', openNotes)
  useShortcut('l', toggleSpotlight)
  return (
    <div className={css('keys')} role="group" aria-label="Scenes">
      {at !== undefined && (
        <Button size="small" onClick={() => go('previous')} aria-keyshortcuts="PageUp" title="One step back (PgUp)">
          Back
        </Button>
      )}
      <Button
        size="small"
        disabled={at === BEATS.length - 1}
        onClick={() => go('next')}
        aria-keyshortcuts="PageDown"
        title="The next step of the scenes (PgDn)"
      >
        {at === undefined ? 'Begin the scenes' : 'Next'}
      </Button>
      {at !== undefined && (
        <Button size="small" onClick={() => go('end')} aria-keyshortcuts="Escape" title="End the scenes (Esc)">
          End
        </Button>
      )}
      <Button
        size="small"
        onClick={openNotes}
        aria-keyshortcuts="n"
        title="Speaker’s notes, in a window of their own (N)"
      >
        Notes
      </Button>
      <Button
        size="small"
        aria-pressed={spotlight}
        onClick={toggleSpotlight}
        aria-keyshortcuts="l"
        title="Follow your last transaction with the spotlight (L)"
      >
        Spotlight
      </Button>
      <RecordKey />
      {at === undefined && (
        <Button
          size="small"
          onClick={leaveStage}
          aria-keyshortcuts="Escape"
          title="Leave the stage, for the whole page (Esc)"
        >
          Leave
        </Button>
      )}
    </div>
  )
}

/** What hangs before the stage: the code for phones, or black. */
function CurtainKeys() {
  const curtain = useStage((stage) => stage.curtain)
  useShortcut('b', () => drawCurtain('black'))
  useShortcut('q', () => drawCurtain('code'))
  return (
    <div className={css('keys')} role="group" aria-label="Before the stage">
      <Button
        size="small"
        aria-pressed={curtain === 'code'}
        onClick={() => drawCurtain('code')}
        aria-keyshortcuts="q"
        title="The code for phones, as large as the wall allows (Q)"
      >
        Code
      </Button>
      <Button
        size="small"
        aria-pressed={curtain === 'black'}
        onClick={() => drawCurtain('black')}
        aria-keyshortcuts="b"
        title="A black wall (B)"
      >
        Black
      </Button>
    </div>
  )
}

function toggleSpotlight(): void {
  useStage.setState(({ spotlight }) => ({ spotlight: !spotlight }))
}

/** A fault that a digit causes, too. */
function FaultKey({ fault: { kind, name, icon: Icon }, digit }: { fault: (typeof FAULTS)[number]; digit: string }) {
  const busy = useFaultState((state) => state.busy)
  const cause = useCauseFault()
  const press = () => {
    if (!busy) void cause(kind)
  }
  useShortcut(digit, press)
  return (
    <Button size="small" disabled={busy} onClick={press} aria-keyshortcuts={digit} title={`${name} (${digit})`}>
      <Icon size={14} aria-hidden="true" />
      <span className={css('faultName')}>{name}</span> <Kbd>{digit}</Kbd>
    </Button>
  )
}
