import { classNames } from '#ui/styles/class-names.ts'
import styles from './Legend.module.css'
import { PlaceSign } from './PlaceMark.tsx'
import { VerdictSign } from './VerdictSign.tsx'
import { PLACES } from './words.ts'

const css = classNames(styles)

const SHOWN = ['mempool', 'preconfirmed', 'sealed', 'gone'] as const

/** What the signs of the tree mean. */
export function Legend() {
  return (
    <ul className={css('legend')} aria-label="Signs">
      {SHOWN.map((place) => (
        <li key={place}>
          <PlaceSign place={place} />
          {place === 'gone' ? 'Lost or replaced' : PLACES[place]}
        </li>
      ))}
      <li>
        <svg viewBox="-6 -6 12 12" width="12" height="12" aria-hidden="true" className={css('strike')}>
          <path d="M0 -4.5l4.5 4.5l-4.5 4.5l-4.5 -4.5z" />
        </svg>
        A fault strikes
      </li>
      <li>
        <VerdictSign kind="wrong" />
        Careless dapp wrong
      </li>
      <li>
        <VerdictSign kind="lucky" />
        right by luck
      </li>
    </ul>
  )
}
