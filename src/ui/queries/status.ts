import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { DevnetStatus } from '#rpc-types/methods/devnet.ts'
import type { Pace } from '#ui/feed/selectors.ts'
import { announce } from '#ui/page/announce.ts'
import { useCapabilities, useConnection, useProvider } from '#ui/page/session.ts'

/** The clock can also be controlled from outside the page (`window.devnet`), hence the interval. */
const REFRESH_MS = 1_000

export const statusQuery = (provider: BlinknetProvider) =>
  queryOptions({
    queryKey: ['devnet_status'],
    queryFn: () => provider.request({ method: 'devnet_status' }),
    refetchInterval: REFRESH_MS,
  })

/** A part of the chain's status; `undefined` until the node answers, and on chains without a status. */
export function useStatus<Selected>(select: (status: DevnetStatus) => Selected): Selected | undefined {
  return useStatusQuery(select).data
}

function useStatusQuery<Selected>(select: (status: DevnetStatus) => Selected) {
  const { devnet } = useCapabilities()
  const enabled = useConnection().status === 'ready' && devnet
  return useQuery({ ...statusQuery(useProvider()), enabled, select })
}

const DEFAULT_PACE: Pace = { partialMs: 200, partialsPerBlock: 10, speed: 1 }

/** The pace of the chain's time. */
export function usePace(): Pace {
  return (
    useStatus(({ partialMs, partialsPerBlock, speed }): Pace => ({ partialMs, partialsPerBlock, speed })) ??
    DEFAULT_PACE
  )
}

/** `running`: ticks come automatically; `manual`: only Step brings one. */
export type ClockState = 'running' | 'paused' | 'manual'

export function useClockState(): ClockState | undefined {
  return useStatus((status): ClockState => (status.mode === 'manual' ? 'manual' : status.paused ? 'paused' : 'running'))
}

/** Whether automine is on; the chain's clock then counts as paused. */
export function useAutomine(): boolean {
  return useStatus((status) => status.automine) ?? false
}

/** A seal whose time does not follow from the ticks. */
export interface DisturbedSeal {
  readonly blockNumber: number
  /** Milliseconds since the Unix epoch. */
  readonly dueAtMs: number
  /** Milliseconds of chain time. */
  readonly delayMs: number
}

/** When the pending block is due while it is stalled or its seal is delayed; otherwise `undefined`. */
export function useDisturbedSeal(): DisturbedSeal | undefined {
  const { data, dataUpdatedAt } = useStatusQuery(({ faults, live, chainTimeMs, speed }) =>
    faults.sealDelayMs > 0 || faults.stalledTicks > 0
      ? {
          blockNumber: Number(live.number),
          leftMs: (live.sealsAtMs - chainTimeMs) / speed,
          delayMs: faults.sealDelayMs,
        }
      : undefined,
  )
  return data && { blockNumber: data.blockNumber, dueAtMs: dataUpdatedAt + data.leftMs, delayMs: data.delayMs }
}

/** Actions on the chain's clock. */
export function useClockActions() {
  const provider = useProvider()
  const clock = useClockState()
  return {
    togglePause: async () => {
      await provider.request({ method: clock === 'paused' ? 'devnet_resume' : 'devnet_pause' })
      announce(clock === 'paused' ? 'Chain resumed' : 'Chain paused')
    },
    /** One tick. A running chain is paused first, so that the step is visible. */
    step: async () => {
      if (clock === 'running') await provider.request({ method: 'devnet_pause' })
      await provider.request({ method: 'devnet_tick', params: [1] })
      announce('One partial block added')
    },
    /** Seals the pending block at once. */
    seal: () => provider.request({ method: 'devnet_seal', params: [1] }),
    /** @param speed - Chain time over real time. */
    setSpeed: (speed: number) => provider.request({ method: 'devnet_setSpeed', params: [speed] }),
  }
}

/** The buttons of the chain's clock. `error` is the failure of the last press. */
export function useClockControls() {
  const client = useQueryClient()
  const { queryKey } = statusQuery(useProvider())
  const { togglePause, step, seal, setSpeed } = useClockActions()
  const { mutate, error } = useMutation({
    mutationFn: (action: () => Promise<unknown>) => action(),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  return {
    error,
    togglePause: () => mutate(togglePause),
    step: () => mutate(step),
    seal: () => mutate(seal),
    setSpeed: (speed: number) => {
      // Applied at once, so that the choice does not jump back; the node's answer is read afterwards.
      client.setQueryData(queryKey, (status) => status && { ...status, speed })
      mutate(() => setSpeed(speed))
    },
  }
}
