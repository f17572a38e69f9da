import { type ReactNode, useId } from 'react'
import { DEV_ACCOUNTS } from '#client/dev-accounts.ts'
import { Field, fieldClass } from '#ui/components/Field.tsx'
import { type Draft, editDraft, useDraft } from '#ui/compose/draft.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Composer.module.css'

const css = classNames(styles)

/** A draft's fields that are one line of text, or several. */
type TextName = Exclude<keyof Draft, 'args' | 'type' | 'dataBy'>

/** A field of the draft. What is typed is kept as it is. */
export function DraftField({
  name,
  label,
  hint,
  error,
  placeholder,
  look = 'plain',
}: {
  name: TextName
  label: string
  hint?: ReactNode
  error: string | undefined
  placeholder?: string
  look?: 'plain' | 'number' | 'mono' | 'address' | 'area'
}) {
  const value = useDraft((draft) => draft[name])
  return (
    <TextField
      label={label}
      hint={hint}
      error={error}
      value={value}
      onChange={(text) => editDraft({ [name]: text })}
      placeholder={placeholder}
      look={look}
    />
  )
}

/** A labelled line of text, or an area of it. */
export function TextField({
  label,
  hint,
  error,
  value,
  onChange,
  placeholder,
  look,
}: {
  label: string
  hint?: ReactNode
  error: string | undefined
  value: string
  onChange: (text: string) => void
  placeholder?: string | undefined
  look: 'plain' | 'number' | 'mono' | 'address' | 'area'
}) {
  const accounts = useId()
  const mono = look === 'plain' || look === 'number' ? '' : ' mono'
  return (
    <div className={css(look !== 'number' && 'wide')}>
      <Field label={label} hint={hint} error={error}>
        {(props) => {
          const shared = {
            ...props,
            value,
            placeholder,
            spellCheck: false,
            autoComplete: 'off',
            onChange: (event: { readonly target: { readonly value: string } }) => onChange(event.target.value),
          }
          if (look === 'area') return <textarea {...shared} rows={3} className={`${fieldClass} ${css('area')} mono`} />
          return (
            <input
              {...shared}
              className={`${fieldClass}${mono}`}
              inputMode={look === 'number' ? 'decimal' : undefined}
              list={look === 'address' ? accounts : undefined}
            />
          )
        }}
      </Field>
      {look === 'address' && (
        <datalist id={accounts}>
          {DEV_ACCOUNTS.map(({ name, address }) => (
            <option key={address} value={address} label={name} />
          ))}
        </datalist>
      )}
    </div>
  )
}
