import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Kbd } from '#ui/components/Kbd.tsx'
import { useClockControls } from '#ui/queries/status.ts'
import { useTour } from './tour-store.ts'

/** Buttons for the awaited tick, on a manual clock; otherwise it comes by itself. */
export function TickButtons({ withSeal = false }: { withSeal?: boolean }) {
  const isManual = useTour(({ clock }) => clock === undefined)
  const { step, seal, error } = useClockControls()
  if (!isManual) return null
  return (
    <>
      {error && <ErrorNote error={error} />}
      {withSeal && <Button onClick={seal}>Seal now</Button>}
      <Button look="primary" onClick={step}>
        Step <Kbd>.</Kbd>
      </Button>
    </>
  )
}
