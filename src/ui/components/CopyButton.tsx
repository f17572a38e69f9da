import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import { Button } from './Button.tsx'
import styles from './CopyButton.module.css'

const css = classNames(styles)
const FAILED = 'This browser does not allow copying'

/** Copies the raw value; its name and icon show the result. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const { result, copy } = useCopy(value)
  const name = { copied: `${label} copied`, failed: FAILED }
  const text = result ? name[result] : `Copy ${label.toLowerCase()}`
  return (
    <button type="button" className={css('button')} aria-label={text} title={text} onClick={copy}>
      <Sign copied={result === 'copied'} />
    </button>
  )
}

/**
 * Copies a value, with a text label, for a value that is not visible.
 *
 * @param children - What is copied, such as `viem code`.
 */
export function CopyTextButton({ value, children }: { value: string; children: string }) {
  const { result, copy } = useCopy(value)
  return (
    <Button size="small" onClick={copy}>
      <Sign copied={result === 'copied'} />
      {result === 'failed' ? FAILED : `${result ? 'Copied' : 'Copy'} ${children}`}
    </Button>
  )
}

function Sign({ copied }: { copied: boolean }) {
  return copied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />
}

const CONFIRM_MS = 1_500

/** Copies a text; shows the result for a moment. */
export function useCopy(text: string): { result: 'copied' | 'failed' | undefined; copy: () => void } {
  const [result, setResult] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (!result) return undefined
    const timer = setTimeout(() => setResult(undefined), CONFIRM_MS)
    return () => clearTimeout(timer)
  }, [result])
  const copy = () =>
    // Over plain http there is no clipboard: that fails, too.
    void (async () => navigator.clipboard.writeText(text))().then(
      () => setResult('copied'),
      () => setResult('failed'),
    )
  return { result, copy }
}
