import type { Cancel, Clock } from '#primitives/clock.ts'
import type { RpcEndpoint } from '#rpc-types/connection.ts'
import { createRelay } from '#transport/relay/relay.ts'
import type { OpenChannel } from './channel-messages.ts'
import { followLeader } from './follow-leader.ts'

/** How long a chain may be without a leader before its callers get an error, in milliseconds. */
export const PATIENCE_MS = 3_000

/** No tab runs the chain. */
export class NoNodeError extends Error {
  override readonly name = 'NoNodeError'
  readonly code = 'no-node'
}

export interface ChannelOptions {
  readonly open: OpenChannel
  /** The result of `sharedChainName`. */
  readonly chainName: string
  /** A random name: unique among callers, and new for each run. */
  readonly caller: string
  /**
   * Whether the caller holds the Web Lock named after its own channel for life, so that the leader can see when it is
   * gone.
   */
  readonly present?: boolean
  readonly clock: Pick<Clock, 'now' | 'schedule'>
}

/**
 * The chain's node for callers in other workers. Connections outlive the leader: their subscriptions continue at the
 * next one under the same ids, and calls that are safe to repeat are sent again. All other calls end with code 4900, as
 * does every call while there is no node.
 */
export interface ChannelEndpoint extends RpcEndpoint {
  /**
   * Resolves as soon as there is a node to call.
   *
   * @throws {NoNodeError} If there is none within {@link PATIENCE_MS}.
   */
  ready(): Promise<void>
  /** Ends its connections and pending calls. */
  close(): void
}

/** Connects to whichever tab runs the chain, over its channels. Needs neither the DOM nor a lock. */
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
