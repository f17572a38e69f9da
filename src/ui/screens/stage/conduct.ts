import type { BlinknetProvider } from '#client/session/provider.ts'
import { planLoad, useLoad } from '#ui/load/load-control.ts'
import type { Act, Beat } from './scenes.ts'

/** What a beat needs besides the chain. */
export interface ConductDeps {
  readonly provider: BlinknetProvider
  /** Sends one transfer of the page's sender. */
  readonly send: () => Promise<unknown>
  /** Notes that the chain's time runs from now on, or stands still. */
  readonly notePace: (speed: 0 | 1) => void
  /** Causes a fault; its report, or its failure, is shown by the stage. */
  readonly cause: (kind: 'drop' | 'reorg') => Promise<void>
}

/**
 * Brings the chain to a beat: its clock and load, and, when the speaker goes forward, its acts. Going back only shows
 * the earlier beat: what the chain did stays.
 *
 * @throws {ProviderRpcError} If the chain refuses.
 */
export async function conduct(
  beat: Pick<Beat, 'clock' | 'acts' | 'load'>,
  direction: 'forward' | 'back',
  deps: ConductDeps,
): Promise<void> {
  const { provider } = deps
  if (useLoad.getState().plan.rate !== beat.load) planLoad(provider, { rate: beat.load, pattern: 'steady' })
  const { mode, paused } = await provider.request({ method: 'devnet_status' })
  const isManual = mode === 'manual'
  if (!isManual && paused !== (beat.clock === 'paused')) {
    await provider.request({ method: paused ? 'devnet_resume' : 'devnet_pause' })
  }
  // Before the acts: what is sent while the clock stands still has waited for no time.
  if (!isManual) deps.notePace(beat.clock === 'paused' ? 0 : 1)
  if (direction === 'back') return
  for (const act of beat.acts) await perform(act, deps)
  // Without a clock nothing else would come.
  if (isManual && beat.clock === 'running') await perform('seal', deps)
}

async function perform(act: Act, { provider, send, cause }: ConductDeps): Promise<void> {
  switch (act) {
    case 'send':
      await send()
      return
    case 'step':
      await provider.request({ method: 'devnet_tick', params: [1] })
      return
    case 'seal':
      await provider.request({ method: 'devnet_seal', params: [1] })
      return
    case 'withdraw':
      return cause('drop')
    case 'reorg':
      return cause('reorg')
  }
}
