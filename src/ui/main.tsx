import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { installDevTools } from '#client/dev-tools.ts'
import { nodeOptionsFromUrl } from '#client/node-options-from-url.ts'
import { spawnNode } from '#client/spawn-node.ts'
import { invariant } from '#primitives/invariant.ts'
import { App } from './app.tsx'
import { followNode } from './feed/follow-node.ts'
import { SessionContext } from './session.ts'
import { startAppearance } from './shell/appearance.ts'
import './styles/tokens.css'
import './styles/base.css'

const { options, warnings } = nodeOptionsFromUrl(location.search)
const session = spawnNode(options)
installDevTools(session)
startAppearance(location.search)

// In the same task: a choice that is written to the cache must not jump back for a frame.
notifyManager.setScheduler(queueMicrotask)
const queries = new QueryClient({
  // The node is in this tab: there is no network to come back, and an error will not go away by asking again.
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false },
    mutations: { networkMode: 'always' },
  },
})
followNode(session, () => queries.clear())

const root = document.getElementById('root')
invariant(root, 'index.html has the root element')
createRoot(root).render(
  <StrictMode>
    <SessionContext value={session}>
      <QueryClientProvider client={queries}>
        <App warnings={warnings} />
      </QueryClientProvider>
    </SessionContext>
  </StrictMode>,
)
