import { EMPTY_CODE_HASH } from '#engine/empty-code-hash.ts'
import type { Cancel, Clock } from '#primitives/clock.ts'
import { type Address, type Hash, toQuantity } from '#primitives/hex.ts'
import type { SealedBlock } from '../payload/block.ts'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS, SYSTEM_ADDRESS } from '../spec/system-contracts.ts'
import { type MissingState, MissingStateError, type NoteMissing } from '../state/missing-state.ts'
import { AnswerError, numberOf } from './answers.ts'
import { ForkError } from './fork-error.ts'
import { type ForkHeader, readForkHeader } from './fork-header.ts'
import { NoProofError, ProvenSource } from './proven-source.ts'
import { ringSlots } from './ring-slots.ts'
import { checkAnswer, type Remote, requireRoom, type SourceDeps, type StateSource } from './state-source.ts'
import { TrustedSource } from './trusted-source.ts'

type MissingSlot = MissingState & { readonly kind: 'slot' }

export interface ForkOptions {
  readonly remote: Remote
  readonly clock: Clock
  /** The block after which the fork begins; below 0 so many before the newest; the newest by default. */
  readonly blockNumber?: number | undefined
}

/** How often a read is repeated with what it lacked, and how much it may lack in all. */
const MAX_ROUNDS = 64
const MAX_FETCHED = 20_000
/** What a single run may lack before it is ended to fetch that. */
const MAX_NOTED = 4_096
/** Milliseconds after which a read is not repeated any more. */
const PATIENCE_MS = 60_000
/** BLOCKHASH reads no older blocks. */
const HASHES = 256
/** Milliseconds that a block waits for the slots of its system calls. */
const BLOCK_PATIENCE_MS = 2_000
/** Seconds ahead for which the slots of system calls are fetched, and what is left when that is done again. */
const AHEAD_S = 60
const REFRESH_S = 30

/** A chain that continues another one: its block, and what was fetched and proven of its state. */
export class Fork {
  /** The block after which the fork begins, as the chain's oldest. */
  readonly block: SealedBlock
  readonly header: ForkHeader
  readonly chainId: number
  readonly remote: Remote
  /** Why the endpoint is taken at its word, in its own words; `undefined` if all is proven. */
  readonly withoutProofs: string | undefined
  readonly #clock: Clock
  readonly #source: ProvenSource | TrustedSource
  /** What is being fetched. */
  readonly #underWay = new Map<string, Promise<void>>()
  /** Hashes of the blocks before, newest first, from that of the fork's parent on. */
  readonly #hashes: Hash[]
  #aheadTo = 0
  /** Whether a block went on without slots that are still being fetched. */
  #isLate = false

  private constructor(
    { remote, clock, header }: SourceDeps,
    chainId: number,
    [source, withoutProofs]: readonly [ProvenSource | TrustedSource, string | undefined],
  ) {
    this.remote = remote
    this.chainId = chainId
    this.header = header
    this.withoutProofs = withoutProofs
    this.#clock = clock
    this.#source = source
    this.#hashes = [header.header.parentHash]
    this.block = {
      kind: 'sealed',
      header: header.header,
      hash: header.hash,
      size: header.size,
      transactions: [],
      edits: [],
      state: source.snapshot,
    }
  }

