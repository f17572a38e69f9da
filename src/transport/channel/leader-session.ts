import type { ConnectOptions, Push, RpcConnection, RpcEndpoint } from '#rpc-types/connection.ts'
import { connectPort, DisconnectedError } from '#transport/port/connect-port.ts'
import type { CallMessage, FromNode, PortEvent, PortLike } from '#transport/port/messages.ts'
import type { BroadcastChannelLike, ToLeader } from './channel-messages.ts'

export interface LeaderSessionOptions {
  /** The leader's channel; the session closes it. */
  readonly channel: BroadcastChannelLike
  readonly caller: string
  readonly present: boolean
  /** The leader accepts calls. */
  readonly onWelcome: () => void
  /** The leader said that it is gone, or its messages cannot be understood. */
  readonly onLost: () => void
}

interface SessionConnection {
  readonly port: PortLike
  end(): void
}

/** A caller's session with one leadership: several connections over one pair of channels. */
export class LeaderSession implements RpcEndpoint {
  readonly #options: LeaderSessionOptions
  readonly #connections = new Map<number, SessionConnection>()
  #lastConnection = 0
  #welcomed = false

  constructor(options: LeaderSessionOptions) {
    this.#options = options
    this.greet()
  }

  /** Sends `hello` unless it was answered already. An earlier one is lost if the other side was not listening yet. */
  greet(): void {
    const { caller, present } = this.#options
    if (!this.#welcomed) this.#post({ kind: 'hello', caller, present })
  }

  welcome(): void {
    if (this.#welcomed) return
    this.#welcomed = true
    this.#options.onWelcome()
  }

  /** Tells the leader that its answers have arrived. */
  takeLeave(): void {
    this.#post({ kind: 'bye', caller: this.#options.caller })
  }

  receive(connection: number, data: FromNode): void {
    const event: PortEvent<FromNode> = { data }
    this.#connections.get(connection)?.port.onmessage?.(event as never)
  }

  connect(push?: Push, { latest }: ConnectOptions = {}): RpcConnection {
    const number = ++this.#lastConnection
    const { caller } = this.#options
    const port: PortLike = {
      onmessage: null,
      onmessageerror: null,
      postMessage: (message) =>
        this.#post({
          kind: 'call',
          caller,
          connection: number,
          pushed: push !== undefined,
          ...(latest && { latest }),
          message: message as CallMessage,
        }),
    }
    let ended = false
    const connection = connectPort(port, {
      onNotification: (body) => void push?.(body),
      onDisconnected: () => {
        this.#connections.delete(number)
        if (!ended) this.#options.onLost()
      },
    })
    this.#connections.set(number, {
      port,
      end() {
        ended = true
        connection.fail(new DisconnectedError('the tab that ran the node has gone'))
      },
    })
    return {
      handle: (body) => untilDisconnected(connection.request(body)),
      close() {
        ended = true
        connection.close()
      },
    }
  }

  /** Ends the session; with `tell`, also tells the leader. */
  end(tell: boolean): void {
    for (const connection of [...this.#connections.values()]) {
      if (tell) connection.port.postMessage({ kind: 'close' } satisfies CallMessage)
      connection.end()
    }
    this.#options.channel.close()
  }

  #post(message: ToLeader): void {
    this.#options.channel.postMessage(message)
  }
}

/**
 * The answer, or `undefined` if the leader is gone: the caller then asks the next leader, or reports that there is
 * none.
 */
function untilDisconnected(answer: Promise<string | undefined>): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    answer.then(resolve, (error: unknown) => {
      if (!(error instanceof DisconnectedError)) reject(error)
    })
  })
}
