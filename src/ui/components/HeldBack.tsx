import { type ReactNode, useEffect, useState } from 'react'

/** Milliseconds for which anything is held back at most: three questions, one after the other, of a node that is busy. */
const MOST_MS = 1_000

/**
 * What stands below parts that are still being found. It comes when they are there, or after a moment, so that it does not
 * move while somebody reads it; then it stays.
 */
export function HeldBack({ isHeld, children }: { isHeld: boolean; children: ReactNode }) {
  const [isShown, setShown] = useState(!isHeld)
  if (!isHeld && !isShown) setShown(true)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), MOST_MS)
    return () => clearTimeout(timer)
  }, [])
  return isShown ? children : <div aria-busy="true" />
}
