import { classNames } from '#ui/styles/class-names.ts'
import styles from './PlaceMark.module.css'
import type { PaymentPlace } from './scenario/run-dapp.ts'

const css = classNames(styles)

/** The sign of where a payment is: hollow, half, solid, or dashed. */
export function PlaceMark({ place, x, y, r }: { place: PaymentPlace; x: number; y: number; r: number }) {
  return (
    <g className={css('mark', place)} transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}>
      <circle r={r} className={css('disc')} />
      {place === 'preconfirmed' && <path className={css('half')} d={`M0 ${-r}a${r} ${r} 0 0 0 0 ${2 * r}z`} />}
    </g>
  )
}

/** The sign of a place within text. */
export function PlaceSign({ place }: { place: PaymentPlace }) {
  return (
    <svg className={css('sign')} viewBox="-8 -8 16 16" width="12" height="12" aria-hidden="true">
      <PlaceMark place={place} x={0} y={0} r={6} />
    </svg>
  )
}
