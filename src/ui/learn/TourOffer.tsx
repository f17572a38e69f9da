import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Notice } from '#ui/components/Notice.tsx'
import { useCapabilities } from '#ui/page/session.ts'
import { answerOffer, isOfferAnswered } from './tour-memory.ts'
import { useTour } from './tour-store.ts'
import { useTourControls } from './use-tour.ts'

/** One quiet line on the first visit; gone for good once it is answered. */
export function TourOffer() {
  const [refused, setRefused] = useState(isOfferAnswered)
  const open = useTour((tour) => tour.open)
  const { devnet, accounts } = useCapabilities()
  const { prepare } = useTourControls()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => prepare('start'),
    onSuccess: (begin) => begin(),
  })
  // Taking the tour answers it, too.
  if (refused || open || isOfferAnswered() || !devnet || accounts.length === 0) return null
  return (
    <Notice
      label="Tour"
      look="plain"
      outcome={error && <ErrorNote error={error} />}
      actions={
        <>
          <Button
            size="small"
            onClick={() => {
              answerOffer()
              setRefused(true)
            }}
          >
            No, thanks
          </Button>
          <Button size="small" disabled={isPending} onClick={() => mutate()}>
            Start the tour
          </Button>
        </>
      }
    >
      <p>New to pre-confirmations? Follow one transaction to its seal, in two minutes.</p>
    </Notice>
  )
}
