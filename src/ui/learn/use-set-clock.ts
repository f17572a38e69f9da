import { useMutation } from '@tanstack/react-query'
import { useTourControls } from './use-tour.ts'

/** Runs or stops the clock; `error` is the last failure. */
export function useSetClock() {
  const { setClock } = useTourControls()
  const { mutate: set, error } = useMutation({ mutationFn: setClock })
  return { set, error }
}
