import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { WithdrawnFate } from '#rpc-types/methods/devnet.ts'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Segmented } from '#ui/components/form/Segmented.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { shortHex } from '#ui/format/hex.ts'
import { formatInteger } from '#ui/format/numbers.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './FaultsPanel.module.css'
import { chooseFate, dismissFault, useCancelDrop, useCauseFault, useFaultState } from './fault-control.ts'
import { FAULTS } from './fault-names.ts'
import type { FaultReport } from './faults.ts'

const css = classNames(styles)

const FATES = [
  { value: 'requeue', label: 'are requeued' },
  { value: 'lose', label: 'are lost' },
] as const satisfies readonly { readonly value: WithdrawnFate; readonly label: string }[]

/** How many transactions affected by a fault are linked. */
const SHOWN = 4

/** Causes faults of pre-confirmations on request, and shows what they did. */
export function FaultsPanel() {
  const fate = useFaultState((state) => state.fate)
  return (
    <Panel title="Faults" aside={<AppLink to="/break">Every way it can break</AppLink>}>
      <div className={css('faults')}>
        <FaultButtons />
        <div className={css('fate')}>
          <span aria-hidden="true">Withdrawn transactions</span>
          <Segmented legend="Withdrawn transactions" options={FATES} value={fate} onChange={chooseFate} />
        </div>
        <div className={css('report')}>
          <FaultOutcome
            otherwise={
              <span className="muted">
                A sequencer can break its promise. See what then happens to a pre-confirmed or sealed transaction.
              </span>
            }
          />
        </div>
      </div>
    </Panel>
  )
}

/** A button for each fault. */
export function FaultButtons() {
  const busy = useFaultState((state) => state.busy)
  const cause = useCauseFault()
  return (
    <div className="row">
      {FAULTS.map(({ kind, name, icon: Icon }) => (
        <Button key={kind} size="small" disabled={busy} onClick={() => void cause(kind)}>
          <Icon size={14} aria-hidden="true" />
          {name}
        </Button>
      ))}
    </div>
  )
}

/** The result of the last fault, or what it waits for; `otherwise` if there is none. */
export function FaultOutcome({ otherwise }: { otherwise?: ReactNode }) {
  const { report, armed, error, busy } = useFaultState()
  const cancel = useCancelDrop()
  const told = report !== undefined || armed || error !== undefined
  return (
    <>
      <output aria-label="Effect of the fault" className={css('outcome')}>
        {report ? (
          <Report report={report} />
        ) : armed ? (
          'No transaction is pre-confirmed in the pending block. The next partial block with transactions will be withdrawn one tick later, before it can be sealed.'
        ) : (
          otherwise
        )}
        {error !== undefined && <ErrorNote error={error} />}
      </output>
      {armed && (
        <Button size="small" disabled={busy} onClick={() => void cancel()}>
          Cancel drop
        </Button>
      )}
      {told && !armed && (
        <button type="button" className={css('dismiss')} aria-label="Dismiss" title="Dismiss" onClick={dismissFault}>
          <X size={14} aria-hidden="true" />
        </button>
      )}
    </>
  )
}

function Report({ report: { words, hashes, count } }: { report: FaultReport }) {
  const more = count - Math.min(SHOWN, hashes.length)
  return (
    <>
      {words}
      {hashes.slice(0, SHOWN).map((hash) => (
        <span key={hash}>
          {' '}
          <AppLink to={`/tx/${hash}`} className="mono">
            {shortHex(hash)}
          </AppLink>
        </span>
      ))}
      {more > 0 && <span className="muted"> and {formatInteger(more)} more</span>}
    </>
  )
}
