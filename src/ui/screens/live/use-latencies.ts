import { useEffect } from 'react'
import { create } from 'zustand'
import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import type { Hash } from '#primitives/hex.ts'
import { liveFeed } from '#ui/feed/store.ts'
import { useTour } from '#ui/learn/tour-store.ts'
import { stepTimes } from '#ui/own/progress.ts'
import { withdrawalsOf } from '#ui/own/withdrawals.ts'
import { useProvider } from '#ui/page/session.ts'
import { usePace } from '#ui/queries/status.ts'
import { type Latency, spread } from './latency.ts'

const CAPACITY = 300
/** Timelines asked for of one block. */
const PER_BLOCK = 6

interface Latencies {
  /** The pace of the chain's time when they were measured; those at another pace do not compare. */
  readonly pace: string
  /** Oldest first. */
  readonly samples: readonly Latency[]
}

const useStore = create<Latencies>()(() => ({ pace: '', samples: [] }))

/** Times of transactions of the newest sealed blocks, as the node measured them; more come while this is used. */
export function useLatencies(): readonly Latency[] {
  const provider = useProvider()
  const { partialMs, partialsPerBlock, speed } = usePace()
  const pace = `${partialMs} ${partialsPerBlock} ${speed}`
  useEffect(() => {
    if (useStore.getState().pace !== pace) useStore.setState({ pace, samples: [] })
    return liveFeed.subscribe(({ sealed: [newest] }, before) => {
      if (!newest || newest.number === before.sealed[0]?.number) return
      // The tour holds and slows the clock: its times say nothing of the chain's.
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
      const { preconfirmedMs, sealedMs } = stepTimes(events)
      // What was taken back in between says nothing of how long it usually takes.
      const isWhole = preconfirmedMs !== undefined && sealedMs !== undefined && withdrawalsOf(events).length === 0
      return isWhole ? [{ preconfirmedMs, sealedMs }] : []
    })
    useStore.setState((state) =>
      state.pace === pace ? { pace, samples: [...state.samples, ...fresh].slice(-CAPACITY) } : state,
    )
  } catch (error) {
    // The connection state shows a node that is gone; a refusal costs a sample.
    if (!(error instanceof ProviderRpcError)) throw error
  }
}