  /**
   * Asks the endpoint for its chain id and the block, and tries whether it proves the block's state. One that refuses
   * proofs is taken at its word; one whose proofs do not fit is refused.
   *
   * @param first - Accounts that are needed in any case.
   * @throws {ForkError} The message says what the endpoint lacks.
   */
  static async open({ remote, clock, blockNumber }: ForkOptions, first: readonly Address[]): Promise<Fork> {
    try {
      const blockAt = (ref: string) => remote.ask('eth_getBlockByNumber', [ref, false])
      // Only a block counted from the newest one is a request of its own.
      const named = blockNumber === undefined ? 'latest' : blockNumber < 0 ? undefined : toQuantity(blockNumber)
      const [chainId, newest, early] = await Promise.all([
        remote.ask('eth_chainId', []),
        remote.ask('eth_blockNumber', []),
        named === undefined ? undefined : blockAt(named),
      ])
      const head = numberOf(newest, 'the number of the newest block')
      const number = blockNumber === undefined ? undefined : blockNumber < 0 ? head + blockNumber : blockNumber
      if (number !== undefined && (number < 0 || number > head))
        throw new ForkError(`${remote.name} has no block ${number}: its newest is ${head}`)
      const block = named === undefined ? await blockAt(toQuantity(number ?? head)) : early
      if (block === null) throw new ForkError(`${remote.name} has no block ${number ?? head}`)
      const header = readForkHeader(block)
      if (number !== undefined && header.header.number !== number)
        throw new AnswerError(`it is block ${header.header.number}`)
      const accounts = [...new Set([...first, BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS, SYSTEM_ADDRESS])]
      const deps = { remote, clock, header }
      return new Fork(deps, numberOf(chainId, 'the chain id'), await openSource(deps, accounts))
    } catch (error) {
      if (error instanceof AnswerError) {
        throw new ForkError(`the block of ${remote.name} is refused: ${error.message}`, { cause: error })
      }
      throw error
    }
  }

