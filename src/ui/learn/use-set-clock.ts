import { useMutation } from '@tanstack/react-query'
import { useTourControls } from './use-tour.ts'

/** Moves the clock on or holds it; `error` is what the node said to the last time. */
export function useSetClock() {
  const { setClock } = useTourControls()
  const { mutate: set, error } = useMutation({ mutationFn: setClock })
  return { set, error }
}
