import { getHeapStatistics } from 'node:v8'

/** Limits for all clients of the server together, unless noted otherwise. */
export interface ServerLimits {
  /** TCP connections. */
  readonly connections: number
  /** WebSockets among them. */
  readonly webSockets: number
  /** Milliseconds in which the headers of a request have to arrive. */
  readonly headersMs: number
  /** Milliseconds in which a whole request has to arrive. */
  readonly requestMs: number
  /** Bytes of requests and messages that have begun to arrive. */
  readonly receivedBytes: number
  /** Bytes of answers over HTTP that wait to be read. */
  readonly unreadBytes: number
  /** Bytes that wait to be read by WebSockets. */
  readonly pushedBytes: number
  /** Bytes that may wait for a while for one slow WebSocket. */
  readonly bufferedBytes: number
}

const MIB = 1024 * 1024
/** Bytes of the process's heap: some 4 GiB by default, less on small machines or with `--max-old-space-size`. */
export const HEAP_BYTES = getHeapStatistics().heap_size_limit

/** Each of these amounts is a small part of the heap, and far more than tests, tools and dapps use. */
export const SERVER_LIMITS: ServerLimits = {
  connections: 2_048,
  // A quarter of the connections is left to HTTP.
  webSockets: 1_536,
  headersMs: 10_000,
  // 5 MiB at 1.4 Mbit/s.
  requestMs: 30_000,
  // A dozen of the largest requests.
  receivedBytes: 64 * MIB,
  // Four of the largest traces.
  unreadBytes: Math.min(512 * MIB, HEAP_BYTES / 4),
  // Two WebSockets at their limit.
  pushedBytes: Math.min(256 * MIB, HEAP_BYTES / 8),
  bufferedBytes: 16 * MIB,
}
