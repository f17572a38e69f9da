// Longer than most files, as it is one class: all that it keeps of the remote chain is read and forgotten together.
import type { Clock } from '#primitives/clock.ts'
import { endsWithin } from '#primitives/ends-within.ts'
import { type Address, type Hash, toQuantity } from '#primitives/hex.ts'
import type { SealedBlock } from '../payload/block.ts'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS, SYSTEM_ADDRESS } from '../spec/system-contracts.ts'
import { type MissingState, MissingStateError, type NoteMissing } from '../state/missing-state.ts'
import type { ExecutionGuard } from '../turns/guard.ts'
import { AnswerError, numberOf } from './answers.ts'
import { ForkError } from './fork-error.ts'
import { type ForkHeader, readForkHeader } from './fork-header.ts'
import { KeptAnswers } from './kept-answers.ts'
import { absentEndpoint, confirmedEndpoint } from './kept-endpoint.ts'
import { codeEntry, type KeptEntry, type KeptRow, KeptRows, readKept } from './kept-rows.ts'
import { openSource } from './open-source.ts'
import { ProvenSource } from './proven-source.ts'
import { type FindNode, ProofError } from './reveal.ts'
import { checkAnswer, type Remote, requireBounded, requireRoom, type SourceDeps } from './state-source.ts'
import { firstSlots, SystemSlots } from './system-slots.ts'
import { TrustedSource } from './trusted-source.ts'

/** What a stored chain says of the one that it continues. JSON. */
export interface ForkRecord {
  /** Host of the endpoint, for messages. */
  readonly endpoint: string
  readonly chainId: number
  /** The block after which the fork begins, as `eth_getBlockByNumber` has it, without its transactions. */
  readonly block: ForkHeader['json']
  /** As in {@link Fork}. */
  readonly withoutProofs?: string
}

export interface ForkOptions {
  readonly remote: Remote
  readonly clock: Clock
  /** The block after which the fork begins; below 0 so many before the newest; the newest by default. */
  readonly blockNumber?: number | undefined
  /**
   * Timestamp of the first block after the fork's, in seconds, by that one's: what its system calls write is then fetched
   * with the first accounts.
   */
  readonly firstTimestamp?: (forkedAt: number) => number
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

/** A chain that continues another one: its block, and what was fetched and proven of its state. */
export class Fork {
  /** The block after which the fork begins, as the chain's oldest. */
  readonly block: SealedBlock
  readonly header: ForkHeader
  readonly chainId: number
  readonly remote: Remote
  /** Why the endpoint is taken at its word, in its own words; `undefined` if all is proven. */
  readonly withoutProofs: string | undefined
  /** All that was fetched, so that it can be kept with the chain. */
  readonly kept: KeptRows
  /** Answers about the time before the fork. */
  readonly answers: KeptAnswers
  /** What the system calls of its blocks write. */
  readonly systemSlots: SystemSlots
  readonly #clock: Clock
  readonly #source: ProvenSource | TrustedSource
  /** What is being fetched. */
  readonly #underWay = new Map<string, Promise<void>>()
  /** Hashes of the blocks before, newest first, from that of the fork's parent on. */
  readonly #hashes: Hash[]

  private constructor({ remote, clock, header }: SourceDeps, chainId: number, opened: OpenedSource) {
    this.remote = remote
    this.chainId = chainId
    this.header = header
    this.withoutProofs = opened.withoutProofs
    this.kept = opened.kept
    this.answers = opened.answers
    this.systemSlots = new SystemSlots({ fork: this, clock, source: opened.source })
    this.#clock = clock
    this.#source = opened.source
    this.#hashes = [header.header.parentHash]
    this.block = {
      kind: 'sealed',
      header: header.header,
      hash: header.hash,
      size: header.size,
      transactions: [],
      edits: [],
      state: opened.source.snapshot,
    }
  }

  /**
   * Asks the endpoint for its chain id and the block, and tries whether it proves the block's state. One that refuses
   * proofs is taken at its word; one whose proofs do not fit is refused.
   *
   * @param first - Accounts that are needed in any case.
   * @throws {ForkError} The message says what the endpoint lacks.
   */
  static async open(
    { remote, clock, blockNumber, firstTimestamp }: ForkOptions,
    first: readonly Address[],
  ): Promise<Fork> {
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
      const wanted = [...first, BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS, SYSTEM_ADDRESS]
      const accounts = new Map(wanted.map((address): [Address, Hash[]] => [address, []]))
      const opensAt = firstTimestamp?.(header.header.timestamp)
      if (opensAt !== undefined) {
        for (const { address, slot } of firstSlots(header.header, opensAt)) accounts.get(address)?.push(slot)
      }
      const kept = new KeptRows()
      const deps = { remote, clock, header, keep: kept.add }
      const answers = new KeptAnswers(kept.add)
      answers.put('eth_getBlockByNumber', [toQuantity(header.header.number), false], block)
      // By this block programs and the page tell chains apart, also without the endpoint.
      const origin = blockAt('0x0').then(
        (answer) => answers.put('eth_getBlockByNumber', ['0x0', false], answer),
        // Who needs it is told why it cannot be had.
        () => {},
      )
      const [[source, withoutProofs]] = await Promise.all([openSource(deps, accounts), origin])
      return new Fork(deps, numberOf(chainId, 'the chain id'), { source, withoutProofs, kept, answers })
    } catch (error) {
      if (error instanceof AnswerError) {
        throw new ForkError(`the block of ${remote.name} is refused: ${error.message}`, { cause: error })
      }
      throw error
    }
  }

