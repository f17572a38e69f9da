import { lazy, useState } from 'react'
import { LoadBoundary } from '#ui/components/LoadBoundary.tsx'
import { useSession } from '#ui/page/session.ts'
import { SCENARIO_PREFIX } from './share-address.ts'

const ScenarioNotice = lazy(async () => ({ default: (await import('./ScenarioNotice.tsx')).ScenarioNotice }))

/** The scenario in the page's address when it was opened, if any. */
export function SharedScenario() {
  const { remote } = useSession()
  const [packed] = useState(() =>
    location.hash.startsWith(SCENARIO_PREFIX) ? location.hash.slice(SCENARIO_PREFIX.length) : undefined,
  )
  if (packed === undefined || remote) return null
  return (
    <LoadBoundary
      waiting={null}
      renderFailure={(error) => <p role="alert">The shared transactions could not be loaded: {error.message}</p>}
    >
      <ScenarioNotice packed={packed} />
    </LoadBoundary>
  )
}
