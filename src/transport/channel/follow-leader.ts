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
  /** The leader is gone, as far as we know; pending calls will not be answered. */
  onGone(): void
  /** There is a leader with a protocol that this build does not know; `message` is for people. */
  onForeign(message: string): void
  /** No leader has announced itself for too long. Repeated every second while that lasts. */
  onSilence(): void
}

export interface FollowOptions extends LeaderListener {
  readonly open: OpenChannel
  readonly chainName: string
  /** Unique among callers, and new for each run. */
  readonly caller: string
  /** Whether the caller holds the Web Lock named after its own channel for as long as it lives. */
  readonly present: boolean
  readonly clock: Pick<Clock, 'now' | 'schedule'>
}

/** Watches who leads, for a caller. */
export interface LeaderWatch {
  /** The latest known leadership, even if it is gone. */
  latest(): Leadership | undefined
  /** Asks who leads. Resolves after `waitMs` with whether anybody has announced itself. */
  probe(waitMs: number): Promise<boolean>
  /** Treats the leader as gone until it announces itself again. */
  drop(): void
  /** Ends the watch and the connections to the leader, without calling the listener. */
  close(): void
}

/** Finds the leader of a chain by its announcements, follows every change, and connects to it. */
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

  /** Records a leadership; `false` if it is older than the known one. */
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
    else if (data.kind === 'over') session?.takeLeave()
    else session?.receive(data.connection, data.message)
  }

  function watch(): void {
    if (closed) return
    clock.schedule(watch, HEARTBEAT_MS)
    // Messages sent before the other side opened its channel are lost, so ask again.
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
