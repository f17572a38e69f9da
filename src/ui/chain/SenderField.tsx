import type { ReactNode } from 'react'
import { Field, fieldClass } from '#ui/components/form/Field.tsx'
import { chooseSender, useSender } from '#ui/own/sender.ts'
import { AccountOptions } from './AccountOptions.tsx'

/** Chooses the development account that signs. */
export function SenderField({ hint }: { hint?: ReactNode }) {
  const sender = useSender((state) => state.index)
  return (
    <Field label="From" hint={hint}>
      {(props) => (
        <select
          {...props}
          className={fieldClass}
          value={sender}
          onChange={(event) => chooseSender(Number(event.target.value))}
        >
          <AccountOptions />
        </select>
      )}
    </Field>
  )
}
