import type { DevnetStatus } from '#rpc-types/methods/devnet.ts'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { FieldList, FieldRow } from '#ui/components/FieldList.tsx'
import { Segmented } from '#ui/components/form/Segmented.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { formatDuration, formatInteger, formatTimestamp } from '#ui/format/numbers.ts'
import { useSession } from '#ui/page/session.ts'
import { useAutomine, useClockControls, useClockState, useStatus } from '#ui/queries/status.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { NewChainForm } from './NewChainForm.tsx'
import styles from './SettingsScreen.module.css'

const css = classNames(styles)

/** The chain's options, and a way to open another chain. */
export function ChainPanel() {
  const status = useStatus(wholeStatus)
  const { chain, remote, fork } = useSession()
  return (
    <Panel title="Chain">
      {status ? (
        <FieldList>
          <FieldRow name="Name">
            {remote ? remote.endpoint.host : (fork?.name(status) ?? chain ?? 'none: in memory only')}
          </FieldRow>
          <FieldRow name="Seed" raw={String(status.seed)}>
            {status.seed}
          </FieldRow>
          <FieldRow name="Chain id" raw={status.chainId}>
            {Number(status.chainId)}
          </FieldRow>
          <FieldRow name="Tick" term="tick">
            every {formatDuration(status.partialMs)}
          </FieldRow>
          <FieldRow name="Block">
            {formatInteger(status.partialsPerBlock)} partial blocks, sealed every{' '}
            {formatDuration(status.partialMs * status.partialsPerBlock)}
          </FieldRow>
          <FieldRow name="Client">{othersText(status.clientVersion, LONGEST_NAME)}</FieldRow>
        </FieldList>
      ) : (
        <p className="muted">Asking the node…</p>
      )}
      {!remote && !fork && (
        <details className={css('more')}>
          <summary>Open a chain with other options</summary>
          <NewChainForm />
        </details>
      )}
    </Panel>
  )
}

const SPEEDS = [
  { value: '0.1', label: '0.1×' },
  { value: '0.5', label: '0.5×' },
  { value: '1', label: '1×' },
  { value: '5', label: '5×' },
  { value: '20', label: '20×' },
] as const

const CLOCK_WORDS = {
  running: 'Automatic: ticks come on their own.',
  paused: 'Automatic, paused: no ticks until you resume it.',
  manual: 'Manual: a tick comes only when you ask for one. You choose this when you open a chain.',
  automine: 'Automine: each transaction is sealed at once, in a block of its own.',
} as const

/** The pace of the chain's time. */
export function TimePanel() {
  const clock = useClockState()
  const automine = useAutomine()
  const speed = useStatus((status) => status.speed)
  const chainTime = useStatus((status) => Math.floor(status.chainTimeMs / 1000))
  const { togglePause, setSpeed, step, error } = useClockControls()
  const isAutomatic = clock === 'running' || clock === 'paused'
  return (
    <Panel title="Time">
      <div className={css('stack')}>
        <p>{clock ? CLOCK_WORDS[automine ? 'automine' : clock] : 'Asking the node…'}</p>
        {chainTime !== undefined && <p className="muted">Chain time {formatTimestamp(chainTime)}</p>}
        <div className={css('row')}>
          {isAutomatic ? (
            <>
              <Button size="small" onClick={togglePause}>
                {clock === 'paused' ? 'Resume the chain' : 'Pause the chain'}
              </Button>
              <Segmented
                legend="Speed of the chain"
                options={SPEEDS}
                value={SPEEDS.find(({ value }) => Number(value) === speed)?.value}
                onChange={(value) => setSpeed(Number(value))}
                size="small"
              />
            </>
          ) : (
            <Button size="small" disabled={!clock} onClick={step}>
              Add one partial block
            </Button>
          )}
        </div>
        {error && <ErrorNote error={error} />}
      </div>
    </Panel>
  )
}

const wholeStatus = (status: DevnetStatus) => status