  /**
   * Goes on with what an earlier run has kept, without asking anything.
   *
   * @param remote - From which more is fetched; without it nothing is. Unless that is so already (`isChecked`), it is first
   * asked whether it has the chain and the block.
   * @param entries - Rows and codes, in the order of their keys; others are left out.
   * @param guard - Looks at the clock now and then.
   * @throws {AnswerError | ProofError | ByteReaderError} If it is not what that run can have kept.
   */
  static async reopen(
    { endpoint, chainId, block, withoutProofs }: ForkRecord,
    entries: Iterable<KeptEntry>,
    { remote, clock, isChecked }: ReopenDeps,
    guard: ExecutionGuard,
  ): Promise<Fork> {
    const header = readForkHeader(block)
    const known = await readKept(entries, guard)
    let isOpen = false
    const kept = new KeptRows(known.rows)
    const keep = (row: KeptRow) => {
      if (isOpen) kept.add(row)
    }
    const other = isChecked ? remote : remote && confirmedEndpoint(remote, () => fork.checkOther(remote))
    const deps = { remote: other ?? absentEndpoint(endpoint), clock, header, keep, codes: known.codes }
    const source = withoutProofs === undefined ? new ProvenSource(deps) : new TrustedSource(deps)
    const answers = new KeptAnswers(keep)
    const fork = new Fork(deps, chainId, { source, withoutProofs, kept, answers })
    for (const row of known.rows) {
      restoreRow(source, row, known.find)
      requireBounded(source)
      answers.restore(row)
      if (row.kind === 'header') fork.#takeHeader(JSON.parse(row.json))
      const pause = guard.checkpoint()
      if (pause) await pause
    }
    isOpen = true
    return fork
  }

  /** What a stored chain has to say of it. */
  get record(): ForkRecord {
    const { chainId, header, remote, withoutProofs } = this
    const { name: endpoint } = remote
    return { endpoint, chainId, block: header.json, ...(withoutProofs !== undefined && { withoutProofs }) }
  }

  /** All that was fetched, as a journal has it: rows and codes. */
  *entries(): Generator<KeptEntry, void> {
    for (const [hash, code] of this.block.state.codes.entries()) yield codeEntry(hash, code)
    yield* this.kept.entries()
  }

  /** Whether there is no endpoint: what was not fetched before cannot be had. */
  get isOffline(): boolean {
    return this.remote.isAbsent ?? false
  }

  /** Bytes of proofs, values and codes that were fetched. */
  get keptBytes(): number {
    return this.#source.keptBytes
  }

  /**
   * Checks another endpoint, from which this fork might go on fetching.
   *
   * @throws {ForkError} If it has another chain, not the fork's block, or no proofs where this fork has them.
   */
  async checkOther(remote: Remote): Promise<void> {
    await this.checkBlock(remote)
    const deps = { remote, header: this.header, clock: this.#clock, keep: () => {} }
    const source = this.#source.isProven ? new ProvenSource(deps) : new TrustedSource(deps)
    await source.fetchAccount(SYSTEM_ADDRESS, [])
  }

  /** Checks that an endpoint has this chain and the fork's block. @throws {ForkError} */
  async checkBlock(remote: Remote): Promise<void> {
    const { chainId, header } = this
    const number = toQuantity(header.header.number)
    const [id, block] = await Promise.all([
      remote.ask('eth_chainId', []),
      remote.ask('eth_getBlockByNumber', [number, false]),
    ])
    checkAnswer({ remote, header }, 'the chain', () => {
      const other = numberOf(id, 'the chain id')
      if (other !== chainId) throw new AnswerError(`its chain id is ${other}, not ${chainId}`)
      if (block === null) throw new AnswerError('it has no such block')
      const { hash } = readForkHeader(block)
      if (hash !== header.hash) throw new AnswerError(`its block is ${hash}, not ${header.hash}`)
    })
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
      if (!isAllowed || !(await endsWithin(this.#clock, leftMs, this.fetch([...missing.values()])))) {
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
    for (const [i, number] of numbers.entries()) {
      const back = this.header.header.number - 1 - number
      if (this.#hashes.length !== back + 1) continue
      checkAnswer(this, `block ${number}`, () => {
        const { json } = this.#takeHeader(blocks[i])
        this.kept.add({ kind: 'header', json: JSON.stringify(json) })
      })
    }
  }

  /** Takes the parent of the oldest header that is known. @throws {AnswerError} If it is another. */
  #takeHeader(block: unknown): ForkHeader {
    const wanted = this.#hashes.at(-1)
    const parent = readForkHeader(block)
    if (parent.hash !== wanted) throw new AnswerError(`it is not ${wanted}, its child's parent`)
    if (this.#hashes.length >= HASHES) throw new AnswerError('BLOCKHASH does not go back that far')
    this.#hashes.push(parent.header.parentHash)
    return parent
  }
}

/** @throws {ProofError | AnswerError} As `restore` does, with the account that the row is about. */
function restoreRow(source: ProvenSource | TrustedSource, row: KeptRow, find: FindNode): void {
  try {
    source.restore(row, find)
  } catch (error) {
    if (!(error instanceof ProofError) || row.kind !== 'proof') throw error
    throw new ProofError(`account ${row.address}: ${error.message}`, { cause: error })
  }
}

interface ReopenDeps {
  readonly remote: Remote | undefined
  readonly clock: Clock
  readonly isChecked?: boolean
}

/** Where a fork gets its state from, and what was fetched so far. */
interface OpenedSource {
  readonly source: ProvenSource | TrustedSource
  readonly withoutProofs: string | undefined
  readonly kept: KeptRows
  readonly answers: KeptAnswers
}

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
