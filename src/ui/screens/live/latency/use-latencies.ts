import { useEffect } from 'react'
import { create } from 'zustand'
import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import type { Hash } from '#primitives/hex.ts'
import { liveFeed } from '#ui/feed/store.ts'
import { useTalkPaces, wasSlowed } from '#ui/learn/chain-time.ts'
import { useTour } from '#ui/learn/tour-store.ts'
import { stepTimes } from '#ui/own/progress.ts'
import { withdrawalsOf } from '#ui/own/withdrawals.ts'
import { useProvider } from '#ui/page/session.ts'
import { usePace } from '#ui/queries/status.ts'
import { type Latency, spread } from './latency.ts'

const CAPACITY = 300
/** How many timelines are fetched per block. */
const PER_BLOCK = 6

interface Latencies {
  /** The pace of chain time during the measurement; samples at another pace do not compare. */
  readonly pace: string
  /** Oldest first. */
  readonly samples: readonly Latency[]
}

const useStore = create<Latencies>()(() => ({ pace: '', samples: [] }))

/** Times of transactions in the newest sealed blocks, as measured in the node; grows while it is used. */
export function useLatencies(): readonly Latency[] {
  const provider = useProvider()
  const { partialMs, partialsPerBlock, speed } = usePace()
  const pace = `${partialMs} ${partialsPerBlock} ${speed}`
  useEffect(() => {
    if (useStore.getState().pace !== pace) useStore.setState({ pace, samples: [] })
    return liveFeed.subscribe(({ sealed: [newest] }, before) => {
      if (!newest || newest.number === before.sealed[0]?.number) return
      // The tour stops and slows the clock, so its times say nothing about the chain.
      if (useTour.getState().open) return
      const hashes = newest.slots?.flatMap((slot) => slot.transactions.map((tx) => tx.hash)) ?? []
      if (hashes.length > 0) void sample(provider, spread(hashes, PER_BLOCK), pace)
    })
  }, [provider, pace])
  return useStore((state) => state.samples)
}

async function sample(provider: BlinknetProvider, hashes: readonly Hash[], pace: string): Promise<void> {
  try {
    const timelines = await Promise.all(
      hashes.map((hash) => provider.request({ method: 'devnet_getTransactionTimeline', params: [hash] })),
    )
    const fresh = timelines.flatMap((timeline) => {
      const events = timeline?.events ?? []
      const { receivedAtMs = 0, preconfirmedMs, sealedMs } = stepTimes(events)
      // A transaction that was withdrawn, or waited while a scene stopped the clock, says nothing about the usual time.
      const isUsual =
        preconfirmedMs !== undefined &&
        sealedMs !== undefined &&
        withdrawalsOf(events).length === 0 &&
        !wasSlowed(receivedAtMs, receivedAtMs + sealedMs, useTalkPaces.getState().paces)
      return isUsual ? [{ preconfirmedMs, sealedMs }] : []
    })
    useStore.setState((state) =>
      state.pace === pace ? { pace, samples: [...state.samples, ...fresh].slice(-CAPACITY) } : state,
    )
  } catch (error) {
    // The connection state shows when the node is gone; a refusal only costs a sample.
    if (!(error instanceof ProviderRpcError)) throw error
  }
}
