import { useFeed } from '#ui/feed/store.ts'

/** What changes with every partial block, every seal and every reorg: whenever an account may be another. */
export function useVersion(): string {
  const live = useFeed((feed) => feed.live && `${feed.live.hash}:${feed.live.index}`)
  const head = useFeed((feed) => feed.sealed[0]?.hash)
  return `${head} ${live}`
}
