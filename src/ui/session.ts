import { createContext, useContext, useSyncExternalStore } from 'react'
import type { ConnectionState } from '#client/connection-state.ts'
import type { BlinknetProvider } from '#client/provider.ts'
import type { NodeSession } from '#client/spawn-node.ts'

export const SessionContext = createContext<NodeSession | undefined>(undefined)

/** @throws {Error} Outside of the page's shell. */
export function useSession(): NodeSession {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionContext')
  return session
}

/** The page speaks EIP-1193 to the node and nothing else. */
export function useProvider(): BlinknetProvider {
  return useSession().provider
}

export function useConnection(): ConnectionState {
  const { state } = useSession()
  return useSyncExternalStore(state.subscribe, state.get)
}
