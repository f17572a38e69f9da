import { createContext, useContext, useSyncExternalStore } from 'react'
import {
  BUILT_IN_CAPABILITIES,
  type Capabilities,
  FILM_CAPABILITIES,
  isReadOnly,
  NO_CAPABILITIES,
} from '#client/session/capabilities.ts'
import type { ConnectionState } from '#client/session/connection-state.ts'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { NodeSession, RemoteStatus } from '#client/session/session.ts'

export const SessionContext = createContext<NodeSession | undefined>(undefined)

/** @throws {Error} Outside the page's shell. */
export function useSession(): NodeSession {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionContext')
  return session
}

/** The provider for the page's calls; it uses nothing but EIP-1193. */
export function useProvider(): BlinknetProvider {
  return useSession().provider
}

export function useConnection(): ConnectionState {
  const { state } = useSession()
  return useSyncExternalStore(state.subscribe, state.get, state.get)
}

const BUILT_IN: RemoteStatus | undefined = undefined
const NEVER = () => () => {}

/** State of the remote endpoint; `undefined` if the chain is the page's own. */
export function useRemoteStatus(): RemoteStatus | undefined {
  const status = useSession().remote?.status
  const get = status?.get ?? (() => BUILT_IN)
  return useSyncExternalStore(status?.subscribe ?? NEVER, get, get)
}

/** The chain's capabilities. The page leaves out missing features, and says so. */
export function useCapabilities(): Capabilities {
  const remote = useRemoteStatus()
  const { film } = useSession()
  if (film) return FILM_CAPABILITIES
  if (!remote) return BUILT_IN_CAPABILITIES
  return remote.status === 'attached' ? remote.capabilities : NO_CAPABILITIES
}

/** Whether nothing can be changed from this page: it shows a film, or is a guest's in a room. */
export function useReadOnly(): boolean {
  return isReadOnly(useCapabilities())
}