  /**
   * Checks another endpoint, from which this fork might go on fetching.
   *
   * @throws {ForkError} If it has another chain, not the fork's block, or no proofs where this fork has them.
   */
  async checkOther(remote: Remote): Promise<void> {
    const { chainId, header } = this
    const deps = { remote, header, clock: this.#clock }
    const number = toQuantity(header.header.number)
    const [id, block] = await Promise.all([
      remote.ask('eth_chainId', []),
      remote.ask('eth_getBlockByNumber', [number, false]),
    ])
    checkAnswer(deps, 'the chain', () => {
      const other = numberOf(id, 'the chain id')
      if (other !== chainId) throw new AnswerError(`its chain id is ${other}, not ${chainId}`)
      if (block === null) throw new AnswerError('it has no such block')
      const { hash } = readForkHeader(block)
      if (hash !== header.hash) throw new AnswerError(`its block is ${hash}, not ${header.hash}`)
    })
    const source = this.#source.isProven ? new ProvenSource(deps) : new TrustedSource(deps)
    await source.fetchAccount(SYSTEM_ADDRESS, [])
  }

  /**
   * Runs what reads the chain until nothing is missing any more: each time with what the last run lacked. A run goes on
   * with a guess where it can, so that it tells of as much as it can meet; its outcome is then not used.
   *
   * @param run - Gets the function that notes what is missing. May run many times.
   * @throws {ForkError} If that cannot be had, or is too much.
   */
  async complete<Result>(run: (note: NoteMissing) => Result | Promise<Result>): Promise<Result> {
    const deadline = this.#clock.now() + PATIENCE_MS
    let fetched = 0
    for (let round = 0; ; round++) {
      const missing = new Map<string, MissingState>()
      const note: NoteMissing = (each) => {
        missing.set(nameOf(each), each)
        if (missing.size >= MAX_NOTED) throw new MissingStateError(each)
      }
      try {
        const result = await run(note)
        if (missing.size === 0) return result
      } catch (error) {
        if (error instanceof MissingStateError) missing.set(nameOf(error.missing), error.missing)
        else if (missing.size === 0) throw error
      }
      fetched += missing.size
      const leftMs = deadline - this.#clock.now()
      const isAllowed = round < MAX_ROUNDS && fetched <= MAX_FETCHED && leftMs >= 0
      if (!isAllowed || !(await this.#endsWithin(leftMs, this.fetch([...missing.values()])))) {
        const limits = `${MAX_ROUNDS} rounds, ${MAX_FETCHED} accounts and slots, or ${PATIENCE_MS / 1000} s`
        throw new ForkError(`this needs more of ${this.remote.name} than one call may fetch: ${limits}`)
      }
    }
  }

  /**
   * Fetches and proves parts of the state that are not known yet; each is asked for once.
   *
   * @throws {ForkError}
   */
  async fetch(missing: readonly MissingState[]): Promise<void> {
    if (missing.length > 0) requireRoom(this.#source)
    const waits = new Set<Promise<void>>()
    const fresh: MissingState[] = []
    for (const each of missing) {
      const underWay = this.#underWay.get(nameOf(each))
      if (underWay) waits.add(underWay)
      else fresh.push(each)
    }
    for (const [parts, work] of this.#plan(fresh)) {
      const names = parts.map(nameOf)
      const done = work().finally(() => {
        for (const name of names) this.#underWay.delete(name)
      })
      for (const name of names) this.#underWay.set(name, done)
      waits.add(done)
    }
    // All of them end before this does, so that no failure is left over.
    const outcomes = await Promise.allSettled(waits)
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed) throw failed.reason
  }

  /** Waits for work. @returns Whether it has ended in that time; else it goes on, and nobody is told how it ends. */
  async #endsWithin(ms: number, work: Promise<void>): Promise<boolean> {
    let cancel: Cancel = () => {}
    const late = new Promise<false>((resolve) => {
      cancel = this.#clock.schedule(() => resolve(false), ms)
    })
    try {
      return await Promise.race([work.then(() => true), late])
    } finally {
      cancel()
    }
  }

  /**
   * The hash of a block before the fork, for BLOCKHASH.
   *
   * @throws {MissingStateError} If it was not fetched yet.
   */
  blockHash(number: number): Hash | undefined {
    const back = this.header.header.number - 1 - number
    if (back < 0 || number < 0 || back >= HASHES) return undefined
    const known = this.#hashes[back]
    if (known === undefined) throw new MissingStateError({ kind: 'block-hash', number })
    return known
  }

  /**
   * Fetches the slots that a block's system calls write, and in the background those of the blocks after it.
   *
   * @returns What to log where they could not be had; `undefined` if all are known.
   */
  async prepareBlock(number: number, timestamp: number): Promise<readonly string[] | undefined> {
    if (!this.#source.isProven) {
      this.#source.skip(this.#unknownSlots([...ringSlots(number, timestamp, timestamp)]))
      return undefined
    }
    try {
      const missing = this.#unknownSlots([...ringSlots(number, timestamp, timestamp)])
      if (missing.length > 0 && (this.#isLate || !(await this.#fetchForBlock(missing)))) {
        throw new ForkError(`${this.remote.name} has not answered in ${BLOCK_PATIENCE_MS} ms`)
      }
      if (this.#aheadTo < timestamp + REFRESH_S) {
        this.#aheadTo = timestamp + AHEAD_S
        const ahead = this.#unknownSlots([...ringSlots(number, timestamp, this.#aheadTo)])
        // A block that then lacks something asks for it itself, and says so.
        this.fetch(ahead).catch(() => {
          this.#aheadTo = 0
        })
      }
      return undefined
    } catch (error) {
      if (error instanceof ForkError) {
        return [`it has no system calls, and so not the state root that it should have: ${error.message}`]
      }
      throw error
    }
  }

  /** @returns Whether it ended in time. Until it ends, other blocks do not wait. */
  async #fetchForBlock(missing: readonly MissingState[]): Promise<boolean> {
    const work = this.fetch(missing)
    const ended = () => {
      this.#isLate = false
    }
    const isInTime = await this.#endsWithin(BLOCK_PATIENCE_MS, work)
    if (!isInTime) {
      this.#isLate = true
      work.then(ended, ended)
    }
    return isInTime
  }

  /** Those that are not known, of contracts that have a storage. */
  #unknownSlots(slots: readonly MissingSlot[]): readonly MissingSlot[] {
    return slots.filter(({ address, slot }) => {
      const { snapshot } = this.#source
      try {
        if ((snapshot.account(address)?.codeHash ?? EMPTY_CODE_HASH) !== EMPTY_CODE_HASH)
          snapshot.storage(address, slot)
        return false
      } catch (error) {
        if (error instanceof MissingStateError) return true
        throw error
      }
    })
  }

