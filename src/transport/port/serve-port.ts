import type { ConnectOptions, RpcEndpoint } from '#rpc-types/connection.ts'
import { type CallMessage, type FromNode, isCallMessage, membersOf, type PortEvent, type PortLike } from './messages.ts'

/** How many characters of notifications may wait for a slow caller. */
export const MAX_UNREAD_CHARACTERS = 16 * 1024 * 1024

/** Longest part of a message's kind that a refusal repeats, in characters. */
const LONGEST_KIND = 100

/** One served caller. */
export interface ServedCaller {
  /** Takes a message of the caller. */
  receive(message: CallMessage): void
  /** Tells the caller that no call will be answered any more. */
  fail(message: string): void
  /** Ends it without telling the caller. */
  end(): void
}

/**
 * Answers a caller whose messages are passed on by the owner of `port`.
 *
 * @param pushed - Whether the caller accepts notifications, and so may subscribe.
 */
export function serveCaller(
  endpoint: RpcEndpoint,
  port: PortLike,
  pushed = true,
  options: ConnectOptions = {},
): ServedCaller {
  const post = (message: FromNode) => port.postMessage(message)
  let unread = 0
  // A port accepts any number of messages; the caller's `read` messages say how many still wait.
  const push = (body: string): boolean => {
    post({ kind: 'notification', body })
    unread += body.length
    return unread <= MAX_UNREAD_CHARACTERS
  }
  const connection = endpoint.connect(pushed ? push : undefined, options)

  async function answer(id: number, body: string): Promise<void> {
    post({ kind: 'rpc', id, body: await connection.handle(body) })
  }

  function fail(message: string): void {
    connection.close()
    post({ kind: 'failed', message })
  }

  return {
    receive(message) {
      switch (message.kind) {
        case 'rpc':
          // `handle` should never reject. If it does, the bug ends this caller, not the node.
          answer(message.id, message.body).catch((error: unknown) =>
            fail(`internal error in the node: ${String(error)}`),
          )
          return
        case 'read':
          unread -= message.characters
          return
        case 'close':
          connection.close()
          return
        default:
          unknownKind(message)
      }
    },
    fail,
    end: () => connection.close(),
  }
}

/** Answers the caller at the other end of `port` until it closes. */
export function servePort(endpoint: RpcEndpoint, port: PortLike): ServedCaller {
  const caller = serveCaller(endpoint, port)
  port.onmessage = ({ data }: PortEvent<unknown>) => {
    if (isCallMessage(data)) caller.receive(data)
    else caller.fail(unknownMessage(data))
  }
  port.onmessageerror = () => caller.fail('a message to the node could not be read')
  return caller
}

/** Describes a message that this build's types do not know. */
export function unknownMessage(data: unknown): string {
  const { kind } = membersOf(data)
  const named = typeof kind === 'string' ? kind.slice(0, LONGEST_KIND) : typeof kind
  return `the node received an unknown message: ${named}`
}

/** Does not compile while a kind of message is not handled. */
function unknownKind(message: never): never {
  throw new TypeError(unknownMessage(message))
}
