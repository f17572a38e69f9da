import {
  BlockUnreadableError,
  JOURNAL_PARTS,
  type Journal,
  type JournalChange,
  JournalError,
  type JournalPart,
  type JournalUsage,
  listPlaces,
  type RecordShelf,
  type StoredBytes,
} from './journal.ts'

/** Entries that outlive their owners. */
interface Shelf {
  readonly parts: ReadonlyMap<JournalPart, Map<string, Uint8Array>>
  owner?: MemoryJournal
}

interface Gate {
  readonly opened: Promise<void>
  readonly open: () => void
}

/**
 * A journal in memory, for tests. Its writes can be held back or made to fail; it can be taken over, and copied as a
 * crash would leave it.
 */
export class MemoryJournal implements Journal {
  readonly #shelf: Shelf
  /** Resolves when every write that was started has ended. */
  #started: Promise<unknown> = Promise.resolve()
  #inFlight = 0
  readonly #gates = new Set<Gate>()
  readonly #failures: JournalError[] = []
  #closed = false

  /** Creates an empty journal; {@link MemoryJournal.reopen} creates one with another's entries. */
  constructor(shelf: Shelf = { parts: new Map(JOURNAL_PARTS.map((part) => [part, new Map()])) }) {
    this.#shelf = shelf
    shelf.owner = this
  }

  /** Number of writes that were started and have not ended. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** Holds back all unfinished and later writes, and the reads behind them, until the returned function is called. */
  hold(): () => void {
    const gate = createGate()
    this.#gates.add(gate)
    return () => {
      this.#gates.delete(gate)
      gate.open()
    }
  }

  /** Makes the next writes fail, one with each error. */
  failNext(...errors: readonly JournalError[]): void {
    this.#failures.push(...errors)
  }

  /** Opens the same entries for another owner. Writes that this owner has not finished are refused. */
  reopen(): MemoryJournal {
    return new MemoryJournal(this.#shelf)
  }

  /** A copy as another program would find it after a crash now: without the writes in flight. */
  afterCrash(): MemoryJournal {
    return new MemoryJournal({ parts: new Map([...this.#shelf.parts].map(([part, rows]) => [part, new Map(rows)])) })
  }

  async readAll(part: JournalPart): Promise<readonly (readonly [key: string, value: Uint8Array])[]> {
    const rows = await this.#rowsForReading(part)
    return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => [key, value.slice()])
  }

  async readEach(part: JournalPart, visit: (key: string, value: Uint8Array) => void): Promise<void> {
    for (const [key, value] of await this.readAll(part)) visit(key, value)
  }

  get shelf(): RecordShelf {
    return {
      ready: () => Promise.resolve(),
      shelve: (key) => this.#shelve('blocks', key),
      pack: listPlaces,
      placed: async (part) =>
        [...(await this.#rowsForReading(part)).keys()].map((key) => [key, this.#shelve(part, key) as StoredBytes]),
    }
  }

  async read(part: JournalPart, key: string): Promise<Uint8Array | undefined> {
    const rows = await this.#rowsForReading(part)
    return rows.get(key)?.slice()
  }

  write(changes: readonly JournalChange[]): Promise<void> {
    if (this.#closed) return Promise.reject(closedError())
    const copies = changes.map((change) =>
      change.kind === 'put' ? { ...change, value: change.value.slice() } : change,
    )
    this.#inFlight++
    const written = this.#started.then(() => this.#finish(copies))
    this.#started = Promise.allSettled([written])
    return written
  }

  usage(): Promise<JournalUsage> {
    let usedBytes = 0
    for (const rows of this.#shelf.parts.values()) {
      for (const [key, value] of rows) usedBytes += 2 * key.length + value.length
    }
    return Promise.resolve({ usedBytes, quotaBytes: undefined })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#started
  }

  #shelve(part: JournalPart, key: string): StoredBytes | undefined {
    // Entries are replaced, never changed.
    const value = this.#rows(part).get(key)
    if (!value) return undefined
    const read = (start = 0, end = value.length) => {
      if (this.#closed) throw new BlockUnreadableError('The journal is closed.')
      return value.slice(start, end)
    }
    return { length: value.length, read }
  }

  async #finish(changes: readonly JournalChange[]): Promise<void> {
    try {
      for (const gate of this.#gates) await gate.opened
      const failure = this.#failures.shift()
      if (failure) throw failure
      if (this.#shelf.owner !== this) {
        throw new JournalError('taken-over', 'Another owner has opened this journal.')
      }
      for (const change of changes) apply(this.#rows(change.part), change)
    } finally {
      this.#inFlight--
    }
  }

  /** The entries after all writes that were started. */
  async #rowsForReading(part: JournalPart): Promise<ReadonlyMap<string, Uint8Array>> {
    if (this.#closed) throw closedError()
    await this.#started
    return this.#rows(part)
  }

  #rows(part: JournalPart): Map<string, Uint8Array> {
    const rows = this.#shelf.parts.get(part)
    if (!rows) throw new JournalError('corrupt', `This journal has no part ${part}.`)
    return rows
  }
}

function apply(rows: Map<string, Uint8Array>, change: JournalChange): void {
  switch (change.kind) {
    case 'put':
      rows.set(change.key, change.value)
      return
    case 'delete':
      rows.delete(change.key)
      return
    case 'clear':
      rows.clear()
  }
}

function createGate(): Gate {
  let open: () => void = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

function closedError(): JournalError {
  return new JournalError('unavailable', 'This journal is closed.')
}
