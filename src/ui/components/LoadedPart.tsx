import type { ReactNode } from 'react'
import { ErrorNote } from './ErrorNote.tsx'
import { LoadBoundary } from './LoadBoundary.tsx'

/** A part of a screen whose script is loaded when it is first shown. If that fails, it says so in its place. */
export function LoadedPart({
  waiting = <p className="empty">Loading…</p>,
  children,
}: {
  waiting?: ReactNode
  children: ReactNode
}) {
  return (
    <LoadBoundary waiting={waiting} renderFailure={(error) => <ErrorNote error={error} />}>
      {children}
    </LoadBoundary>
  )
}
