import { type ItemPlace, isBefore, type ListPlace, olderOf } from './list-place.ts'

/** Items that a person looks at before asking for more. */
export const PAGE_SIZE = 50
/** Items that each further press loads. */
const OLDER_SIZE = 100
/** Calls of a search that finds too little, before it waits for a person to go on. */
export const MAX_CALLS = 20

/** A page of a list, newest first. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** Where the next page begins; `null` at the end. */
  readonly next: ListPlace | null
  /** What the list lacks, in a sentence. */
  readonly note?: string | undefined
}

export interface ListState<Item> {
  readonly items: readonly Item[]
  /** Where the next page begins; `null` at the end, `undefined` before the first page. */
  readonly next: ListPlace | null | undefined
  readonly note: string | undefined
  /** How many items are to be loaded. */
  readonly wanted: number
  /** Calls since somebody wanted more. */
  readonly calls: number
  readonly error: unknown
  /** Number of the pending block when the newest items were asked for. */
  readonly head: number
  /** Newer items that are not shown. */
  readonly news: { readonly count: number; readonly isMore: boolean }
}

const NO_NEWS = { count: 0, isMore: false }

export function emptyList<Item>(head: number): ListState<Item> {
  return {
    items: [],
    next: undefined,
    note: undefined,
    wanted: PAGE_SIZE,
    calls: 0,
    error: undefined,
    head,
    news: NO_NEWS,
  }
}

export type ListAction<Item> =
  /** The page that follows those that are there. */
  | { readonly kind: 'older'; readonly page: Page<Item> }
  /** The newest page, which a person is looking at. */
  | { readonly kind: 'newest'; readonly page: Page<Item>; readonly head: number }
  /** The newest page, while a person looks at older items. */
  | { readonly kind: 'news'; readonly page: Page<Item> }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'want more' }

/** Where an item of the list stands. */
export type PlaceOf<Item> = (item: Item) => ItemPlace

/** What a list becomes. Its items are always those from the newest, or from its start, down to `next`. */
export function reduceList<Item>(
  state: ListState<Item>,
  action: ListAction<Item>,
  placeOf: PlaceOf<Item>,
): ListState<Item> {
  switch (action.kind) {
    case 'older': {
      const { items, next, note } = action.page
      return {
        ...state,
        items: [...state.items, ...items],
        next,
        note: note ?? state.note,
        calls: state.calls + 1,
        error: undefined,
      }
    }
    case 'newest':
      return { ...withNewest(state, action.page, action.head, placeOf), error: undefined, news: NO_NEWS }
    case 'news': {
      const [newest] = state.items
      const isNew = (item: Item) =>
        newest === undefined || !isBefore(placeOf(item), { ...placeOf(newest), index: placeOf(newest).index + 1 })
      const count = action.page.items.filter(isNew).length
      return { ...state, news: { count, isMore: count === action.page.items.length && action.page.next !== null } }
    }
    case 'failed':
      return { ...state, error: action.error }
    case 'want more':
      return { ...state, wanted: state.items.length + OLDER_SIZE, calls: 0, error: undefined }
  }
}

function withNewest<Item>(
  state: ListState<Item>,
  { items, next, note }: Page<Item>,
  head: number,
  placeOf: PlaceOf<Item>,
): ListState<Item> {
  // The block that was live then may have grown since, and something may be missing between: the list begins anew.
  const leavesGap = next !== null && next.block >= state.head
  if (next === null || state.next === undefined || leavesGap) {
    return { ...emptyList(head), items, next, note, calls: next === state.next ? state.calls : 0 }
  }
  return {
    ...state,
    items: [...items, ...state.items.filter((item) => isBefore(placeOf(item), next))],
    next: state.next === null ? null : olderOf(state.next, next),
    head,
  }
}

/** Whether to ask for the next page by itself. */
export function isSearching<Item>({ items, next, wanted, calls, error }: ListState<Item>): boolean {
  return error === undefined && next !== null && items.length < wanted && calls < MAX_CALLS
}
