import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Hash } from '#primitives/hex.ts'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { NotFound } from '#ui/components/layout/NotFound.tsx'
import type { FeedLiveBlock } from '#ui/feed/feed-state.ts'
import { useFeed } from '#ui/feed/store.ts'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { useProvider } from '#ui/page/session.ts'
import { blockQuery } from '#ui/queries/blocks.ts'
import { BlockView } from './BlockView.tsx'
import { KeptHeight } from './KeptHeight.tsx'

/** One block: sealed, or the pending block. */
export function BlockScreen({ id }: { id: string }) {
  const parsed = parseBlockId(id)
  if (!parsed) {
    return (
      <NotFound title="This is not a block">
        <p>
          “{othersText(id, LONGEST_NAME)}” is neither a block number nor a block hash (0x and 64 hexadecimal digits).
        </p>
      </NotFound>
    )
  }
  return <ParsedBlock id={parsed} />
}

function ParsedBlock({ id }: { id: BlockId }) {
  const provider = useProvider()
  const live = useFeed((feed) => feed.live)
  const reorgs = useFeed((feed) => feed.reorgs)
  const head = useFeed((feed) => feed.sealed[0]?.number) ?? 0
  const wanted =
    id.kind === 'hash' ? id.hash : id.kind === 'number' ? id.number : id.tag === 'latest' ? head : live?.number
  const isLive = live !== undefined && wanted === live.number
  const isFuture = typeof wanted === 'number' && wanted > (live?.number ?? head)
  const { data: block, error } = useQuery({
    ...blockQuery(provider, wanted ?? head, isLive ? versionOf(live) : undefined, reorgs),
    enabled: !isFuture,
    // Keep the previous block on the screen until the next one is loaded.
    ...(id.kind === 'tag' && { placeholderData: keepPreviousData }),
  })
  if (error) return <ErrorNote error={error} />
  if (isFuture) return <NoBlock number={wanted} head={head} />
  if (block === undefined) return <p aria-busy="true">Loading the block…</p>
  if (block === null) {
    return id.kind === 'hash' ? (
      <NotFound title="No block has this hash">
        <p className="mono">{id.hash}</p>
        <p>A partial block’s hash is not kept: it changes with every partial block until the seal.</p>
      </NotFound>
    ) : (
      <NoBlock number={wanted} head={head} />
    )
  }
  if (id.kind !== 'tag') return <BlockView key={block.number} block={block} isLive={isLive} />
  return (
    <KeptHeight key={id.tag} version={block.number}>
      <BlockView block={block} isLive={isLive && Number(block.number) === live.number} />
    </KeptHeight>
  )
}

/** Number of transactions from which a pending block is large. */
const LARGE = 500
/** A large block, which is megabytes, is fetched only every few partial blocks. */
const EVERY = 5

function versionOf({ hash, index, transactionCount }: FeedLiveBlock): string {
  return transactionCount > LARGE ? `large:${index - (index % EVERY)}` : `${hash}:${index}`
}

function NoBlock({ number, head }: { number: number | Hash | undefined; head: number }) {
  return (
    <NotFound title={`Block #${number} does not exist yet`}>
      <p>
        Latest sealed: #{head}. Block #{head + 1} is being built.
      </p>
    </NotFound>
  )
}

export type BlockId =
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'hash'; readonly hash: Hash }
  | { readonly kind: 'tag'; readonly tag: 'latest' | 'pending' }

/** Parses the last part of `/block/…`; `undefined` if it is not a block id. */
export function parseBlockId(text: string): BlockId | undefined {
  if (text === 'latest' || text === 'pending') return { kind: 'tag', tag: text }
  if (/^0x[0-9a-f]{64}$/i.test(text)) return { kind: 'hash', hash: text.toLowerCase() as Hash }
  const number = /^\d{1,15}$/.test(text) ? Number(text) : undefined
  return number === undefined ? undefined : { kind: 'number', number }
}
