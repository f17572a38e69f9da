import { EMPTY_BYTES } from '#primitives/bytes.ts'

/** Size of a shared array in bytes. */
const PAGE = 1 << 16
/** Records above this size keep their own arrays. */
const LONGEST = 1 << 12

/**
 * Packs short records into shared arrays, since each array has an overhead of 200 bytes. A shared array is freed when
 * none of its records is in use.
 */
export class RecordPages {
  #page: Uint8Array = EMPTY_BYTES
  /** Bytes of the current page that are in use. */
  #used = 0

  /**
   * Returns the record as a view of the shared array.
   *
   * @param record - Must not change afterwards.
   */
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
