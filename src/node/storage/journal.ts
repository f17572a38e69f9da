/** The named parts of a journal; each is a map from text keys to bytes. */
export const JOURNAL_PARTS = ['meta', 'blocks', 'diffs', 'states', 'transactions', 'snapshots'] as const

export type JournalPart = (typeof JOURNAL_PARTS)[number]

/** One change of a journal. */
export type JournalChange =
  | { readonly kind: 'put'; readonly part: JournalPart; readonly key: string; readonly value: Uint8Array }
  | { readonly kind: 'delete'; readonly part: JournalPart; readonly key: string }
  /** Removes every entry of the part. */
  | { readonly kind: 'clear'; readonly part: JournalPart }

/** Whether a write has to survive the machine (`strict`), or only the program (`relaxed`). */
export type Durability = 'relaxed' | 'strict'

/** Bytes that a journal takes of the storage that it lives in. */
export interface JournalUsage {
  /** `undefined` where the host does not say. */
  readonly usedBytes: number | undefined
  /** Bytes that the host allows, with all of its other uses; `undefined` if there is no such limit. */
  readonly quotaBytes: number | undefined
}

/**
 * The chain's durable storage: bytes by key, written all at once or not at all. One owner at a time: whoever
 * opens a journal takes it over, and what an earlier owner still writes is refused.
 */
export interface Journal {
  /** All entries of a part, in the order of their keys (by UTF-16 code unit). */
  readAll(part: JournalPart): Promise<readonly (readonly [key: string, value: Uint8Array])[]>
  /** One entry. */
  read(part: JournalPart, key: string): Promise<Uint8Array | undefined>
  /**
   * Makes the changes in their order, all or none of them; resolves when they are durable. The caller may start one write
   * before another has ended: they take effect in the order in which they were started.
   *
   * @throws {JournalError} `quota`, `taken-over`, `unavailable`.
   */
  write(changes: readonly JournalChange[], durability: Durability): Promise<void>
  usage(): Promise<JournalUsage>
  /** Writes that were started are finished. */
  close(): Promise<void>
}

export type JournalFailure =
  /** The host has no storage for us: it is switched off, private or blocked. */
  | 'unavailable'
  /** There is no room left. */
  | 'quota'
  /** Another tab has the journal open, and did not let it go in time. */
  | 'busy'
  /** Somebody else opened the journal after this owner. */
  | 'taken-over'
  /** The stored bytes make no sense. */
  | 'corrupt'
  /** It was written by a newer version of Blinknet. */
  | 'newer'

/** A journal could not be opened, read or written. Branch on `code`; `message` is for people. */
export class JournalError extends Error {
  override readonly name = 'JournalError'
  readonly code: JournalFailure

  constructor(code: JournalFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
