/** The named parts of a journal; each is a map from text keys to bytes. */
export const JOURNAL_PARTS = ['meta', 'blocks', 'diffs', 'states', 'transactions', 'snapshots'] as const

export type JournalPart = (typeof JOURNAL_PARTS)[number]

/** One change of a journal. */
export type JournalChange =
  | { readonly kind: 'put'; readonly part: JournalPart; readonly key: string; readonly value: Uint8Array }
  | { readonly kind: 'delete'; readonly part: JournalPart; readonly key: string }
  /** Deletes every entry of the part. */
  | { readonly kind: 'clear'; readonly part: JournalPart }

/** Whether a write must survive a crash of the machine (`strict`) or only of the program (`relaxed`). */
export type Durability = 'relaxed' | 'strict'

/** How much storage a journal uses. */
export interface JournalUsage {
  /** `undefined` if the host does not say. */
  readonly usedBytes: number | undefined
  /** Bytes that the host allows for all of its uses; `undefined` if there is no such limit. */
  readonly quotaBytes: number | undefined
}

/**
 * Bytes of a journal that are not in memory. They never change, and can be read for as long as the journal is open, even
 * if their entry was deleted or replaced meanwhile.
 */
export interface StoredBytes {
  readonly length: number
  /**
   * Reads some of them, without waiting.
   *
   * @throws {BlockUnreadableError}
   */
  read(start?: number, end?: number): Uint8Array
}

/** Reads entries of a journal without waiting. */
export interface RecordShelf {
  /** Resolves when {@link shelve} can work, or never will. */
  ready(): Promise<void>
  /**
   * Where to read the value of an entry of the part `blocks` from now on; `undefined` if the journal does not have it yet,
   * or cannot be read without waiting.
   *
   * @param record - That value.
   */
  shelve(key: string, record: Uint8Array): StoredBytes | undefined
  /** Many such places in one object, that take some bytes each. */
  pack(places: readonly StoredBytes[]): PackedPlaces
  /** As `readAll` of a journal, but the values stay where they are; left out where only blocks can be read so. */
  readonly placed?: (part: JournalPart) => Promise<readonly (readonly [key: string, value: StoredBytes])[]>
}

/** The bytes, wherever they are. @throws {BlockUnreadableError} */
export function bytesAt(bytes: Uint8Array | StoredBytes): Uint8Array {
  return bytes instanceof Uint8Array ? bytes : bytes.read()
}

/** Makes each of the places that were packed when it is asked for. */
export type PackedPlaces = (index: number) => StoredBytes

/** As {@link RecordShelf.pack}, for places that are objects in any case. */
export function listPlaces(places: readonly StoredBytes[]): PackedPlaces {
  return (index) => places[index] as StoredBytes
}

/**
 * The chain's durable storage: bytes by key, written all or nothing. It has one owner at a time. Whoever opens a
 * journal takes it over; writes by earlier owners are refused.
 */
export interface Journal {
  /** Whether everything written is lost with the process, as for a chain opened from a file. Default false. */
  readonly isVolatile?: boolean
  /** The host found its storage damaged and deleted everything that it had kept, this journal too; its own words. */
  readonly deleted?: string | undefined
  /** All entries of a part, in the order of their keys (by UTF-16 code unit). */
  readAll(part: JournalPart): Promise<readonly (readonly [key: string, value: Uint8Array])[]>
  /**
   * Visits all entries of a part in the order of their keys, without having all of them in memory.
   *
   * @param visit - Nothing may be written meanwhile.
   */
  readEach(part: JournalPart, visit: (key: string, value: Uint8Array) => void): Promise<void>
  /** Where blocks can be read without waiting, if anywhere. */
  readonly shelf?: RecordShelf | undefined
  /** One entry. */
  read(part: JournalPart, key: string): Promise<Uint8Array | undefined>
  /**
   * Applies the changes in order, all or none; resolves when they are durable. Several writes may be under
   * way; they take effect in the order they were started.
   *
   * @throws {JournalError} `quota`, `taken-over`, `unavailable`.
   */
  write(changes: readonly JournalChange[], durability: Durability): Promise<void>
  usage(): Promise<JournalUsage>
  /** Closes the journal after the writes in progress. */
  close(): Promise<void>
}

export type JournalFailure =
  /** The host's storage is switched off or blocked, for example in private browsing. */
  | 'unavailable'
  /** There is no room left. */
  | 'quota'
  /** Another tab has the journal open and did not release it in time. */
  | 'busy'
  /** Somebody else opened the journal after this owner. */
  | 'taken-over'
  /** The stored bytes are not a valid chain. */
  | 'corrupt'
  /** The chain was written by a newer version of Blinknet. */
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

/** A block cannot be read from where the journal has it: the storage fails, or the journal was closed meanwhile. */
export class BlockUnreadableError extends Error {
  override readonly name = 'BlockUnreadableError'
}

/** A journal whose writes are held, so that all of them can be made in one. */
export interface HeldJournal {
  /** Reads do not find what is held. */
  readonly journal: Journal
  /** Makes the held writes; later ones are made at once. @throws {JournalError} */
  readonly release: () => Promise<void>
}

/** Holds the writes to a journal: a crash leaves all of them or none. */
export function holdJournal(journal: Journal): HeldJournal {
  let held: JournalChange[] | undefined = []
  return {
    journal: {
      isVolatile: journal.isVolatile ?? false,
      readAll: (part) => journal.readAll(part),
      readEach: (part, visit) => journal.readEach(part, visit),
      get shelf() {
        return held ? undefined : journal.shelf
      },
      read: (part, key) => journal.read(part, key),
      async write(changes, durability) {
        if (held) held.push(...changes)
        else await journal.write(changes, durability)
      },
      usage: () => journal.usage(),
      close: () => journal.close(),
    },
    async release() {
      const changes = held ?? []
      held = undefined
      await journal.write(changes, 'strict')
    },
  }
}
