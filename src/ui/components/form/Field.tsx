import { type ReactNode, useId } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Field.module.css'

const css = classNames(styles)

/** Class of the control inside a {@link Field}. */
export const fieldClass = css('control')

/** Ids that connect a control with its label, hint and error. */
export interface FieldProps {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

/** A labelled control with a hint; an error replaces the hint. */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  label: string
  hint?: ReactNode
  error?: string | undefined
  children: (props: FieldProps) => ReactNode
}) {
  const id = useId()
  const note = `${id}-note`
  const described = error !== undefined || hint !== undefined
  return (
    <div className={css('field')}>
      <label htmlFor={id} className={css('label')}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described ? note : undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {described && (
        <p id={note} className={error === undefined ? 'note' : css('error')}>
          {error ?? hint}
        </p>
      )}
    </div>
  )
}
