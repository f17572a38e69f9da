import { FRAME_BYTES } from './frames.ts'
import type { BudgetShare } from './shared-budget.ts'

/** Milliseconds for which more than `bufferedBytes` may wait; a fast reader needs less for a large answer. */
const MAX_BUFFERED_MS = 5_000
/** Multiple of `bufferedBytes` at which a client is cut off at once. */
const HARD_LIMIT_FACTOR = 8

/**
 * Tells who reads too slowly: looks, before each write, at how many bytes still wait.
 *
 * @param bufferedBytes - What may wait for a while for one client.
 */
export function slownessOver(bufferedBytes: number): (waitingBytes: number) => boolean {
  let slowSince: number | undefined
  return (waiting) => {
    if (waiting <= bufferedBytes) slowSince = undefined
    else slowSince ??= performance.now()
    const isSlow = slowSince !== undefined && performance.now() - slowSince > MAX_BUFFERED_MS
    return isSlow || waiting > HARD_LIMIT_FACTOR * bufferedBytes
  }
}

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
  share: BudgetShare,
  bufferedBytes: number,
  line: OutputLine<Body>,
): (body: Body) => void {
  const isTooSlow = slownessOver(bufferedBytes)
  return (body) => {
    // Only bytes queued before this frame say that the reader is slow.
    const tooSlow = isTooSlow(line.waiting())
    const size = body.length + FRAME_BYTES
    share.add(size)
    line.write(body, () => share.add(-size))
    if (tooSlow) line.cutOff()
  }
}
