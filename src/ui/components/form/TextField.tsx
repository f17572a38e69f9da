import { type ComponentProps, type ReactNode, useId } from 'react'
import { DEV_ACCOUNTS, type DevAddress } from '#client/signing/dev-accounts.ts'
import { Field, fieldClass } from './Field.tsx'

/** `address`: offers accounts; `area`: several lines. */
export type TextLook = 'plain' | 'number' | 'mono' | 'address' | 'area'

/** An account that is offered. */
type Choice = Pick<DevAddress, 'name' | 'address'>

/** A labelled text input of one or several lines; what is typed is not changed. */
export function TextField({
  label,
  hint,
  error,
  look = 'plain',
  choices = DEV_ACCOUNTS,
  value,
  onChange,
  ...rest
}: {
  label: string
  hint?: ReactNode
  error?: string | undefined
  look?: TextLook
  /** The accounts that an `address` offers; by default the development accounts. */
  choices?: readonly Choice[]
  value: string
  onChange: (text: string) => void
} & Pick<ComponentProps<'input'>, 'type' | 'inputMode' | 'placeholder' | 'autoCapitalize'>) {
  const accounts = useId()
  const isMono = look !== 'plain' && look !== 'number'
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => {
        const shared = {
          ...props,
          value,
          spellCheck: false,
          autoComplete: 'off',
          className: `${fieldClass}${isMono ? ' mono' : ''}`,
          onChange: (event: { readonly target: { readonly value: string } }) => onChange(event.target.value),
        }
        if (look === 'area') return <textarea {...shared} rows={3} />
        return (
          <>
            <input
              {...rest}
              {...shared}
              inputMode={look === 'number' ? 'decimal' : rest.inputMode}
              list={look === 'address' ? accounts : undefined}
            />
            {look === 'address' && (
              <datalist id={accounts}>
                {choices.map(({ name, address }) => (
                  <option key={address} value={address} label={name} />
                ))}
              </datalist>
            )}
          </>
        )
      }}
    </Field>
  )
}
