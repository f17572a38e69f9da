import type { CSSProperties } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Slider.module.css'

const css = classNames(styles)

/** A choice along a line, from 0 to a whole number. */
export function Slider({
  label,
  id,
  words,
  max,
  value,
  isDrawn = false,
  style,
  onChange,
}: {
  /** Left out where another element is its label. */
  label?: string
  id?: string
  /** The value in words, for screen readers. */
  words: string
  max: number
  value: number
  /** Whether a drawing behind it is its track: it then fills the place of that drawing and has only a thumb. */
  isDrawn?: boolean
  style?: CSSProperties
  onChange: (value: number) => void
}) {
  return (
    <input
      type="range"
      id={id}
      aria-label={label}
      aria-valuetext={words}
      className={css('slider', isDrawn ? 'drawn' : 'plain')}
      style={style}
      min={0}
      max={max}
      step={1}
      value={value}
      onChange={({ target }) => onChange(target.valueAsNumber)}
    />
  )
}
