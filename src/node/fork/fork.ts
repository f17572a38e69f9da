import { EMPTY_CODE_HASH } from '#engine/empty-code-hash.ts'
import type { Cancel, Clock } from '#primitives/clock.ts'
import { type Address, type Hash, toQuantity } from '#primitives/hex.ts'
import type { SealedBlock } from '../payload/block.ts'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS, SYSTEM_ADDRESS } from '../spec/system-contracts.ts'
import { type MissingState, MissingStateError, type NoteMissing } from '../state/missing-state.ts'
import { AnswerError, bytesOf, listOf, membersOf, numberOf } from './answers.ts'
import { findPreimage } from './find-preimage.ts'
import { ForkError } from './fork-error.ts'
import { type ForkHeader, readForkHeader } from './fork-header.ts'
import { ForkState } from './fork-state.ts'
import { ProofError } from './reveal.ts'
import { ringSlots } from './ring-slots.ts'

/** The endpoint of another chain. */
export interface Remote {
  /** For messages; without anything secret. */
  readonly name: string
  /**
   * Asks it. Calls that are made together may be sent together.
   *
   * @throws {ForkError} If it cannot be reached, or answers with an error.
   */
  readonly ask: (method: string, params: readonly unknown[]) => Promise<unknown>
}

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
/** Slots in one `eth_getProof`. */
const SLOTS_PER_PROOF = 128
/** Bytes of proofs and codes that a fork keeps; in memory they take several times that. */
const MAX_KEPT_BYTES = 96 << 20
/** BLOCKHASH reads no older blocks. */
const HASHES = 256
/** Nodes on a path of 64 nibbles. */
const MAX_NODES = 65
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
  readonly #clock: Clock
  readonly #state: ForkState
  /** What is being fetched. */
  readonly #underWay = new Map<string, Promise<void>>()
  /** Hashes of the blocks before, newest first, from that of the fork's parent on. */
  readonly #hashes: Hash[]
  #aheadTo = 0
  /** Whether a block went on without slots that are still being fetched. */
  #isLate = false
  /** The newest search for a preimage: one runs at a time, since each takes all of its turns. */
  #searching: Promise<unknown> = Promise.resolve()

  private constructor(remote: Remote, clock: Clock, chainId: number, header: ForkHeader) {
    this.remote = remote
    this.chainId = chainId
    this.header = header
    this.#clock = clock
    this.#state = new ForkState(header.header.stateRoot)
    this.#hashes = [header.header.parentHash]
    this.block = {
      kind: 'sealed',
      header: header.header,
      hash: header.hash,
      size: header.size,
      transactions: [],
      edits: [],
      state: this.#state.snapshot,
    }
  }

  /**
   * Asks the endpoint for its chain id and the block, and tries whether it proves the block's state.
   *
   * @param first - Accounts that are needed in any case.
   * @throws {ForkError} The message says what the endpoint lacks.
   */
  static async open({ remote, clock, blockNumber }: ForkOptions, first: readonly Address[]): Promise<Fork> {
    try {
      const [chainId, newest] = await Promise.all([remote.ask('eth_chainId', []), remote.ask('eth_blockNumber', [])])
      const head = numberOf(newest, 'the number of the newest block')
      const number = blockNumber === undefined ? head : blockNumber < 0 ? head + blockNumber : blockNumber
      if (number < 0 || number > head)
        throw new ForkError(`${remote.name} has no block ${number}: its newest is ${head}`)
      const block = await remote.ask('eth_getBlockByNumber', [toQuantity(number), false])
      if (block === null) throw new ForkError(`${remote.name} has no block ${number}`)
      const header = readForkHeader(block)
      if (header.header.number !== number) throw new AnswerError(`it is block ${header.header.number}`)
      const fork = new Fork(remote, clock, numberOf(chainId, 'the chain id'), header)
      const accounts = [...new Set([...first, BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS, SYSTEM_ADDRESS])]
      await fork.fetch(accounts.map((address) => ({ kind: 'account', address })))
      return fork
    } catch (error) {
      if (error instanceof AnswerError) {
        throw new ForkError(`the block of ${remote.name} is refused: ${error.message}`, { cause: error })
      }
      throw error
    }
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
    if (missing.length > 0) this.#requireRoom()
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

  #requireRoom(): void {
    if (this.#state.keptBytes <= MAX_KEPT_BYTES) return
    throw new ForkError(`this fork has fetched ${MAX_KEPT_BYTES >> 20} MiB of state, its limit: start it anew`)
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
  #unknownSlots(slots: readonly (MissingState & { kind: 'slot' })[]): readonly MissingState[] {
    return slots.filter(({ address, slot }) => {
      const { snapshot } = this.#state
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
      if (each.kind === 'node') yield [[each], () => this.#fetchNode(each)]
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
      yield [parts, () => this.#fetchAccount(address, wanted)]
    }
    if (hashes.length > 0) {
      const oldest = Math.min(...hashes.map((each) => (each.kind === 'block-hash' ? each.number : 0)))
      yield [hashes, () => this.#fetchHashes(oldest)]
    }
  }

  async #fetchAccount(address: Address, slots: readonly Hash[]): Promise<void> {
    const block = toQuantity(this.header.header.number)
    const portions = [slots.slice(0, SLOTS_PER_PROOF)]
    for (let at = SLOTS_PER_PROOF; at < slots.length; at += SLOTS_PER_PROOF) {
      portions.push(slots.slice(at, at + SLOTS_PER_PROOF))
    }
    const { ask } = this.remote
    const [code, ...proofs] = await Promise.all([
      this.#state.knows(address) ? undefined : ask('eth_getCode', [address, block]),
      ...portions.map((portion) => ask('eth_getProof', [address, portion, block])),
    ])
    for (const [i, portion] of portions.entries()) {
      // A portion takes tens of milliseconds.
      await this.#clock.yield()
      this.#requireRoom()
      this.#check(`account ${address}`, () => {
        const proof = membersOf(proofs[i], 'the proof')
        const accountProof = nodesOf(proof['accountProof'], 'accountProof')
        const storage = listOf(proof['storageProof'], 'storageProof')
        if (storage.length !== portion.length) throw new AnswerError('it proves another number of slots')
        const storageProofs = storage.map((each) =>
          nodesOf(membersOf(each, 'a proof of storageProof')['proof'], 'a proof of storageProof'),
        )
        const codeBytes = code === undefined ? undefined : bytesOf(code, 'its code')
        this.#state.accept(address, portion, { accountProof, storageProofs, code: codeBytes })
      })
    }
  }

  async #fetchNode({ address, key, depth }: MissingState & { kind: 'node' }): Promise<void> {
    const search = this.#searching.then(() => findPreimage(key, depth, address === undefined ? 20 : 32, this.#clock))
    this.#searching = search.catch(() => {})
    const preimage = await search
    if (preimage === undefined) {
      const where = address === undefined ? 'the state' : `the storage of ${address}`
      const why = `what is deleted changes a node of ${where} ${depth} levels deep, and no proof of it can be asked for`
      throw new ForkError(`the state root cannot be known: ${why}`)
    }
    const block = toQuantity(this.header.header.number)
    const params = address === undefined ? [preimage, [], block] : [address, [preimage], block]
    const answer = await this.remote.ask('eth_getProof', params)
    this.#check(address === undefined ? 'a node of the state' : `a node of the storage of ${address}`, () => {
      const proof = membersOf(answer, 'the proof')
      const storage = listOf(proof['storageProof'], 'storageProof')
      const nodes =
        address === undefined
          ? nodesOf(proof['accountProof'], 'accountProof')
          : nodesOf(membersOf(storage[0], 'storageProof')['proof'], 'storageProof')
      this.#state.acceptNodes(address, preimage, nodes)
    })
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
      this.#check(`block ${number}`, () => {
        const { hash, header } = readForkHeader(blocks[i])
        if (hash !== this.#hashes[back]) throw new AnswerError(`it is not ${this.#hashes[back]}, its child's parent`)
        this.#hashes.push(header.parentHash)
      })
    }
  }

  /** Checks an answer; a wrong one is refused with what it is about. */
  #check(what: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!(error instanceof ProofError || error instanceof AnswerError)) throw error
      const { number } = this.header.header
      const why = `what ${this.remote.name} says of ${what} at block ${number} is refused: ${error.message}`
      throw new ForkError(why, { cause: error })
    }
  }
}

function nodesOf(value: unknown, what: string): readonly Uint8Array[] {
  const list = listOf(value, what)
  if (list.length > MAX_NODES) throw new AnswerError(`${what} has more than ${MAX_NODES} nodes`)
  const nodes = list.map((node) => bytesOf(node, `a node of ${what}`))
  // An empty trie may be proven by the RLP of nothing.
  return nodes.length === 1 && nodes[0]?.length === 1 && nodes[0][0] === 0x80 ? [] : nodes
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
