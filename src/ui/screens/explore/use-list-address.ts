import { useLocation, useSearch } from 'wouter'
import { FILTER_PREFIX, PLACE_PARAMETER, useWithSetup } from '#ui/page/navigation.ts'
import { formatPlace, type ListPlace, parsePlace } from './list-place.ts'

/** Longest text of a filter that is read from the address. */
const MAX_TEXT = 200

/** A list's filters and its place, which are in the address, so that a link opens the same view elsewhere. */
export interface ListAddress {
  /** By name; those without a text are left out. */
  readonly filters: Readonly<Record<string, string>>
  /** The first item shown; `undefined`: the newest. */
  readonly place: ListPlace | undefined
  /** Changes a filter; an empty text removes it. The list then begins at its newest item. */
  readonly setFilter: (name: string, text: string) => void
  readonly clear: () => void
  /** Notes where in the list a person is. */
  readonly setPlace: (place: ListPlace | undefined) => void
}

/** What a list gets: its filters and the item that it begins with. */
export interface ListProps {
  readonly address: ListAddress
  /** `undefined`: the newest. */
  readonly start: ListPlace | undefined
  /** Begins anew, at the newest item. */
  readonly onNewest: () => void
}

/** @param path - The address of the list. */
export function useListAddress(path: string): ListAddress {
  const [, navigate] = useLocation()
  const withSetup = useWithSetup()
  const parameters = new URLSearchParams(useSearch())
  const filters: Record<string, string> = {}
  for (const [name, text] of parameters) {
    if (name.startsWith(FILTER_PREFIX) && text !== '')
      filters[name.slice(FILTER_PREFIX.length)] = text.slice(0, MAX_TEXT)
  }
  const place = parsePlace(parameters.get(PLACE_PARAMETER))
  function go(next: Readonly<Record<string, string>>, at: ListPlace | undefined): void {
    const own = new URLSearchParams()
    for (const [name, text] of Object.entries(next)) if (text !== '') own.set(FILTER_PREFIX + name, text)
    if (at) own.set(PLACE_PARAMETER, formatPlace(at))
    // Typing a filter and scrolling are no steps of the history.
    navigate(withSetup(own.size > 0 ? `${path}?${own}` : path), { replace: true })
  }
  return {
    filters,
    place,
    setFilter: (name, text) => go({ ...filters, [name]: text }, undefined),
    clear: () => go({}, undefined),
    setPlace: (at) => go(filters, at),
  }
}
