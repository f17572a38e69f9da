/** Bytes that Node.js reads from a socket at once, at most. A full chunk says that more is waiting. */
const FULL_CHUNK = 65_536

/** A socket that can stop reading for a while: a `Socket`, or the WebSocket on it, which knows when it may go on. */
interface Pausable {
  pause(): unknown
  resume(): unknown
}

/**
 * Lets others have their turn after a full chunk. Otherwise up to 32 of them are read in one round of the event loop, and
 * thousands of messages begin before anybody else is answered.
 */
export function takeTurns(socket: Pausable, chunk: Uint8Array): void {
  if (chunk.length < FULL_CHUNK) return
  socket.pause()
  setImmediate(() => socket.resume())
}
