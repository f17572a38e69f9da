import { useEffect, useState } from 'react'

/** Milliseconds after which a pointer that rests is no longer in use. */
const QUIET_MS = 3_000

/** Whether the pointer has rested for some seconds: what only the speaker needs can then hide. */
export function useQuiet(): boolean {
  const [quiet, setQuiet] = useState(false)
  useEffect(() => {
    let timer = setTimeout(() => setQuiet(true), QUIET_MS)
    const stir = () => {
      setQuiet(false)
      clearTimeout(timer)
      timer = setTimeout(() => setQuiet(true), QUIET_MS)
    }
    window.addEventListener('pointermove', stir)
    window.addEventListener('pointerdown', stir)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pointermove', stir)
      window.removeEventListener('pointerdown', stir)
    }
  }, [])
  return quiet
}
