import type { Share } from './shared-budget.ts'

/** Milliseconds for which more than `bufferedBytes` may wait; a fast reader needs less for a large answer. */
const MAX_BUFFERED_MS = 5_000
/** Multiple of `bufferedBytes` at which a client is cut off at once. */
const HARD_LIMIT_FACTOR = 8

/** Approximate overhead of a frame in bytes. */
export const FRAME_BYTES = 256

/** One client's end of a connection that is pushed to. */
export interface OutputLine<Body> {
  /** Bytes that the client has not read. */
  waiting(): number
  /** @param done - To be called when the client's system has it. */
  write(body: Body, done: () => void): void
  /** The client is too slow. */
  cutOff(): void
}

/**
 * Writes to a client as long as it reads.
 *
 * @param share - What waits, in a budget of all clients.
 * @param bufferedBytes - What may wait for a while for one client.
 */
export function boundedOutput<Body extends string | Buffer>(
  share: Share,
  bufferedBytes: number,
  line: OutputLine<Body>,
): (body: Body) => void {
  let slowSince: number | undefined
  return (body) => {
    // Only bytes queued before this frame say that the reader is slow.
    const waiting = line.waiting()
    if (waiting <= bufferedBytes) slowSince = undefined
    else slowSince ??= performance.now()
    const size = body.length + FRAME_BYTES
    share.add(size)
    line.write(body, () => share.add(-size))
    const slow = slowSince !== undefined && performance.now() - slowSince > MAX_BUFFERED_MS
    if (slow || waiting > HARD_LIMIT_FACTOR * bufferedBytes) line.cutOff()
  }
}
