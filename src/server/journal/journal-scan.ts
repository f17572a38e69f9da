import type { FileHandle } from 'node:fs/promises'
import { readFully } from './file-io.ts'
import { checkFrame, FRAME_HEADER_BYTES, findFrameMagic, payloadBytes } from './journal-frame.ts'

/** A complete frame of a journal's file. */
export interface Frame {
  readonly payload: Buffer
  /** Offset of the payload in the file. */
  readonly start: number
  /** Offset of the next frame. */
  readonly end: number
  /** How many bytes of the file were on disk when it was written. */
  readonly synced: number
}

/** Bytes read at once. */
const WINDOW_BYTES = 1024 * 1024
/**
 * How many bytes of damaged frames are read in a search for intact ones. Only a crafted file has more: each of its bytes
 * may begin a frame that claims to be long.
 */
const MAX_DAMAGED_BYTES = 2 ** 30

/** Reads pieces of a file, mostly from a larger piece read before. */
class FileWindow {
  readonly #handle: FileHandle
  readonly #end: number
  #start = 0
  #bytes: Buffer = Buffer.alloc(0)

  constructor(handle: FileHandle, end: number) {
    this.#handle = handle
    this.#end = end
  }

  /** `undefined` if the file ends first. */
  async read(offset: number, length: number): Promise<Buffer | undefined> {
    if (length > this.#end - offset) return undefined
    if (offset < this.#start || offset + length > this.#start + this.#bytes.length) {
      // A new buffer every time: the old one may still be in use.
      const bytes = Buffer.allocUnsafe(Math.min(Math.max(length, WINDOW_BYTES), this.#end - offset))
      await readFully(this.#handle, bytes, offset)
      this.#bytes = bytes
      this.#start = offset
    }
    return this.#bytes.subarray(offset - this.#start, offset - this.#start + length)
  }

  /** The frame at `offset`; `undefined` if it is not complete. */
  async frame(offset: number): Promise<Frame | undefined> {
    const header = await this.read(offset, FRAME_HEADER_BYTES)
    const length = header && payloadBytes(header)
    if (length === undefined) return undefined
    const start = offset + FRAME_HEADER_BYTES
    const payload = await this.read(start, length)
    const synced = payload && checkFrame(header as Buffer, payload, offset)
    return synced === undefined ? undefined : { payload: payload as Buffer, start, end: start + length, synced }
  }

  /** Bytes that a frame at `offset` claims to have. */
  async claimedBytes(offset: number): Promise<number> {
    const header = await this.read(offset, FRAME_HEADER_BYTES)
    const length = header && payloadBytes(header)
    return length !== undefined && length <= this.#end - offset ? length : 0
  }

  /** The next offset, at or after `from`, where a frame may start. */
  async nextMagic(from: number): Promise<number | undefined> {
    let offset = from
    while (offset + FRAME_HEADER_BYTES <= this.#end) {
      await this.read(offset, FRAME_HEADER_BYTES)
      const found = findFrameMagic(this.#bytes, offset - this.#start)
      if (found >= 0) return this.#start + found
      // The magic may span the end of the window.
      offset = Math.max(this.#start + this.#bytes.length - FRAME_HEADER_BYTES, offset) + 1
    }
    return undefined
  }
}

/**
 * Calls `visit` with the frames of a file from `from` to `end`, in order, until it returns `false`.
 *
 * @param visit - Returns whether to continue.
 * @returns The start of the first frame not visited, because it is incomplete or `visit` stopped; `end` if all were.
 */
export async function visitFrames(
  handle: FileHandle,
  from: number,
  end: number,
  visit: (frame: Frame) => boolean,
): Promise<number> {
  const file = new FileWindow(handle, end)
  let offset = from
  while (offset < end) {
    const frame = await file.frame(offset)
    if (!frame) return offset
    offset = frame.end
    if (!visit(frame)) return offset
  }
  return end
}

/**
 * How many bytes of the file were once on disk, judged by the intact frames after `from`; 0 if there are none,
 * `undefined` if too much would have to be read to know.
 */
export async function syncedBehind(
  handle: FileHandle,
  from: number,
  end: number,
  mostDamaged = MAX_DAMAGED_BYTES,
): Promise<number | undefined> {
  let synced = 0
  const isWhole = await visitBehind(
    handle,
    from,
    end,
    (frame) => (synced = Math.max(synced, frame.synced)),
    mostDamaged,
  )
  return isWhole ? synced : undefined
}

/**
 * Calls `visit` with the intact frames behind damage.
 *
 * @returns `false` if too much would have to be read to find them all.
 */
export async function visitBehind(
  handle: FileHandle,
  from: number,
  end: number,
  visit: (frame: Frame) => unknown,
  mostDamaged = MAX_DAMAGED_BYTES,
): Promise<boolean> {
  const file = new FileWindow(handle, end)
  let damaged = 0
  let offset = await file.nextMagic(from)
  while (offset !== undefined) {
    damaged += await file.claimedBytes(offset)
    if (damaged > mostDamaged) return false
    const frame = await file.frame(offset)
    if (frame) {
      damaged -= frame.payload.length
      visit(frame)
    }
    offset = await file.nextMagic(frame ? frame.end : offset + 1)
  }
  return true
}
