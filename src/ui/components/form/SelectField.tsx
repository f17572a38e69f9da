import type { ReactNode } from 'react'
import { Field, fieldClass } from './Field.tsx'

/** A labelled choice of one of its options, which are elements of HTML. */
export function SelectField({
  label,
  hint,
  error,
  value,
  onChange,
  children,
}: {
  label: string
  hint?: ReactNode
  error?: string | undefined
  value: string | number | undefined
  onChange: (value: string) => void
  children: ReactNode
}) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => (
        <select {...props} className={fieldClass} value={value} onChange={(event) => onChange(event.target.value)}>
          {children}
        </select>
      )}
    </Field>
  )
}
