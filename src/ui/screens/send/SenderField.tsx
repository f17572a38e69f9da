import { DEV_ACCOUNTS } from '#client/dev-accounts.ts'
import { Field, fieldClass } from '#ui/components/Field.tsx'
import type { SenderFacts } from '#ui/compose/complete.ts'
import { formatEth } from '#ui/format/numbers.ts'
import { chooseSender, useSender } from '#ui/own/sender.ts'
import { TEST_KEYS } from '#ui/own/test-keys.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Composer.module.css'

const css = classNames(styles)

/** Which development account signs. */
export function SenderField({ facts }: { facts: SenderFacts | undefined }) {
  const sender = useSender((state) => state.index)
  const balance = facts === undefined ? 'pending balance …' : `pending balance ${formatEth(facts.balance)}`
  return (
    <div className={css('wide')}>
      <Field label="From" hint={`${balance}. ${TEST_KEYS}`}>
        {(props) => (
          <select
            {...props}
            className={fieldClass}
            value={sender}
            onChange={(event) => chooseSender(Number(event.target.value))}
          >
            {DEV_ACCOUNTS.map(({ index, name, address }) => (
              <option key={index} value={index}>
                {name} · public test key · {address.slice(0, 6)}…{address.slice(-4)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  )
}
