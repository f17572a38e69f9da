import { useMutation } from '@tanstack/react-query'
import { lazy, useEffect } from 'react'
import { LazyDialog } from '#ui/components/dialog/LazyDialog.tsx'
import { useConnection, useSession } from '#ui/page/session.ts'
import { giveClockBack } from './tour-clock.ts'
import { unlessOnTour } from './tour-lock.ts'
import { forgetClock, forgottenClock } from './tour-memory.ts'
import { useTour } from './tour-store.ts'
import { useTourControls } from './use-tour.ts'

const TourPanel = lazy(async () => ({ default: (await import('./TourPanel.tsx')).TourPanel }))

/** The tour, when it is open. Also restores the clock after an interrupted tour. */
export function Tour() {
  const open = useTour((tour) => tour.open)
  const { provider, chain } = useSession()
  const { leave } = useTourControls()
  const leaving = useMutation({ mutationFn: leave })
  const ready = useConnection().status === 'ready'
  useEffect(() => {
    const taken = forgottenClock()
    if (!ready || !taken || taken.chain !== chain) return
    void unlessOnTour(async () => {
      await giveClockBack(provider, taken.clock)
      forgetClock()
    })
  }, [ready, chain, provider])
  if (!open) return null
  return (
    <LazyDialog onClose={() => leaving.mutate('here')}>
      <TourPanel />
    </LazyDialog>
  )
}
