import type { Clock } from '#primitives/clock.ts'
import type { RpcEndpoint } from '#rpc-types/connection.ts'
import { type PortEvent, protocolMismatch } from '#transport/port/messages.ts'
import { isControlMessage, isToCaller } from './channel-guards.ts'
import {
  type ControlMessage,
  HEARTBEAT_MS,
  isLater,
  type Leadership,
  type LeadingMessage,
  type OpenChannel,
  ownChannelName,
  SILENCE_MS,
  STARTING_MS,
} from './channel-messages.ts'
import { LeaderSession } from './leader-session.ts'

/** Events of the leader, for a caller. */
export interface LeaderListener {
  /** Calls can be sent to it. */
  onLeader(node: RpcEndpoint, leading: LeadingMessage): void
  /** There is none any more, as far as is known; what was under way there will not be answered. */
  onGone(): void
  /** There is one that this build cannot speak with; `message` is for people. */
  onForeign(message: string): void
  /** None has been heard for too long; said again each second for as long as that lasts. */
  onSilence(): void
}

export interface FollowOptions extends LeaderListener {
  readonly open: OpenChannel
  readonly chainName: string
  /** Never used by another caller, nor by an earlier run of this one. */
  readonly caller: string
  /** Whether the caller holds the Web Lock of its own channel's name for as long as it lives. */
  readonly present: boolean
  readonly clock: Pick<Clock, 'now' | 'schedule'>
}

/** A caller's watch over who leads. */
export interface LeaderWatch {
  /** The latest leadership that was heard of, also when it is gone. */
  latest(): Leadership | undefined
  /** Asks who leads; whether anybody has announced itself `waitMs` later. */
  probe(waitMs: number): Promise<boolean>
  /** Takes the leader for gone, until it is heard again. */
  drop(): void
  /** Ends it, and the connections to the leader, without a word to the listener. */
  close(): void
}

/** Finds the leader of a chain by its announcements, again and again, and speaks with it. */
export function followLeader(options: FollowOptions): LeaderWatch {
  const { open, chainName, caller, present, clock } = options
  const common = open(chainName)
  const own = open(ownChannelName(chainName, caller))
  let latest: Leadership | undefined
  let session: LeaderSession | undefined
  let heardAt = clock.now()
  let announcements = 0
  let patienceMs = SILENCE_MS
  let closed = false

  const ask = () => common.postMessage({ kind: 'who' } satisfies ControlMessage)

  function lose(): void {
    if (!session) return
    const lost = session
    session = undefined
    lost.end(false)
    options.onGone()
  }

  /** Takes note of a leadership; `false` if it is one of the past. */
  function hear({ leader, epoch }: Leadership): boolean {
    if (latest && isLater(latest, { leader, epoch })) return false
    heardAt = clock.now()
    announcements++
    if (leader !== latest?.leader) lose()
    latest = { leader, epoch }
    return true
  }

  function follow(leading: LeadingMessage): void {
    if (!hear(leading)) return
    patienceMs = SILENCE_MS
    if (session) return session.greet()
    const mismatch = protocolMismatch(leading.protocol)
    if (mismatch) {
      options.onForeign(`another tab runs a different version of Blinknet (${leading.version}): reload. ${mismatch}`)
      return
    }
    const begun: LeaderSession = new LeaderSession({
      channel: open(ownChannelName(chainName, leading.leader)),
      caller,
      present,
      onWelcome: () => options.onLeader(begun, leading),
      onLost: () => {
        if (session === begun) lose()
      },
    })
    session = begun
  }

  common.onmessage = ({ data }: PortEvent<unknown>) => {
    if (!isControlMessage(data)) return
    if (data.kind === 'leading') follow(data)
    else if (data.kind === 'starting' && hear(data)) patienceMs = STARTING_MS
    else if (data.kind === 'left' && data.leader === latest?.leader) lose()
  }
  own.onmessage = ({ data }: PortEvent<unknown>) => {
    if (!isToCaller(data) || data.leader !== latest?.leader) return
    if (data.kind === 'welcome') session?.welcome()
    else session?.receive(data.connection, data.message)
  }

  function watch(): void {
    if (closed) return
    clock.schedule(watch, HEARTBEAT_MS)
    // What was said before the other end had opened its channel is lost, so it is asked again.
    if (!session) ask()
    if (clock.now() - heardAt >= patienceMs) options.onSilence()
  }
  ask()
  clock.schedule(watch, HEARTBEAT_MS)

  return {
    latest: () => latest,
    drop: lose,
    async probe(waitMs) {
      const before = announcements
      ask()
      await new Promise<void>((resolve) => void clock.schedule(resolve, waitMs))
      return announcements > before
    },
    close() {
      closed = true
      session?.end(true)
      session = undefined
      for (const channel of [common, own]) {
        channel.onmessage = null
        channel.close()
      }
    },
  }
}
