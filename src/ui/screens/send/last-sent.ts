import { create } from 'zustand'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { Hash } from '#primitives/hex.ts'

/** What was sent from the screen the last time. */
export interface LastSent {
  readonly hashes: readonly Hash[]
  /** Why not all of them were accepted. */
  readonly failure: unknown
}

/** Survives a look at another screen. A provider is a chain's: what was sent to another one is not shown. */
const useStore = create<{ readonly by: ReadonlyMap<BlinknetProvider, LastSent> }>()(() => ({ by: new Map() }))

export function useLastSent(provider: BlinknetProvider): LastSent | undefined {
  return useStore(({ by }) => by.get(provider))
}

/** Keeps what was sent to a chain; without it, forgets it. */
export function keepSent(provider: BlinknetProvider, sent: LastSent | undefined): void {
  useStore.setState({ by: sent ? new Map([[provider, sent]]) : new Map() })
}
