import { type ChainTools, createChainTools } from './chain-tools.ts'
import type { NodeSession } from './session.ts'

/** `window.devnet`: the chain for the console, for tests and for other programs in the page. */
export interface DevTools extends ChainTools {
  /** Resolves when the first node is running; rejects if it could not start. */
  readonly ready: Promise<void>
}

declare global {
  interface Window {
    devnet?: DevTools
    /** The first wallet that was announced. */
    ethereum?: unknown
  }
}

/** Sets `window.devnet`. */
export function installDevTools(session: NodeSession, target: Pick<Window, 'devnet'> = window): DevTools {
  const tools = createDevTools(session)
  target.devnet = tools
  return tools
}

/** Creates the tools without setting `window.devnet`. */
export function createDevTools({ provider, state }: NodeSession): DevTools {
  const ready = new Promise<void>((resolve, reject) => {
    const settle = () => {
      const now = state.get()
      if (now.status === 'starting' || now.status === 'blocked') return
      stop()
      if (now.status === 'ready') resolve()
      else reject(new Error(now.message))
    }
    const stop = state.subscribe(settle)
    settle()
  })
  // Whoever awaits `ready` still gets the rejection. Nobody has to, since the page itself shows the crash.
  ready.catch(() => {})
  return { ready, ...createChainTools(provider) }
}
