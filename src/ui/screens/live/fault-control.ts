import { useQueryClient } from '@tanstack/react-query'
import { create } from 'zustand'
import type { BlinknetProvider } from '#client/provider.ts'
import type { WithdrawnFate } from '#rpc-types/devnet.ts'
import { liveFeed } from '#ui/feed/store.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { statusQuery } from '#ui/queries/status.ts'
import { useProvider } from '#ui/session.ts'
import { causeFault, type FaultKind, type FaultReport, newestWithTransactions, type Sight } from './faults.ts'

/** A report goes once it is older than this and its block is sealed: it would tell of things long past. */
const REPORT_MS = 10_000

/** The fault that was asked for last, wherever on the page that was. */
export interface FaultState {
  /** What becomes of withdrawn transactions. */
  readonly fate: WithdrawnFate
  readonly busy: boolean
  /** A drop that waits for the next partial block that holds transactions. */
  readonly armed: boolean
  readonly report: FaultReport | undefined
  readonly error: unknown
}

const QUIET = { busy: false, armed: false, report: undefined, error: undefined } as const

export const useFaultState = create<FaultState>()(() => ({ fate: 'requeue', ...QUIET }))

const SIGHT: Sight = {
  live: () => liveFeed.getState().live,
  own: () => useOwnTransactions.getState().hashes,
}

let stopWatching = () => {}

export function chooseFate(fate: WithdrawnFate): void {
  useFaultState.setState({ fate })
}

/** Forgets the last fault's report, and a drop that still waits. */
export function dismissFault(): void {
  stopWatching()
  useFaultState.setState(QUIET)
}

/** Causes faults. A drop with nothing to drop waits for the next transactions that are pre-confirmed. */
export function useCauseFault(): (kind: FaultKind) => Promise<void> {
  const provider = useProvider()
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: statusQuery(provider).queryKey })
  return (kind) => cause(provider, kind, refresh)
}

async function cause(provider: BlinknetProvider, kind: FaultKind, refresh: () => Promise<void>): Promise<void> {
  dismissFault()
  useFaultState.setState({ busy: true })
  try {
    const report = await causeFault(provider, kind, useFaultState.getState().fate, SIGHT)
    useFaultState.setState({ ...QUIET, report, armed: report === undefined })
    if (report) forgetInTime()
    else waitForTransactions(() => cause(provider, kind, refresh))
  } catch (error) {
    useFaultState.setState({ ...QUIET, error })
  }
  await refresh()
}

function waitForTransactions(act: () => Promise<void>): void {
  stopWatching = liveFeed.subscribe(({ live }) => {
    // Of a chain that is gone nothing can be dropped.
    if (!live) return dismissFault()
    if (newestWithTransactions(live, SIGHT.own()) === undefined) return
    stopWatching()
    void act()
  })
}

function forgetInTime(): void {
  const since = { atMs: Date.now(), number: liveFeed.getState().live?.number ?? 0 }
  stopWatching = liveFeed.subscribe(({ live }) => {
    if (!live || (live.number > since.number && Date.now() - since.atMs > REPORT_MS)) dismissFault()
  })
}
