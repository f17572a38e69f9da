import { create } from 'zustand'
import type { BlinknetProvider } from '#client/session/provider.ts'
import { LOAD_ACCOUNTS } from '#client/signing/load-accounts.ts'
import { type Signer, spawnSigner } from '#client/signing/spawn-signer.ts'
import { createSystemClock } from '#primitives/system-clock.ts'
import { liveFeed } from '#ui/feed/store.ts'
import { countStep, type LoadCounts, LoadMeter, NO_COUNTS } from './load-meter.ts'
import type { LoadPlan } from './load-plan.ts'
import { LoadSender } from './load-sender.ts'
import { runLoad } from './run-load.ts'

/** Why a load ended on its own. */
export type LoadEnd = { readonly kind: 'failed'; readonly error: unknown } | { readonly kind: 'hidden' | 'replaced' }

export interface LoadState {
  readonly plan: LoadPlan
  readonly phase: 'off' | 'starting' | 'deploying' | 'running'
  /** Rates per second over the last few seconds. */
  readonly rates: LoadCounts
  /** Why the last load ended, if on its own. */
  readonly end: LoadEnd | undefined
}

const HIDDEN_MS = 30_000
const METER_MS = 500

/** The load that the page generates. */
export const useLoad = create<LoadState>()(() => ({
  plan: { rate: 0, pattern: 'steady' },
  phase: 'off',
  rates: NO_COUNTS,
  end: undefined,
}))

const SENDERS = new Set(LOAD_ACCOUNTS.map(({ address }) => address))

let stopRunning: (() => void) | undefined

/** Changes the plan, and starts or stops the load accordingly. */
export function planLoad(provider: BlinknetProvider, plan: LoadPlan): void {
  useLoad.setState({ plan })
  if (plan.rate === 0) stopLoad()
  else if (!stopRunning) stopRunning = start(provider)
}

/** @param end - The reason, if it ended on its own. */
export function stopLoad(end?: LoadEnd): void {
  stopRunning?.()
  stopRunning = undefined
  useLoad.setState(({ plan }) => ({ plan: { ...plan, rate: 0 }, phase: 'off', rates: NO_COUNTS, end }))
}

function start(provider: BlinknetProvider): () => void {
  useLoad.setState({ phase: 'starting', end: undefined })
  const signer: Signer = spawnSigner()
  const clock = createSystemClock(window)
  const meter = new LoadMeter(clock.now())
  const stopSending = runLoad({
    provider,
    sender: new LoadSender(provider, signer),
    clock,
    plan: () => useLoad.getState().plan,
    onPhase: (phase) => useLoad.setState({ phase }),
    onSent: (sent) => meter.add(clock.now(), { sent }),
    onFailure: (error) => stopLoad({ kind: 'failed', error }),
    onClosed: () => signer.close(),
  })
  const unsubscribe = liveFeed.subscribe((after, before) => {
    // The nonces of a replaced chain are invalid.
    if (!after.live) return stopLoad({ kind: 'replaced' })
    meter.add(clock.now(), countStep(before, after, SENDERS))
  })
  const metering = setInterval(() => useLoad.setState({ rates: meter.ratesAt(clock.now()) }), METER_MS)
  const stopWatching = stopWhenHidden()
  return () => {
    stopSending()
    unsubscribe()
    clearInterval(metering)
    stopWatching()
  }
}

/** A hidden tab should not keep the machine busy. */
function stopWhenHidden(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const onChange = () => {
    clearTimeout(timer)
    if (document.hidden) timer = setTimeout(() => stopLoad({ kind: 'hidden' }), HIDDEN_MS)
  }
  document.addEventListener('visibilitychange', onChange)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onChange)
  }
}
