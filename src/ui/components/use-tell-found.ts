import { useEffect, useEffectEvent } from 'react'

/** Tells whoever holds something back that what a part looks for stands there. */
export function useTellFound(isFound: boolean, onFound: (() => void) | undefined): void {
  const tell = useEffectEvent(() => onFound?.())
  useEffect(() => {
    if (isFound) tell()
  }, [isFound])
}
