import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import type { Cancel, Clock } from '#primitives/clock.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { dueCount, type LoadPlan, needsTarget } from './load-plan.ts'
import type { LoadSender, Sent } from './load-sender.ts'
import { isDeployed } from './load-target.ts'

const STEP_MS = 50
/** How many are signed and sent at once; few enough for a step to be short. */
const BATCH = 40
/** Number of transactions in the mempool at which the load pauses: the chain includes fewer than the load sends. */
const MAX_WAITING = 3_000
const REFRESH_MS = 5_000
const POOL_MS = 500
const DEPLOYMENT_MS = 100
/** How many nonce errors in a row of refreshes mean that somebody else is sending. */
const MAX_NONCE_REFUSALS = 200
/** How many other refusals between two refreshes mean that the chain accepts no more; a planned fault ends sooner. */
const MAX_REFUSALS = 40
/** Attempts to fill the load's gaps at its end; a chain that refuses that long has other problems. */
const MAX_FILLS = 40
const FILL_MS = 250

export interface LoadRun {
  readonly provider: BlinknetProvider
  readonly sender: LoadSender
  readonly clock: Pick<Clock, 'now' | 'schedule'>
  /** May change while it runs. */
  readonly plan: () => LoadPlan
  readonly onPhase: (phase: 'deploying' | 'running') => void
  /** Called with the number that the node has just accepted. */
  readonly onSent: (count: number) => void
  /** The load has ended on its own. */
  readonly onFailure: (error: unknown) => void
  /** After the end: nothing more is sent, not even to fill gaps. */
  readonly onClosed: () => void
}

/**
 * Sends transactions as planned until it is stopped or fails. Then fills the nonce gaps left by refused or lost
 * transactions.
 *
 * @returns Stops it.
 */
export function runLoad({ provider, sender, clock, plan, onPhase, onSent, onFailure, onClosed }: LoadRun): () => void {
  let stopped = false
  let cancel: Cancel = () => {}
  let current = plan()
  let startedAtMs = clock.now()
  /** How many of those due since the start were scheduled. */
  let scheduled = 0
  let refreshedAtMs = startedAtMs
  let countedAtMs = Number.NEGATIVE_INFINITY
  /** Number in the pool at the last count, plus those sent since. */
  let waiting = 0
  let nonceRefusals = 0
  let refusals = 0

  function fail(error: unknown): void {
    if (stopped) return
    stop()
    onFailure(error)
  }
  function stop(): void {
    if (stopped) return
    stopped = true
    cancel()
    clock.schedule(() => close(MAX_FILLS), 0)
  }
  async function close(attempts: number): Promise<void> {
    // If the chain is gone, so are its gaps. Another error, such as a planned one, may be gone at the next attempt.
    const done = attempts === 0 || (await sender.fillGaps().catch(isGone))
    if (done) onClosed()
    else clock.schedule(() => close(attempts - 1), FILL_MS)
  }
  /** Runs a step, then the next one after a delay. */
  function next(run: () => Promise<void>, delayMs: number): void {
    if (stopped) return
    cancel = clock.schedule(async () => {
      try {
        await run()
      } catch (error) {
        fail(error)
      }
    }, delayMs)
  }

  async function begin(): Promise<void> {
    await sender.prepare()
    await ensureTarget()
  }
  async function ensureTarget(): Promise<void> {
    if (!needsTarget(plan().pattern) || (await isDeployed(provider))) return restart()
    onPhase('deploying')
    await sender.deploy()
    next(awaitTarget, DEPLOYMENT_MS)
  }
  async function awaitTarget(): Promise<void> {
    if (await isDeployed(provider)) restart()
    else next(awaitTarget, DEPLOYMENT_MS)
  }
  function restart(): void {
    current = plan()
    startedAtMs = clock.now()
    scheduled = 0
    onPhase('running')
    next(step, 0)
  }
  async function step(): Promise<void> {
    const now = clock.now()
    if (plan() !== current) return needsTarget(plan().pattern) ? ensureTarget() : restart()
    if (now - refreshedAtMs >= REFRESH_MS) {
      refreshedAtMs = now
      nonceRefusals = 0
      refusals = 0
      await sender.refresh()
    }
    if (now - countedAtMs >= POOL_MS) {
      countedAtMs = now
      const { pending, queued } = await provider.request({ method: 'txpool_status' })
      waiting = Number(pending) + Number(queued)
      // Transactions lost to a fault left gaps, behind which all others wait.
      if (Number(queued) > 0) await sender.findGaps()
    }
    // Stopped while it asked: whatever is sent now would come after the gaps were filled.
    if (stopped) return
    const due = dueCount(current, now - startedAtMs)
    // Transactions that could not be sent in time are skipped, except those of the last second or the rest of a burst.
    if (current.pattern !== 'burst') scheduled = Math.max(scheduled, due - current.rate)
    const count = Math.min(due - scheduled, BATCH, MAX_WAITING - waiting)
    if (count > 0) {
      scheduled += count
      waiting += count
      for (const taken of await sender.send(count, current.pattern)) settle(taken)
    }
    next(step, due > scheduled && count > 0 ? 0 : STEP_MS)
  }
  function settle(sending: Promise<Sent>): void {
    sending.then((sent) => {
      if (stopped) return
      if (sent === 'taken') return onSent(1)
      if (sent === 'nonce-used') {
        nonceRefusals++
        if (nonceRefusals > MAX_NONCE_REFUSALS) fail(new Error('another program sends from the accounts of the load'))
        return
      }
      refusals++
      if (refusals > MAX_REFUSALS) fail(sent)
    }, fail)
  }

  next(begin, 0)
  return stop
}

function isGone(error: unknown): boolean {
  return !(error instanceof ProviderRpcError) || error.code === ERROR_CODES.disconnected
}
