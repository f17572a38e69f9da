import { useFeed } from '#ui/feed/store.ts'

/** A key that changes with every partial block, seal and reorg, which may change an account. */
export function useVersion(): string {
  const live = useFeed((feed) => feed.live && `${feed.live.hash}:${feed.live.index}`)
  const head = useFeed((feed) => feed.sealed[0]?.hash)
  return `${head} ${live}`
}
