import { NotFound } from '#ui/components/layout/NotFound.tsx'

/** Stands for a screen that the file of a report does not hold. */
export function LeftOut() {
  return (
    <NotFound title="Not in this file">
      <p>This file shows a chain and changes nothing. To go on from it, open the chain’s file on a page of Blinknet.</p>
    </NotFound>
  )
}
