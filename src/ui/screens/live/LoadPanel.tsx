import { Square } from 'lucide-react'
import { useId } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Segmented } from '#ui/components/form/Segmented.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { Slider } from '#ui/components/Slider.tsx'
import { formatInteger } from '#ui/format/numbers.ts'
import { type LoadEnd, type LoadState, planLoad, stopLoad, useLoad } from '#ui/load/load-control.ts'
import { LOAD_RATES, type LoadPattern } from '#ui/load/load-plan.ts'
import { useProvider } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './LoadPanel.module.css'

const css = classNames(styles)

const PATTERNS = [
  { value: 'steady', label: 'Steady' },
  { value: 'burst', label: 'Burst' },
  { value: 'calls', label: 'Contract calls' },
  { value: 'reverts', label: 'Reverting' },
] as const satisfies readonly { readonly value: LoadPattern; readonly label: string }[]

const WHAT: Readonly<Record<LoadPattern, string>> = {
  steady: 'Transfers, spread evenly over time.',
  burst: 'Transfers, in bursts every two seconds.',
  calls: 'Calls that increase a counter in a contract and emit a log.',
  reverts: 'Calls that the contract reverts. They are included in blocks and pay for gas.',
}

/** Sends transactions at a chosen rate, from accounts used for nothing else. */
export function LoadPanel() {
  const { plan, phase, rates, end } = useLoad()
  const provider = useProvider()
  const id = useId()
  const perSecond = `${formatInteger(plan.rate)} ${plan.rate === 1 ? 'transaction' : 'transactions'} per second`
  return (
    <Panel title="Load" aside={describePhase(phase)}>
      <div className={css('load')}>
        <div className={css('rate')}>
          <label htmlFor={id}>Transactions per second</label>
          <output htmlFor={id} className={css('number')} aria-live="off">
            {formatInteger(plan.rate)}
          </output>
          <div className={css('slider')}>
            <Slider
              id={id}
              words={plan.rate === 0 ? 'no load' : perSecond}
              max={LOAD_RATES.length - 1}
              value={positionOf(plan.rate)}
              onChange={(position) => planLoad(provider, { ...plan, rate: LOAD_RATES[position] ?? 0 })}
            />
          </div>
        </div>
        <div className={css('pattern')}>
          <Segmented
            legend="Pattern of the load"
            options={PATTERNS}
            value={plan.pattern}
            onChange={(pattern) => planLoad(provider, { ...plan, pattern })}
          />
          <Button size="small" disabled={phase === 'off'} onClick={() => stopLoad()}>
            <Square size={12} aria-hidden="true" />
            Stop load
          </Button>
        </div>
        <dl className={css('rates')} aria-label="Measured, per second">
          <Rate name="Sent" value={rates.sent} />
          <Rate name="Pre-confirmed" value={rates.preconfirmed} />
          <Rate name="Sealed" value={rates.sealed} />
          <Rate name="Reverted" value={rates.reverted} />
        </dl>
        <p className="note">
          {WHAT[plan.pattern]} Sent by ten public test accounts of its own. The load stops when this tab has been hidden
          for 30 s.
        </p>
        {end && <End end={end} />}
      </div>
    </Panel>
  )
}

function Rate({ name, value }: { name: string; value: number }) {
  return (
    <div className={css('figure')}>
      <dt>{name}</dt>
      <dd>
        {formatInteger(Math.round(value))}
        <span className="muted">/s</span>
      </dd>
    </div>
  )
}

function End({ end }: { end: LoadEnd }) {
  switch (end.kind) {
    case 'failed':
      return <ErrorNote error={end.error} />
    case 'hidden':
      return <p className="muted">The load has stopped because this tab was hidden.</p>
    case 'replaced':
      return <p className="muted">The load has stopped because its chain was replaced.</p>
  }
}

function describePhase(phase: LoadState['phase']): string {
  switch (phase) {
    case 'off':
      return 'off'
    case 'starting':
      return 'starting'
    case 'deploying':
      return 'deploying its contract'
    case 'running':
      return 'running'
  }
}

/** Position of a rate on the slider; a rate from an address may lie between two steps. */
function positionOf(rate: number): number {
  const position = LOAD_RATES.findIndex((step) => step >= rate)
  return position === -1 ? LOAD_RATES.length - 1 : position
}
