import type { Cancel, Clock } from '#primitives/clock.ts'
import type { RpcEndpoint } from '#rpc-types/connection.ts'
import { createRelay } from '#transport/relay/relay.ts'
import type { OpenChannel } from './channel-messages.ts'
import { followLeader } from './follow-leader.ts'

/** Milliseconds that a chain may be without a leader before its callers get an error. */
export const PATIENCE_MS = 3_000

/** No tab runs the chain. */
export class NoNodeError extends Error {
  override readonly name = 'NoNodeError'
  readonly code = 'no-node'
}

export interface ChannelOptions {
  readonly open: OpenChannel
  /** As `sharedChainName` makes it. */
  readonly chainName: string
  /** Never used by another caller, nor by an earlier run of this one: a random one. */
  readonly caller: string
  /** Whether the caller holds the Web Lock of its own channel's name for life, so that the leader sees it go. */
  readonly present?: boolean
  readonly clock: Pick<Clock, 'now' | 'schedule'>
}

/**
 * The chain's node as a caller sees it who cannot be the node itself. Its connections outlive the leader: their
 * subscriptions go on at the next one under the same ids, and so do calls that do no harm when they are made twice. All
 * others end with code 4900, as all do while there is no node.
 */
export interface ChannelEndpoint extends RpcEndpoint {
  /**
   * Resolves as soon as there is a node to call.
   *
   * @throws {NoNodeError} If there is none for so long as the caller has patience.
   */
  ready(): Promise<void>
  /** Ends its connections and pending calls. */
  close(): void
}

/** Speaks with whichever tab runs the chain, over its channels. Needs no DOM and no lock. */
export function connectChannel(options: ChannelOptions): ChannelEndpoint {
  const { clock } = options
  const relay = createRelay()
  let led = false
  const waiting: { resolve(): void; reject(error: NoNodeError): void }[] = []
  let stopWaiting: Cancel | undefined

  function settle(act: (waiter: (typeof waiting)[number]) => void): void {
    stopWaiting?.()
    stopWaiting = undefined
    for (const waiter of waiting.splice(0)) act(waiter)
  }
  function giveUp(message: string): void {
    relay.refuse(message)
    settle((waiter) => waiter.reject(new NoNodeError(message)))
  }
  function wait(): void {
    stopWaiting ??= clock.schedule(
      () => giveUp('no tab runs the node: open Blinknet in a tab of this browser'),
      PATIENCE_MS,
    )
  }
  function lose(): void {
    led = false
    relay.leave()
    wait()
  }

  const watch = followLeader({
    open: options.open,
    chainName: options.chainName,
    caller: options.caller,
    present: options.present ?? false,
    clock,
    onLeader(node) {
      led = true
      relay.moveTo(node)
      settle((waiter) => waiter.resolve())
    },
    onGone: lose,
    onForeign: giveUp,
    onSilence: () => watch.drop(),
  })
  wait()

  return {
    connect: (push, how) => relay.connect(push, how),
    ready() {
      if (led) return Promise.resolve()
      wait()
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
    close() {
      watch.close()
      giveUp('the connection was closed')
    },
  }
}
