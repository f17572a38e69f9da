import { lazy } from 'react'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { LoadedPart } from '#ui/components/LoadedPart.tsx'
import { refusedCallOf } from '#ui/execution/refused-call.ts'

const RefusedCallTrace = lazy(async () => ({ default: (await import('./RefusedCallTrace.tsx')).RefusedCallTrace }))

/** Why nothing was sent, and where in its sources a contract refused: two parts or more, for a grid. */
export function SendFailure({ error }: { error: unknown }) {
  return (
    <>
      <ErrorNote error={error} />
      {refusedCallOf(error) && (
        <LoadedPart waiting={null}>
          <RefusedCallTrace error={error} />
        </LoadedPart>
      )}
    </>
  )
}
