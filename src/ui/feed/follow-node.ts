import type { ConnectionState } from '#client/session/connection-state.ts'
import { ProviderRpcError } from '#client/session/provider.ts'
import type { NodeSession, RemoteView } from '#client/session/session.ts'
import { toQuantity } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { isMissingScript } from '#ui/format/missing-script.ts'
import type { Sight } from './batch-events.ts'
import { connectFeed, type FeedSink, fetchPresent } from './connect-feed.ts'
import type { FeedLiveBlock, SealedSummary } from './feed-state.ts'
import { commitFeed, liveFeed } from './store.ts'

/**
 * Keeps the feed connected to the current node, across restarts.
 *
 * @param onNewChain - Called before the feed of another chain starts: everything cached of the old chain is invalid.
 * @param onMoment - Called when a film shows another moment: everything cached may be different there.
 * @returns Stops following and empties the feed.
 */
export function followNode(session: NodeSession, onNewChain: () => void, onMoment: () => void): () => void {
  const { state } = session
  let stop: Promise<() => void> | undefined
  let ahead = connectAhead(session)
  let chain: Chain | undefined
  /** What was shown when the node went away. */
  let shown: { readonly newest: SealedSummary; readonly live: FeedLiveBlock | undefined } | undefined
  function update(): void {
    const connection = state.get()
    const now = chainOf(connection, chain)
    if (stop && now !== chain) end(stop)
    chain = now
    if (ahead && connection.status !== 'starting' && connection.status !== 'ready') {
      leave(ahead)
      ahead = undefined
    }
    if (chain === undefined) return
    if (stop) watchReplacement(connection)
    else begin()
  }
  function begin(): void {
    const early = ahead
    ahead = undefined
    if (early) {
      // If the node that was to answer is gone, the next one is asked.
      stop = early.catch((error: unknown) => {
        reportUnlessGone(error)
        return connect(session, onMoment)
      })
      stop.then(checkChain).catch(reportUnlessGone)
    } else {
      stop = connect(session, onMoment)
      stop.catch((error: unknown) => {
        if (isMissingScript(error)) session.remote?.giveUp('a part of the page could not be loaded')
        reportUnlessGone(error)
      })
    }
  }
  /** The node that answered ahead may be gone, and the next one may run another chain. */
  async function checkChain(): Promise<void> {
    const before = stop
    const [newest] = liveFeed.getState().sealed
    if (!newest || (await hasBlock(session, newest)) || !stop || stop !== before) return
    end(stop)
    begin()
  }
  /** A stored chain may have been replaced: then its next node does not have the newest block. */
  function watchReplacement(connection: ConnectionState): void {
    const waits = connection.status === 'ready' && connection.role?.kind === 'waits'
    const { sealed, live } = liveFeed.getState()
    if (waits) shown ??= sealed[0] && { newest: sealed[0], live }
    else if (shown) {
      const before = shown
      shown = undefined
      catchUp(before).catch(reportUnlessGone)
    }
  }
  async function catchUp({ newest, live }: NonNullable<typeof shown>): Promise<void> {
    const before = stop
    const isSame = await hasBlock(session, newest)
    const missed = isSame ? await fetchPresent(session.provider, live) : []
    if (!stop || stop !== before) return
    if (isSame) return commitFeed(missed)
    end(stop)
    begin()
  }
  function end(running: Promise<() => void>): void {
    leave(running)
    onNewChain()
  }
  function leave(running: Promise<() => void>): void {
    running.then((endIt) => endIt()).catch(reportUnlessGone)
    stop = undefined
    commitFeed([{ kind: 'reset' }])
  }
  const unsubscribe = state.subscribe(update)
  update()
  return () => {
    unsubscribe()
    const following = stop ?? ahead
    if (following) leave(following)
  }
}

/**
 * Connects to the page's own node while it starts. Calls wait for it, so that its first state comes with the news that it
 * runs.
 */
function connectAhead({ provider, state, remote, film, fork }: NodeSession): Promise<() => void> | undefined {
  if (remote || film || fork || state.get().status !== 'starting') return undefined
  const ahead = connectFeed(provider, sink)
  // Whoever takes it looks at the error; if there was no node to answer, nobody does.
  ahead.catch(() => {})
  return ahead
}

async function hasBlock({ provider }: NodeSession, { number, hash }: SealedSummary): Promise<boolean> {
  const block = await provider.request({ method: 'eth_getBlockByNumber', params: [toQuantity(number), false] })
  return block?.hash === hash
}

/** Identifies a chain: in memory each leadership has its own. */
type Chain = number | 'lasting'

/** The running chain, `undefined` if there is none. While it moves between tabs it is the earlier one. */
function chainOf(connection: ConnectionState, before: Chain | undefined): Chain | undefined {
  if (connection.status !== 'ready') return undefined
  const { role } = connection
  if (!role) return 'lasting'
  if (role.kind === 'waits') return before
  return role.storage.kind === 'journal' ? 'lasting' : role.epoch
}

const sink: FeedSink = { read: liveFeed.getState, commit: commitFeed, sight: documentSight(document) }

/** The store for a remote chain: its answers may contradict each other even if each is valid. */
function remoteSink(remote: RemoteView): FeedSink {
  return {
    ...sink,
    commit(events) {
      try {
        commitFeed(events)
      } catch (error) {
        remote.giveUp(nonsense(error))
      }
    },
  }
}

function nonsense(error: unknown): string {
  return `the chain’s answers about its blocks contradict each other: ${error instanceof Error ? error.message : String(error)}`
}

/** Follows the chain in the best way that it supports. */
async function connect({ provider, remote, film, fork }: NodeSession, onMoment: () => void): Promise<() => void> {
  const status = remote?.status.get()
  const followFilm = async (into: FeedSink) => {
    const { connectFilmFeed } = await import('./connect-film-feed.ts')
    return connectFilmFeed(provider, into, onMoment)
  }
  if (film) return followFilm(sink)
  if (fork) return connectFeed(provider, { ...sink, first: await fork.first() })
  if (!remote || status?.status !== 'attached') return connectFeed(provider, sink)
  const { capabilities } = status
  if (capabilities.film) return followFilm(remoteSink(remote))
  if (capabilities.partialBlocks !== 'diffs') {
    const { connectPolledFeed } = await import('./connect-polled-feed.ts')
    return connectPolledFeed(provider, capabilities, remoteSink(remote), remote.giveUp)
  }
  try {
    return await connectFeed(provider, remoteSink(remote))
  } catch (error) {
    if (error instanceof ProviderRpcError && error.code === ERROR_CODES.disconnected) throw error
    remote.giveUp(error instanceof ProviderRpcError ? error.message : nonsense(error))
    return () => {}
  }
}

/** The connection state shows when the node is gone, or a script did not come; any other error is a bug and must surface. */
function reportUnlessGone(error: unknown): void {
  if (isMissingScript(error)) return
  if (!(error instanceof ProviderRpcError) || error.code !== ERROR_CODES.disconnected) throw error
}

/** The visibility of a document. */
export function documentSight(document: Document): Sight {
  return {
    isHidden: () => document.hidden,
    onShown(listener) {
      const onChange = () => {
        if (!document.hidden) listener()
      }
      document.addEventListener('visibilitychange', onChange)
      return () => document.removeEventListener('visibilitychange', onChange)
    },
  }
}