  /** Pieces of work for what is missing, each with what it brings. */
  *#plan(missing: readonly MissingState[]): Generator<[parts: readonly MissingState[], work: () => Promise<void>]> {
    const slots = new Map<Address, Hash[]>()
    const ofAccount = new Map<Address, MissingState[]>()
    const hashes: MissingState[] = []
    for (const each of missing) {
      if (each.kind === 'node') yield [[each], () => this.#source.fetchNode(each)]
      else if (each.kind === 'block-hash') hashes.push(each)
      else {
        const { address } = each
        ofAccount.set(address, [...(ofAccount.get(address) ?? []), each])
        const wanted = slots.get(address) ?? []
        slots.set(address, wanted)
        if (each.kind === 'slot') wanted.push(each.slot)
      }
    }
    for (const [address, wanted] of slots) {
      const parts = ofAccount.get(address) ?? []
      yield [parts, () => this.#source.fetchAccount(address, wanted)]
    }
    if (hashes.length > 0) {
      const oldest = Math.min(...hashes.map((each) => (each.kind === 'block-hash' ? each.number : 0)))
      yield [hashes, () => this.#fetchHashes(oldest)]
    }
  }

  /** Fetches the headers from the oldest known one's parent back to `oldest`; each tells the hash of the one before. */
  async #fetchHashes(oldest: number): Promise<void> {
    const newest = this.header.header.number - this.#hashes.length
    const numbers = Array.from({ length: Math.max(0, newest - oldest) }, (_, i) => newest - i)
    const blocks = await Promise.all(
      numbers.map((number) => this.remote.ask('eth_getBlockByNumber', [toQuantity(number), false])),
    )
    const deps = { remote: this.remote, header: this.header, clock: this.#clock }
    for (const [i, number] of numbers.entries()) {
      const back = this.header.header.number - 1 - number
      if (this.#hashes.length !== back + 1) continue
      checkAnswer(deps, `block ${number}`, () => {
        const { hash, header } = readForkHeader(blocks[i])
        if (hash !== this.#hashes[back]) throw new AnswerError(`it is not ${this.#hashes[back]}, its child's parent`)
        this.#hashes.push(header.parentHash)
      })
    }
  }
}

/**
 * Fetches the first accounts, with proofs if the endpoint has any.
 *
 * @returns The source, and why it is not proven.
 * @throws {ForkError} If neither can be had, or a proof is wrong.
 */
async function openSource(
  deps: SourceDeps,
  accounts: readonly Address[],
): Promise<readonly [ProvenSource | TrustedSource, string | undefined]> {
  const proven = new ProvenSource(deps)
  const outcomes = await fetchAll(proven, accounts)
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected')
  const [failure] = failures
  if (!failure) return [proven, undefined]
  // An endpoint that has proven anything has proofs; then an error is an error.
  const isWithout =
    failures.length === outcomes.length && failures.every(({ reason }) => reason instanceof NoProofError)
  if (!isWithout) throw failure.reason
  const trusted = new TrustedSource(deps)
  for (const outcome of await fetchAll(trusted, accounts)) if (outcome.status === 'rejected') throw outcome.reason
  return [trusted, (failure.reason as NoProofError).answered?.message]
}

const fetchAll = (source: StateSource, accounts: readonly Address[]) =>
  Promise.allSettled(accounts.map((address) => source.fetchAccount(address, [])))

function nameOf(missing: MissingState): string {
  switch (missing.kind) {
    case 'account':
      return missing.address
    case 'slot':
      return `${missing.address} ${missing.slot}`
    case 'node':
      return `${missing.address} ${missing.depth} ${missing.key}`
    case 'block-hash':
      return `block ${missing.number}`
    default:
      return missing satisfies never
  }
}
