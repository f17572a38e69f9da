import { useId } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Fork.module.css'
import { goFork } from './fork-consent.ts'
import { FORK_EXAMPLES } from './fork-examples.ts'

const css = classNames(styles)

/** Chains to fork without a key. Nothing is sent to their hosts before a button is pressed. */
export function ForkExamples() {
  const title = useId()
  return (
    <section aria-labelledby={title} className={css('examples')}>
      <h3 id={title} className={css('heading')}>
        Or one of these, without a key
      </h3>
      <ul className={css('choices')}>
        {FORK_EXAMPLES.map(({ chain, fork, what, screen }) => (
          <li key={chain} className={css('choice')}>
            <Button size="small" onClick={() => goFork(fork, screen)}>
              {chain} at {fork.endpoint.host}
            </Button>
            <p className="note">{what}</p>
          </li>
        ))}
      </ul>
      <p className="note">
        Public endpoints run by third parties; they see your IP address and what you look at, and limit how much they
        answer. Nothing is sent there before you press its button.
      </p>
    </section>
  )
}
