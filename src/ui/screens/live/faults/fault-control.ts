import { useQueryClient } from '@tanstack/react-query'
import { create } from 'zustand'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { WithdrawnFate } from '#rpc-types/methods/devnet.ts'
import { liveFeed } from '#ui/feed/store.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { useProvider } from '#ui/page/session.ts'
import { statusQuery } from '#ui/queries/status.ts'
import { causeFault, type FaultKind, type FaultReport, withdrawalReport } from './faults.ts'

/** Milliseconds after which a report disappears once its block is sealed. */
const REPORT_MS = 10_000

/** The last fault requested anywhere on the page. */
export interface FaultState {
  /** Fate of withdrawn transactions. */
  readonly fate: WithdrawnFate
  readonly busy: boolean
  /** Whether the chain has a planned withdrawal, for the next partial block with transactions. */
  readonly armed: boolean
  readonly report: FaultReport | undefined
  readonly error: unknown
}

const QUIET = { busy: false, armed: false, report: undefined, error: undefined } as const

export const useFaultState = create<FaultState>()(() => ({ fate: 'requeue', ...QUIET }))

let stopWatching = () => {}

export function chooseFate(fate: WithdrawnFate): void {
  useFaultState.setState({ fate })
}

/** Forgets the last fault's report. */
export function dismissFault(): void {
  stopWatching()
  useFaultState.setState(QUIET)
}

/**
 * Causes faults. If there is nothing to withdraw yet, the chain plans it for the next partial block with transactions.
 */
export function useCauseFault(): (kind: FaultKind) => Promise<void> {
  const act = useFaultAction()
  return (kind) => act((provider) => cause(provider, kind))
}

/** Cancels a planned withdrawal. */
export function useCancelDrop(): () => Promise<void> {
  const act = useFaultAction()
  return () => act((provider) => callOff(provider))
}

/** Runs an action on the chain's faults, and shows the result. */
function useFaultAction(): (action: (provider: BlinknetProvider) => Promise<Partial<FaultState>>) => Promise<void> {
  const provider = useProvider()
  const client = useQueryClient()
  return async (action) => {
    useFaultState.setState({ busy: true })
    try {
      const next = await action(provider)
      stopWatching()
      useFaultState.setState({ ...QUIET, ...next })
      if (next.armed) followPlanned(provider)
      else if (next.report) forgetInTime()
    } catch (error) {
      stopWatching()
      useFaultState.setState({ ...QUIET, error })
    }
    await client.invalidateQueries({ queryKey: statusQuery(provider).queryKey })
  }
}

/** Id of the newest withdrawal when one was planned; a later id is the planned one. */
let knownWithdrawal = 0

async function cause(provider: BlinknetProvider, kind: FaultKind): Promise<Partial<FaultState>> {
  const { armed, fate } = useFaultState.getState()
  if (armed) await callOff(provider)
  if (kind === 'drop') {
    const { faults } = await provider.request({ method: 'devnet_status' })
    knownWithdrawal = faults.withdrawal?.latest?.id ?? 0
  }
  const report = await causeFault(
    provider,
    kind,
    fate,
    useOwnTransactions.getState().sent.map(({ hash }) => hash),
  )
  return { report, armed: report === undefined }
}

async function callOff(provider: BlinknetProvider): Promise<Partial<FaultState>> {
  await provider.request({ method: 'devnet_withdrawNext', params: ['none'] })
  return {}
}

/** Checks at each partial block whether the planned withdrawal has happened. */
function followPlanned(provider: BlinknetProvider): void {
  let ended = false
  let asking = false
  const ask = async () => {
    if (asking) return
    asking = true
    try {
      const { faults } = await provider.request({ method: 'devnet_status' })
      const { planned, latest } = faults.withdrawal ?? { planned: null, latest: null }
      if (ended || planned !== null) return
      // If there is no new withdrawal, somebody else cancelled it.
      const report = latest && latest.id > knownWithdrawal ? withdrawalReport(latest, latest.count) : undefined
      dismissFault()
      useFaultState.setState({ report })
      if (report) forgetInTime()
    } catch (error) {
      if (ended) return
      dismissFault()
      useFaultState.setState({ error })
    } finally {
      asking = false
    }
  }
  const unsubscribe = liveFeed.subscribe(({ live }) => {
    // The plan ended with its chain.
    if (live) void ask()
    else dismissFault()
  })
  stopWatching = () => {
    ended = true
    unsubscribe()
  }
  void ask()
}

function forgetInTime(): void {
  const since = { atMs: Date.now(), number: liveFeed.getState().live?.number ?? 0 }
  stopWatching = liveFeed.subscribe(({ live }) => {
    if (!live || (live.number > since.number && Date.now() - since.atMs > REPORT_MS)) dismissFault()
  })
}
