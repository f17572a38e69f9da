import { Check, CircleAlert, X } from 'lucide-react'
import { classNames } from '#ui/styles/class-names.ts'
import type { DappVerdict } from './scenario/judge-run.ts'
import styles from './VerdictSign.module.css'

const css = classNames(styles)

const SIGNS = { right: Check, lucky: CircleAlert, wrong: X } as const

/** Whether a dapp was right. */
export function VerdictSign({ kind, size = 14 }: { kind: DappVerdict['kind']; size?: number }) {
  const Sign = SIGNS[kind]
  return <Sign size={size} strokeWidth={2.5} aria-hidden="true" className={css('sign', kind)} />
}
