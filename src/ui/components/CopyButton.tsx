import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './CopyButton.module.css'

const css = classNames(styles)
const CONFIRM_MS = 1_500

/** Copies the raw value; says so in its own name and sign. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const [result, setResult] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (!result) return undefined
    const timer = setTimeout(() => setResult(undefined), CONFIRM_MS)
    return () => clearTimeout(timer)
  }, [result])
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => setResult('copied'),
      () => setResult('failed'),
    )
  const name = { copied: `${label} copied`, failed: 'This browser does not let the page copy' }
  const text = result ? name[result] : `Copy ${label.toLowerCase()}`
  return (
    <button type="button" className={css('button')} aria-label={text} title={text} onClick={() => void copy()}>
      {result === 'copied' ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
    </button>
  )
}
