import { Info } from 'lucide-react'
import { useCapabilities, useSession } from '#ui/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './MissingFeatures.module.css'
import { missingFeatures } from './remote-words.ts'

const css = classNames(styles)

/** What the endpoint cannot do, in words; nothing where it can do everything. */
export function MissingFeatures() {
  const { remote } = useSession()
  const missing = missingFeatures(useCapabilities())
  if (!remote || missing.length === 0) return null
  return (
    <section aria-label="What this endpoint lacks" className={css('note')}>
      <Info size={16} aria-hidden="true" className={css('icon')} />
      <div className={css('words')}>
        {missing.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </section>
  )
}
