import { EMPTY_BYTES } from '#primitives/bytes.ts'

/** Bytes of an array that records share. */
const PAGE = 1 << 16
/** Longer records stay in arrays of their own. */
const LONGEST = 1 << 12

/**
 * Keeps short records many to an array, as each array takes 200 bytes besides its own. The memory of an array is free when
 * none of its records is in use.
 */
export class RecordPages {
  #page: Uint8Array = EMPTY_BYTES
  /** Bytes of the page that are taken. */
  #used = 0

  /** The record, as a view of where it is kept from here on. @param record - Must not change afterwards. */
  keep(record: Uint8Array): Uint8Array {
    if (record.length > LONGEST) return record
    if (this.#used + record.length > this.#page.length) {
      this.#page = new Uint8Array(PAGE)
      this.#used = 0
    }
    const kept = this.#page.subarray(this.#used, this.#used + record.length)
    kept.set(record)
    this.#used += record.length
    return kept
  }
}
