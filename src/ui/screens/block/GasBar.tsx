import { formatInteger, formatPercent } from '#ui/format/numbers.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './GasBar.module.css'

const css = classNames(styles)

/** Shows how much of a block's gas is used. */
export function GasBar({ used, limit }: { used: bigint; limit: bigint }) {
  const share = limit === 0n ? 0 : Number((used * 10_000n) / limit) / 100
  const words = `${formatInteger(used)} of ${formatInteger(limit)} gas, ${formatPercent(used, limit)}`
  return (
    <div className={css('gas')}>
      <div
        role="meter"
        aria-label="Gas used"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
        aria-valuetext={words}
        className={css('bar')}
      >
        <div className={css('fill', used > 0n && 'some')} style={{ width: `${share}%` }} />
      </div>
      <p className={css('words')}>{words}</p>
    </div>
  )
}
