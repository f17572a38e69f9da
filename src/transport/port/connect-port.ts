import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { ChainRole } from './chain-role.ts'
import {
  type FromNode,
  type NodeFailure,
  type PortEvent,
  type PortLike,
  PROTOCOL,
  protocolMismatch,
  type ToNode,
} from './messages.ts'

/** The node or its connection is gone. The outcome of a call that ends with this is unknown. */
export class DisconnectedError extends Error {
  override readonly name = 'DisconnectedError'
  readonly code = 'disconnected'
  /** Why there is no node, if a person can do something about it. */
  readonly failure: NodeFailure | undefined

  constructor(message: string, options?: ErrorOptions & { readonly failure?: NodeFailure | undefined }) {
    super(message, options)
    this.failure = options?.failure
  }
}

/** Events of a connection. */
export interface PortListener {
  /** A subscription's event, as JSON text, in the order in which the node sent them. */
  onNotification(body: string): void
  /** The node is running. Only with {@link PortOptions.boot}. */
  onBooted?(): void
  /** The shared chain moved to another tab, or to this one. Only with {@link PortOptions.boot}. */
  onMoved?(role: ChainRole): void
  /** The connection has ended for good; called once, after all pending calls have ended. */
  onDisconnected?(error: DisconnectedError): void
}

export interface PortOptions extends PortListener {
  /** For the port that owns the worker: boots the node with these options. Calls wait until it runs. */
  readonly boot?: {
    readonly options: NodeOptions
    /** Name of the chain that is shared between tabs; without it the node belongs to this worker alone. */
    readonly chainName: string | undefined
    /** As in {@link ToNode}. */
    readonly unasked?: boolean
    /** As in {@link ToNode}. */
    readonly film?: Uint8Array
  }
}

/** The caller's side of a port. */
export interface PortConnection {
  /**
   * Sends a JSON-RPC body. Resolves with the answer, or with `undefined` for notifications.
   *
   * @throws {DisconnectedError} If the connection has ended or ends before the answer.
   */
  request(body: string): Promise<string | undefined>
  /** Gives the node a transferred port of one more caller. Only on the port that owns the worker. */
  attach(port: PortLike): void
  /** Says that the page is about to be frozen. Only on the port that owns the worker. */
  suspend(): void
  resume(): void
  /** Restarts the chain with this page's options and stores it. Only on the port that owns the worker. */
  keep(): void
  /** Ends the connection and every pending and later call with `error`. */
  fail(error: DisconnectedError): void
  /** Tells the node that this caller has gone, and ends the connection. */
  close(): void
}

interface PendingCall {
  resolve(body: string | undefined): void
  reject(error: DisconnectedError): void
}

/** How many characters of notifications are read before the node is told. */
const READ_STEP = 64 * 1024

/** Connects to a node that is served at the other end of `port`. */
export function connectPort(port: PortLike, options: PortOptions): PortConnection {
  const pending = new Map<number, PendingCall>()
  /** Messages that wait for the node to run; `undefined` once it does. */
  let outbox: ToNode[] | undefined = options.boot ? [] : undefined
  let ended: DisconnectedError | undefined
  let lastId = 0
  let read = 0

  const post = (message: ToNode) => port.postMessage(message)
  const postWhenRunning = (message: ToNode) => (outbox ? void outbox.push(message) : send(message))

  function send(message: ToNode): void {
    if (message.kind === 'attach') port.postMessage(message, [message.port] as never)
    else post(message)
  }

  function fail(error: DisconnectedError): void {
    if (ended) return
    ended = error
    port.onmessage = null
    port.onmessageerror = null
    for (const call of pending.values()) call.reject(error)
    pending.clear()
    options.onDisconnected?.(error)
  }

  function receive(message: FromNode): void {
    switch (message.kind) {
      case 'ready': {
        const mismatch = protocolMismatch(message.protocol)
        if (mismatch) fail(new DisconnectedError(mismatch))
        else if (options.boot) post({ kind: 'boot', protocol: PROTOCOL, ...options.boot })
        return
      }
      case 'booted': {
        const waiting = outbox ?? []
        outbox = undefined
        for (const queued of waiting) send(queued)
        options.onBooted?.()
        return
      }
      case 'moved':
        options.onMoved?.(message.role)
        return
      case 'failed':
        fail(new DisconnectedError(message.message, { failure: message.failure }))
        return
      case 'rpc': {
        const call = pending.get(message.id)
        pending.delete(message.id)
        call?.resolve(message.body)
        return
      }
      case 'notification':
        options.onNotification(message.body)
        read += message.body.length
        if (read >= READ_STEP && !ended) {
          post({ kind: 'read', characters: read })
          read = 0
        }
        return
      default: {
        const { kind } = message as { kind?: unknown }
        message satisfies never
        fail(new DisconnectedError(`the node sent an unknown message: ${String(kind)}`))
      }
    }
  }

  port.onmessage = ({ data }: PortEvent<FromNode>) => receive(data)
  port.onmessageerror = () => fail(new DisconnectedError('a message from the node could not be read'))

  return {
    request(body) {
      if (ended) return Promise.reject(ended)
      return new Promise((resolve, reject) => {
        const id = ++lastId
        pending.set(id, { resolve, reject })
        postWhenRunning({ kind: 'rpc', id, body })
      })
    },
    attach(caller) {
      if (ended) throw ended
      postWhenRunning({ kind: 'attach', port: caller })
    },
    suspend() {
      if (!ended) postWhenRunning({ kind: 'suspend' })
    },
    resume() {
      if (!ended) postWhenRunning({ kind: 'resume' })
    },
    keep() {
      if (!ended) postWhenRunning({ kind: 'keep' })
    },
    fail,
    close() {
      if (!ended && !outbox) post({ kind: 'close' })
      fail(new DisconnectedError('the connection was closed'))
    },
  }
}
