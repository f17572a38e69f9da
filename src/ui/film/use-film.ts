import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FilmMoments } from '#rpc-types/methods/devnet.ts'
import { useProvider } from '#ui/page/session.ts'

/** Milliseconds that a moment stays while the film plays, as between two partial blocks at the default pace. */
const PLAY_MS = 200

/** A moment's place: its block, and the index of its newest partial block. */
export interface FilmPlace {
  readonly number: number
  readonly index: number
  /** Whether pre-confirmations of it were taken back: later, or right before it. */
  readonly taken: 'later' | 'before' | undefined
}

/** The place of a moment, counted from 0. */
export function placeOf({ runs }: Pick<FilmMoments, 'runs'>, moment: number): FilmPlace {
  let before = 0
  for (const [i, { number, first, transactions, takenFrom }] of runs.entries()) {
    if (moment < before + transactions.length) {
      const index = first + moment - before
      const isFirst = moment === before && runs[i - 1]?.takenFrom !== undefined
      const taken = takenFrom !== undefined && index >= takenFrom ? 'later' : isFirst ? 'before' : undefined
      return { number: Number(number), index, taken }
    }
    before += transactions.length
  }
  return { number: 0, index: 0, taken: undefined }
}

/** The first moment that added a transaction; the first of all if none did. */
export function firstEvent({ runs }: Pick<FilmMoments, 'runs'>): number {
  return Math.max(
    0,
    runs.flatMap(({ transactions }) => transactions).findIndex((count) => count > 0),
  )
}

/** A film's controls. */
export interface FilmControls {
  readonly moments: FilmMoments
  /** The moment that is shown, or is about to be. */
  readonly at: number
  readonly playing: boolean
  readonly error: Error | null
  readonly go: (moment: number) => void
  readonly step: (by: number) => void
  readonly togglePlay: () => void
}

/**
 * The film and its controls; `undefined` until its moments are known.
 *
 * @param beginAt - Where it begins, rather than at its end, where nothing is left to see.
 */
export function useFilm(beginAt: (moments: FilmMoments) => number = firstEvent): FilmControls | undefined {
  const provider = useProvider()
  const queries = useQueryClient()
  const queryKey = ['devnet_getMoments']
  const { data, error: unread } = useQuery({
    queryKey,
    queryFn: () => provider.request({ method: 'devnet_getMoments' }),
  })
  const [wanted, setWanted] = useState<number>()
  const [playing, setPlaying] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  /** The newest moment asked for, while an earlier one is on its way. */
  const next = useRef<number>(undefined)
  const asking = useRef(false)
  const at = Math.min(wanted ?? data?.shown ?? 0, (data?.count ?? 1) - 1)

  /** Asks for one moment at a time: of those that a slider passes meanwhile, only the newest. */
  async function show(moment: number): Promise<void> {
    next.current = moment
    setWanted(moment)
    if (asking.current) return
    asking.current = true
    try {
      while (next.current !== undefined) {
        const asked = next.current
        next.current = undefined
        await provider.request({ method: 'devnet_showMoment', params: [asked] })
      }
      setError(null)
    } catch (failure) {
      setPlaying(false)
      setError(failure as Error)
    } finally {
      asking.current = false
      await queries.invalidateQueries({ queryKey })
      if (next.current === undefined) setWanted(undefined)
    }
  }

  const opened = useRef(false)
  const begin = useEffectEvent((moments: FilmMoments) => {
    if (opened.current) return
    opened.current = true
    if (moments.shown === moments.count - 1) void show(beginAt(moments))
  })
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- once: the node is asked for another moment
    if (data) begin(data)
  }, [data])

  const last = (data?.count ?? 1) - 1
  const go = (moment: number) => void show(Math.max(0, Math.min(last, moment)))
  const playOn = useEffectEvent(() => {
    if (asking.current) return
    if (at >= last) setPlaying(false)
    else go(at + 1)
  })
  useEffect(() => {
    if (!playing) return undefined
    const timer = setInterval(playOn, PLAY_MS)
    return () => clearInterval(timer)
  }, [playing])

  if (!data) return undefined
  return {
    moments: data,
    at,
    playing,
    error: error ?? unread,
    go(moment) {
      setPlaying(false)
      go(moment)
    },
    step(by) {
      setPlaying(false)
      go(at + by)
    },
    togglePlay() {
      if (!playing && at === last) go(0)
      setPlaying(!playing)
    },
  }
}
