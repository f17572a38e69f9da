import { Panel } from '#ui/components/layout/Panel.tsx'
import { formatCount, formatDuration } from '#ui/format/numbers.ts'
import { usePace } from '#ui/queries/status.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './LatencyPanel.module.css'
import { histogram, percentile } from './latency.ts'
import { useLatencies } from './use-latencies.ts'

const css = classNames(styles)

const BINS = 48
const HEIGHT = 40

/** Times until transactions were pre-confirmed and sealed: the median, the 95th percentile, and a histogram. */
export function LatencyPanel() {
  const samples = useLatencies()
  const { partialMs, partialsPerBlock, speed } = usePace()
  // From the mempool to the seal takes at most a block and a tick, unless the seal is delayed.
  const usual = (partialMs * (partialsPerBlock + 1)) / speed
  const end = Math.max(usual, ...samples.map((sample) => sample.sealedMs))
  const lanes = [
    { name: 'Pre-confirmed', look: 'preconfirmed', times: samples.map((sample) => sample.preconfirmedMs) },
    { name: 'Sealed', look: 'sealed', times: samples.map((sample) => sample.sealedMs) },
  ] as const
  return (
    <Panel title="How long it takes" aside={`from the mempool, ${formatCount(samples.length, 'sample')}`}>
      <div className={css('lanes')}>
        {lanes.map(({ name, look, times }) => (
          <div key={look} className={css('lane')}>
            <h3 className={css('name')}>{name}</h3>
            <Bars counts={histogram(times, BINS, end)} look={look} />
            <dl className={css('figures')}>
              <Figure
                name="p50"
                means={`half of the transactions were ${name.toLowerCase()} within`}
                ms={percentile(times, 0.5)}
              />
              <Figure name="p95" means={`95 in 100 were ${name.toLowerCase()} within`} ms={percentile(times, 0.95)} />
            </dl>
          </div>
        ))}
        <p className={css('axis')} aria-hidden="true">
          <span>0</span>
          <span>{formatDuration(end)}</span>
        </p>
      </div>
      <p className="note">
        {samples.length === 0
          ? 'Measured in the node, for some of the transactions in each sealed block.'
          : 'p50: half of them took no longer. p95: 95 in 100 took no longer. Measured in the node, for some of the transactions in each block.'}
      </p>
    </Panel>
  )
}

function Bars({ counts, look }: { counts: readonly number[]; look: 'preconfirmed' | 'sealed' }) {
  const most = Math.max(1, ...counts)
  return (
    <svg className={css('bars', look)} viewBox={`0 0 ${BINS} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {counts.map((count, bin) => {
        const height = count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT)
        // Bins are identified by their index.
        return <rect key={bin} x={bin + 0.1} y={HEIGHT - height} width={0.8} height={height} />
      })}
    </svg>
  )
}

function Figure({ name, means, ms }: { name: string; means: string; ms: number | undefined }) {
  return (
    <div className={css('figure')}>
      <dt title={means}>{name}</dt>
      <dd>{ms === undefined ? '–' : formatDuration(ms)}</dd>
    </div>
  )
}
