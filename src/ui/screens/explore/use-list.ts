import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import { useFeed } from '#ui/feed/store.ts'
import type { ListPlace } from './list-place.ts'
import {
  emptyList,
  isSearching,
  type ListAction,
  type ListState,
  type Page,
  type PlaceOf,
  reduceList,
} from './list-state.ts'

/** Where a list's pages come from. */
export interface ListSource<Item> {
  /** @param before - The newest ones without it. */
  readonly fetchPage: (before: ListPlace | undefined) => Promise<Page<Item>>
  readonly placeOf: PlaceOf<Item>
  /** Changes whenever there may be newer items. */
  readonly version: string
}

export interface List<Item> extends ListState<Item> {
  readonly isLoading: boolean
  readonly loadOlder: () => void
  /** Shows the newest items. */
  readonly showNewest: () => void
}

/**
 * A list in pages, which follows the chain as long as its beginning is in sight. Another filter or another start needs
 * another component, with a key of its own.
 *
 * @param start - The place it begins at; then it does not follow the chain.
 * @param isAtTop - Whether a person sees its beginning.
 */
export function useList<Item>(
  { fetchPage, placeOf, version }: ListSource<Item>,
  start: ListPlace | undefined,
  isAtTop: () => boolean,
): List<Item> {
  const head = useFeed(({ live, sealed }) => live?.number ?? sealed[0]?.number ?? 0)
  const [state, dispatch] = useReducer(
    (before: ListState<Item>, action: ListAction<Item>) => reduceList(before, action, placeOf),
    head,
    emptyList<Item>,
  )
  const isLoading = isSearching(state)

  const fetchOlder = useEffectEvent(() => fetchPage(state.next ?? start))
  /** Changes with each page that is to come; a page without items has changed only the number of calls. */
  const turn = isLoading ? `${state.wanted} ${state.calls}` : undefined
  useEffect(() => {
    if (turn === undefined) return undefined
    let isWanted = true
    fetchOlder().then(
      (page) => {
        if (isWanted) dispatch({ kind: 'older', page })
      },
      (error: unknown) => {
        if (isWanted) dispatch({ kind: 'failed', error })
      },
    )
    return () => {
      isWanted = false
    }
  }, [turn])

  const [presses, setPresses] = useState(0)
  /** What the list is to show; `undefined` while it follows nothing. */
  const wish = start === undefined && state.next !== undefined ? `${version} ${presses}` : undefined
  const latest = useRef<string>(undefined)
  const isBusy = useRef(false)
  const show = useEffectEvent((page: Page<Item>, asOf: number) =>
    dispatch(isAtTop() ? { kind: 'newest', page, head: asOf } : { kind: 'news', page }),
  )
  const fetchNewest = useEffectEvent(async () => ({ asOf: head, page: await fetchPage(undefined) }))
  useEffect(() => {
    latest.current = wish
    async function refresh(): Promise<void> {
      // One after the other: where partial blocks come faster than pages, they would pile up.
      if (isBusy.current) return
      isBusy.current = true
      try {
        for (let asked: string | undefined; latest.current !== undefined && asked !== latest.current; ) {
          asked = latest.current
          const { page, asOf } = await fetchNewest()
          if (latest.current !== undefined) show(page, asOf)
        }
      } catch (error) {
        if (latest.current !== undefined) dispatch({ kind: 'failed', error })
      } finally {
        isBusy.current = false
      }
    }
    if (wish !== undefined) void refresh()
    return () => {
      latest.current = undefined
    }
  }, [wish])

  return {
    ...state,
    isLoading,
    loadOlder: () => dispatch({ kind: 'want more' }),
    showNewest: () => setPresses(presses + 1),
  }
}
