import { Square, Waves } from 'lucide-react'
import { Button } from '#ui/components/Button.tsx'
import { planLoad, stopLoad, useLoad } from '#ui/load/load-control.ts'
import { useProvider } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Traffic.module.css'

const css = classNames(styles)

/** Transactions a second: enough to see the chain work, few enough to follow each. */
const RATE = 5

/** The one offer of a chain at rest: some transactions a second, until it is pressed again. */
export function Traffic() {
  const { plan } = useLoad()
  const provider = useProvider()
  const isOn = plan.rate > 0
  return (
    <p className={css('offer')}>
      <Button
        aria-pressed={isOn}
        onClick={() => (isOn ? stopLoad() : planLoad(provider, { rate: RATE, pattern: 'steady' }))}
      >
        {isOn ? <Square size={14} aria-hidden="true" /> : <Waves size={14} aria-hidden="true" />}
        {isOn ? 'Stop the traffic' : 'Show me traffic'}
      </Button>
      <span className="note">
        {isOn
          ? `${plan.rate} transactions per second`
          : `${RATE} transfers per second between test accounts, until you stop it`}
      </span>
    </p>
  )
}
