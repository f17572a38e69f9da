import type { Clock } from '#primitives/clock.ts'
import type { JsonRpcErrorObject } from '#rpc-types/envelope.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'

/** Milliseconds of silence before a keep-alive comment: proxies may drop a silent connection. */
const KEEP_ALIVE_MS = 15_000
/** Milliseconds before a reader reconnects after the stream has ended. */
const RETRY_MS = 1_000

export interface EventStreamOptions {
  readonly clock: Pick<Clock, 'schedule'>
  /** Bytes that may wait for a slow reader. */
  readonly maxBytes: number
  /** Called before each keep-alive; rejects if no more events will come, and the stream then fails. */
  readonly alive: () => Promise<void>
  /** Called once, when nothing more can be sent: the reader has gone, is too slow, or `fail` was called. */
  readonly onEnd: () => void
}

/** A response body of server-sent events with a bounded buffer. */
export interface EventStream {
  readonly body: ReadableStream<Uint8Array>
  /** @param data - A single line, such as JSON. */
  send(event: string, data: string): void
  /** Sends a last event `error`. */
  fail(error: JsonRpcErrorObject): void
}

/** @see {@link https://html.spec.whatwg.org/multipage/server-sent-events.html | Server-sent events} */
export function createEventStream({ clock, maxBytes, alive, onEnd }: EventStreamOptions): EventStream {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started
      },
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxBytes }),
  )
  let cancelKeepAlive = clock.schedule(keepAlive, KEEP_ALIVE_MS)
  enqueue(`retry: ${RETRY_MS}\n\n`)

  function enqueue(text: string): void {
    controller?.enqueue(encoder.encode(text))
    if (!controller || (controller.desiredSize ?? 0) > 0) return
    fail({ code: ERROR_CODES.server, message: `too slow: over ${maxBytes} bytes wait to be read` })
  }

  async function keepAlive(): Promise<void> {
    try {
      await alive()
    } catch (error) {
      return fail({ code: ERROR_CODES.disconnected, message: (error as Error).message })
    }
    enqueue(': still here\n\n')
    if (controller) cancelKeepAlive = clock.schedule(keepAlive, KEEP_ALIVE_MS)
  }

  function fail(error: JsonRpcErrorObject): void {
    controller?.enqueue(encoder.encode(format('error', JSON.stringify(error))))
    controller?.close()
    end()
  }

  function end(): void {
    if (!controller) return
    controller = undefined
    cancelKeepAlive()
    onEnd()
  }

  return { body, send: (event, data) => enqueue(format(event, data)), fail }
}

function format(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`
}
