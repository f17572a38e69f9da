import { type ReactNode, useId } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Segmented.module.css'

const css = classNames(styles)

export interface SegmentedOption<Value extends string> {
  readonly value: Value
  /** Name of the option; visible unless there is an icon. */
  readonly label: string
  readonly icon?: ReactNode
}

/** A choice among a few visible options. Made of native radio buttons, so the arrow keys work. */
export function Segmented<Value extends string>({
  legend,
  options,
  value,
  onChange,
  disabled = false,
  size = 'medium',
}: {
  legend: string
  options: readonly SegmentedOption<Value>[]
  value: Value | undefined
  onChange: (value: Value) => void
  disabled?: boolean
  /** As a button's. */
  size?: 'small' | 'medium'
}) {
  const name = useId()
  return (
    <fieldset className={css('group', size === 'small' && 'small')} disabled={disabled}>
      <legend className="visually-hidden">{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className={css('option')} title={option.icon ? option.label : undefined}>
          <input
            type="radio"
            className={css('input')}
            name={name}
            aria-label={option.label}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.icon ?? option.label}
        </label>
      ))}
    </fieldset>
  )
}
