import { useEffect, useState } from 'react'

const CONFIRM_MS = 1_500

/** Copies a text; says for a moment what came of it. */
export function useCopy(text: string): { result: 'copied' | 'failed' | undefined; copy: () => void } {
  const [result, setResult] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (!result) return undefined
    const timer = setTimeout(() => setResult(undefined), CONFIRM_MS)
    return () => clearTimeout(timer)
  }, [result])
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setResult('copied'),
      () => setResult('failed'),
    )
  return { result, copy }
}
