import { IMPERSONATED } from '#ui/own/impersonated.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Impersonated.module.css'

const css = classNames(styles)

/** Says that an account is impersonated. */
export function Impersonated() {
  return (
    <span className={css('word')} title={IMPERSONATED}>
      impersonated
    </span>
  )
}
