import { classNames } from '#ui/styles/class-names.ts'
import styles from './Screens.module.css'
import type { Care, ScenarioHistory } from './scenario/scenario.ts'
import { CARES } from './scenario/scenario.ts'
import { atTick } from './time-parts.ts'
import { VerdictSign } from './VerdictSign.tsx'

const css = classNames(styles)

const NAMES: Readonly<Record<Care, string>> = { careless: 'Careless dapp', careful: 'Careful dapp' }

/**
 * The screens of both dapps at a moment.
 *
 * @param judged - Whether their verdicts stand below: the moment is the end.
 */
export function Screens({ history, at, judged }: { history: ScenarioHistory; at: number; judged: boolean }) {
  return (
    <div className={css('screens')}>
      {CARES.map((care) => {
        const { shown, verdict } = history[care]
        const { text, claim } = atTick(shown, at) ?? { text: '', claim: 'busy' as const }
        return (
          <figure key={care} className={css('screen')}>
            <figcaption className={css('name')}>{NAMES[care]}</figcaption>
            <p className={css('shown', claim)}>{text}</p>
            <p className={css('verdict', !judged && 'later')}>
              <VerdictSign kind={verdict.kind} size={16} />
              <span>{verdict.words}</span>
            </p>
          </figure>
        )
      })}
    </div>
  )
}
