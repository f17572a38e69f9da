import type { ComponentProps } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Button.module.css'

const css = classNames(styles)

/** A button; at most one on a screen is the primary one. */
export function Button({
  look = 'plain',
  size = 'medium',
  ...rest
}: { look?: 'primary' | 'plain'; size?: 'small' | 'medium' | 'large' } & Omit<ComponentProps<'button'>, 'className'>) {
  return <button type="button" {...rest} className={css('button', look === 'primary' && look, size)} />
}
