import { JOURNAL_PARTS, type Journal, type JournalChange, JournalError } from '#node/storage/journal.ts'

/** The journal of a chain that is to take the place of another one. */
export interface NextJournal {
  /** Empty, and its writes are held, until it is taken. Closing it before that drops them. */
  readonly journal: Journal
  /**
   * Replaces all that the journal holds by the held writes, all or nothing; later ones are made at once.
   *
   * @throws {JournalError} If it cannot be written: the chain before has the journal as it had.
   */
  readonly take: () => Promise<void>
}

/** A journal that one chain hands to the next: at each time one of them owns it. */
export class HandedJournal {
  /** For the chain that the journal holds. */
  readonly first: Journal
  readonly #journal: Journal
  #owner: Share

  constructor(journal: Journal) {
    this.#journal = journal
    this.#owner = new Share(journal, 'owns')
    this.first = this.#owner
  }

  /** For a chain in its place. Only one may be taken at a time. */
  next(): NextJournal {
    const next = new Share(this.#journal, 'waits')
    return {
      journal: next,
      take: async () => {
        const before = this.#owner
        const cleared = JOURNAL_PARTS.map((part) => ({ kind: 'clear', part }) as const)
        const written = this.#journal.write([...cleared, ...next.held], 'strict')
        next.decide(written, 'owns', 'left')
        before.decide(written, 'left', 'owns')
        await written
        this.#owner = next
      },
    }
  }
}

type State = 'waits' | 'owns' | 'left'

class Share implements Journal {
  readonly isVolatile: boolean
  readonly #journal: Journal
  #state: State
  #held: JournalChange[] = []
  /** Settles once it is known who owns the journal; until then nothing is written. */
  #undecided: Promise<void> | undefined

  constructor(journal: Journal, state: State) {
    this.#journal = journal
    this.#state = state
    this.isVolatile = journal.isVolatile ?? false
  }

  get held(): readonly JournalChange[] {
    return this.#held
  }

  async readAll(part: Parameters<Journal['readAll']>[0]): ReturnType<Journal['readAll']> {
    return this.#mayRead() ? this.#journal.readAll(part) : []
  }

  async readEach(...which: Parameters<Journal['readEach']>): ReturnType<Journal['readEach']> {
    if (this.#mayRead()) await this.#journal.readEach(...which)
  }

  get shelf(): Journal['shelf'] {
    return this.#state === 'owns' ? this.#journal.shelf : undefined
  }

  async read(...which: Parameters<Journal['read']>): ReturnType<Journal['read']> {
    return this.#mayRead() ? this.#journal.read(...which) : undefined
  }

  async write(...[changes, durability]: Parameters<Journal['write']>): Promise<void> {
    while (this.#undecided) await this.#undecided
    if (this.#state === 'waits') this.#held.push(...changes)
    // What a chain still does after another took its place is not kept.
    if (this.#state === 'owns') await this.#journal.write(changes, durability)
  }

  usage(): ReturnType<Journal['usage']> {
    return this.#journal.usage()
  }

  /** Does nothing: the owner closes the journal itself. */
  async close(): Promise<void> {
    while (this.#undecided) await this.#undecided
    const isOwner = this.#state === 'owns'
    this.#become('left')
    if (isOwner) await this.#journal.close()
  }

  /** @param taken - Whether another share takes the journal, or this one. */
  decide(taken: Promise<void>, then: State, otherwise: State): void {
    this.#undecided = taken.then(
      () => this.#become(then),
      () => this.#become(otherwise),
    )
  }

  #become(state: State): void {
    this.#undecided = undefined
    this.#state = state
    this.#held = []
  }

  #mayRead(): boolean {
    if (this.#state === 'left') throw new JournalError('taken-over', 'another chain has taken the place of this one')
    return this.#state === 'owns'
  }
}
