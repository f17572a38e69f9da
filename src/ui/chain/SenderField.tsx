import type { ReactNode } from 'react'
import { DEV_ACCOUNTS } from '#client/signing/dev-accounts.ts'
import { Field, fieldClass } from '#ui/components/form/Field.tsx'
import { shortHex } from '#ui/format/hex.ts'
import { chooseSender, useSender } from '#ui/own/sender.ts'

/** Chooses the development account that signs. */
export function SenderField({ hint }: { hint: ReactNode }) {
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
          {DEV_ACCOUNTS.map(({ index, name, address }) => (
            <option key={index} value={index}>
              {name} · {shortHex(address)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
