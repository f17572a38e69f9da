import { CircleCheck, CircleX, Hourglass } from 'lucide-react'
import { GLOSSARY } from '#ui/components/glossary.ts'
import { Term } from '#ui/components/Term.tsx'
import type { CompleteTransaction } from '#ui/compose/complete.ts'
import { type Consequence, foresee } from '#ui/compose/consequences.ts'
import { withUnits } from '#ui/format/numbers.ts'
import { useCapabilities } from '#ui/page/session.ts'
import type { SenderFacts } from '#ui/queries/sender.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Consequences.module.css'

const css = classNames(styles)

const ICONS = { goes: CircleCheck, waits: Hourglass, refused: CircleX } as const
const VERDICTS: Readonly<Record<Consequence['verdict'], (block: string, copies: number) => string>> = {
  goes: (block, copies) => `${copies > 1 ? 'They go' : 'It goes'} into the next ${block}.`,
  waits: (_block, copies) => `${copies > 1 ? 'They' : 'It'} will wait in the mempool.`,
  refused: (_block, copies) => `The node will reject ${copies > 1 ? 'them' : 'it'}.`,
}

/** What will happen to the transaction, and why. */
export function Consequences({ tx, facts, copies }: { tx: CompleteTransaction; facts: SenderFacts; copies: number }) {
  const consequences = foresee(tx, facts, copies)
  const verdict = worstOf(consequences)
  const { preconfirms } = useCapabilities()
  return (
    <section className={css('box', verdict)} aria-label="Expected outcome">
      <p className={css('verdict')}>{VERDICTS[verdict](preconfirms ? 'partial block' : 'block', copies)}</p>
      <ul className={css('list')}>
        {consequences.map(({ verdict: part, text, term }) => {
          const Icon = ICONS[part]
          return (
            <li key={text} className={css('item')}>
              <Icon size={15} aria-hidden="true" className={css('icon', part)} />
              <span>
                {withUnits(text)} {term && <Term of={term}>{GLOSSARY[term].word}</Term>}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function worstOf(consequences: readonly Consequence[]): Consequence['verdict'] {
  const verdicts = consequences.map(({ verdict }) => verdict)
  if (verdicts.includes('refused')) return 'refused'
  return verdicts.includes('waits') ? 'waits' : 'goes'
}
