// Longer than most files: each way to prove a part of a damaged chain starts from what the one before it has found.
import type { Clock } from '#primitives/clock.ts'
import type { Hash } from '#primitives/hex.ts'
import { createNode } from './node.ts'
import { openRollup } from './op/open-rollup.ts'
import type { SealedBlock } from './payload/block.ts'
import { createGenesis } from './payload/genesis.ts'
import { ChainFileError, encodeChainFile } from './persistence/chain-file.ts'
import { readChainRecord, storedOptions } from './persistence/chain-record.ts'
import { checkPresent } from './persistence/check-records.ts'
import { decodeChainFile, isOfSnapshot, isWholeBlock, isWholeTransaction } from './persistence/decode-chain-file.ts'
import { decodeJson, encodeJson } from './persistence/json-record.ts'
import { type PresentRecord, type ProductionRecord, recordLive } from './persistence/present-record.ts'
import {
  type BaseRecord,
  type ChainRecord,
  codeHashOf,
  encodePooled,
  isCode,
  isCodeKey,
  META,
  numberOf,
  stateKeys,
} from './persistence/records.ts'
import { unreadable } from './persistence/restore-chain.ts'
import { readWholeState, wholeState } from './persistence/state-rows.ts'
import type { JournalEntry } from './persistence/whole-chain.ts'
import { createSpec } from './spec/create-spec.ts'
import type { StateSnapshot } from './state/state-snapshot.ts'
import { readBlockStart } from './storage/block-record.ts'
import { ChainStore, STATES_KEPT } from './storage/chain-store.ts'
import { JOURNAL_PARTS, JournalError } from './storage/journal.ts'
import { MemoryJournal } from './storage/memory-journal.ts'
import { StateArchive } from './storage/state-archive.ts'
import { StoredBlock } from './storage/stored-block.ts'
import { createPacer } from './turns/pacer.ts'

// What is rescued is proven as an imported file is: the hash and the roots of every block, the sender of every
// transaction, the states, and that a node opens it twice.

/** Milliseconds for the checks of blocks and senders. */
const CHECK_LIMIT_MS = 600_000
/** Milliseconds for what is executed again when a node opens the chain. */
const OPEN_LIMIT_MS = 60_000
/** How many heads are tried, from the highest one whose state is known, before block 0 is. */
const TRIES = 8

/** How many numbers above the head are told although nothing names their block: a crafted key may have any number. */
const MOST_GAPS = 10_000

/** What can still be read of a damaged journal. */
export interface FoundEntries {
  /** Up to the damage; of a journal that does not say where that is, all. */
  readonly before: readonly JournalEntry[]
  /** Behind it. */
  readonly behind: readonly JournalEntry[]
}

/** A block that is not in the rescued chain. */
export interface MissingBlock {
  readonly number: number
  /** `undefined` if nothing says it. */
  readonly hash: Hash | undefined
  /** Whether it is whole, and only what leads to it is not. */
  readonly isWhole: boolean
}

/** The part of a damaged chain that is proven. */
export interface RescuedChain {
  /** The entries of a journal that a node can open. */
  readonly entries: readonly JournalEntry[]
  readonly head: { readonly number: number; readonly hash: Hash }
  /** In order. */
  readonly missing: readonly MissingBlock[]
  /** Whether the pending block, the mempool and the snapshots are those of the last intact write. */
  readonly isAsWritten: boolean
}

/** Nothing of a chain can be proven. `message` is for people. */
export class NothingProvenError extends Error {
  override readonly name = 'NothingProvenError'
}

/**
 * Finds the longest part of a damaged chain that can be proven.
 *
 * @throws {NothingProvenError} If not even its block 0 is known, or it is a fork of which not everything is there.
 * @throws {JournalError} `newer`.
 */
export async function rescueChain({ before, behind }: FoundEntries, clock: Clock): Promise<RescuedChain> {
  const record = await recordIn(before)
  const chainId = BigInt(createSpec(record.options).chainId)
  const blocks = wholeBlocks(before, chainId)
  const known = new Map([...wholeBlocks(behind, chainId), ...blocks])
  const finish = (
    entries: readonly JournalEntry[],
    head: { readonly number: number; readonly hash: Hash },
    isAsWritten: boolean,
  ) => ({
    entries,
    head,
    missing: missingAbove(head.number, [...before, ...behind], known),
    isAsWritten,
  })
  const whole = await tryOut(before, clock)
  if (whole) return finish(before, whole, true)
  if (record.fork) {
    throw new NothingProvenError(
      'the chain is a fork, whose blocks cannot be proven without everything that was fetched',
    )
  }
  const spec = createSpec(record.options)
  const rollup = await openRollup(record.options, false)
  const genesis = createGenesis(rollup ? rollup.withRules(spec) : spec, record.genesisTimestamp)
  if (genesis.hash !== record.genesisHash) {
    throw new NothingProvenError('the options that are stored do not make the chain’s block 0')
  }
  const parts = new Pieces(before, blocks, genesis)
  let tries = 0
  for (let number = parts.chain.length; number > 0 && tries < TRIES; number--) {
    const rebuilt = parts.upTo(number)
    if (!rebuilt) continue
    tries++
    for (const present of [rebuilt.present, await freshPresent(record, rebuilt.block, clock)]) {
      for (const withDiffs of [true, false]) {
        if (!present) continue
        const entries = rebuilt.entries(present, withDiffs)
        const head = await tryOut(entries, clock)
        if (head?.hash === rebuilt.block.hash) return finish(entries, head, false)
      }
    }
  }
  const begun = (await begin(record, clock)).map((entry) =>
    entry.part === 'meta' && entry.key === META.chain ? { ...entry, value: encodeJson(record) } : entry,
  )
  const waiting = before.filter(({ part, key, value }) => part === 'transactions' && isWholeTransaction(key, value))
  const entries = (await tryOut([...begun, ...waiting], clock)) ? [...begun, ...waiting] : begun
  return finish(entries, { number: 0, hash: genesis.hash }, false)
}

/** @throws {NothingProvenError | JournalError} */
async function recordIn(entries: readonly JournalEntry[]): Promise<ChainRecord> {
  const journal = await journalWith(entries.filter(({ part, key }) => part === 'meta' && key === META.chain))
  try {
    const record = await readChainRecord(journal)
    if (record) return record
    throw new NothingProvenError('the record that describes the chain is lost, and with it its block 0')
  } catch (error) {
    if (error instanceof JournalError && error.code === 'corrupt') {
      throw new NothingProvenError(`the record that describes the chain is damaged: ${error.message}`, { cause: error })
    }
    throw error
  }
}

async function journalWith(entries: readonly JournalEntry[]): Promise<MemoryJournal> {
  const journal = new MemoryJournal()
  await journal.write(entries.map((entry) => ({ kind: 'put', ...entry }) as const))
  return journal
}

/** Checks entries as those of a file, and opens them twice. Returns the head; `undefined` if they are no chain. */
async function tryOut(entries: readonly JournalEntry[], clock: Clock): Promise<RescuedChain['head'] | undefined> {
  try {
    const file = encodeChainFile(entries.filter(({ part, key }) => !isOfSnapshot(part, key)))
    await decodeChainFile(file, createPacer(clock, CHECK_LIMIT_MS), () => {})
    const trial = await journalWith(entries)
    await openOnce(trial, clock)
    return await openOnce(trial.reopen(), clock)
  } catch (error) {
    // Whatever a node says of a chain that it cannot open is about the chain.
    if (error instanceof Error) return undefined
    throw error
  }
}

async function openOnce(journal: MemoryJournal, clock: Clock): Promise<RescuedChain['head']> {
  const node = await createNode({}, { clock, journal, log: () => {}, onChecked: () => {}, openLimitMs: OPEN_LIMIT_MS })
  await node.close()
  const bytes = (await journal.reopen().read('meta', META.present)) ?? new Uint8Array()
  const present = decodeJson(bytes, 'present') as PresentRecord
  const [number] = (await journal.readAll('blocks')).flatMap(([key]) =>
    key.endsWith(present.head.slice(2)) ? [numberOf(key)] : [],
  )
  return { number: number ?? 0, hash: present.head }
}

interface WholeBlock {
  readonly key: string
  readonly number: number
  readonly parentHash: Hash
  readonly record: Uint8Array
}

function wholeBlocks(entries: readonly JournalEntry[], chainId: bigint): Map<Hash, WholeBlock> {
  const blocks = new Map<Hash, WholeBlock>()
  for (const { part, key, value } of entries) {
    if (part !== 'blocks' || !isWholeBlock(key, value, chainId)) continue
    const { hash, number, parentHash } = readBlockStart(value)
    blocks.set(hash, { key, number, parentHash, record: value })
  }
  return blocks
}

/** The numbers above the head, up to the highest one that anything names. */
function missingAbove(
  head: number,
  entries: readonly JournalEntry[],
  known: ReadonlyMap<Hash, WholeBlock>,
): MissingBlock[] {
  const hashes = new Map<number, Hash>()
  for (const { part, key } of entries) {
    if (part !== 'blocks' && part !== 'diffs') continue
    const hash = /^[0-9a-f]{8,12}-([0-9a-f]{64})$/.exec(key)?.[1]
    if (hash !== undefined) hashes.set(numberOf(key), `0x${hash}`)
  }
  const named = [...hashes.keys()].filter((number) => number > head)
  const highest = named.reduce((most, number) => Math.max(most, number), head)
  const gaps = Array.from({ length: Math.min(highest - head, MOST_GAPS) }, (_, place) => head + 1 + place)
  return [...new Set([...gaps, ...named])]
    .toSorted((one, other) => one - other)
    .map((number) => {
      const hash = hashes.get(number)
      return { number, hash, isWhole: hash !== undefined && known.has(hash) }
    })
}

/** The blocks of a chain that hang together, and the states that are known of them. */
class Pieces {
  /** From block 1 on. */
  readonly chain: readonly WholeBlock[]
  readonly #rows: ReadonlyMap<string, Uint8Array>
  readonly #entries: readonly JournalEntry[]
  readonly #genesis: SealedBlock
  readonly #present: PresentRecord | undefined
  readonly #archives: readonly StateArchive[]

  constructor(entries: readonly JournalEntry[], blocks: ReadonlyMap<Hash, WholeBlock>, genesis: SealedBlock) {
    this.#entries = entries
    this.#genesis = genesis
    this.#rows = new Map(entries.map(({ part, key, value }) => [`${part} ${key}`, value]))
    this.#present = this.#readPresent()
    this.chain = longestChain(blocks, genesis.hash, this.#present?.head)
    for (const { part, key, value } of entries) {
      if (part === 'states' && isCodeKey(key) && isCode(codeHashOf(key), value))
        genesis.state.codes.add(codeHashOf(key), value)
    }
    this.#archives = this.#openArchives()
  }

  /** The chain whose newest block is the one of that number, if the state before it is known. */
  upTo(number: number) {
    const newest = this.chain[number - 1]
    const parent = number === 1 ? this.#genesis : this.#blockWithState(number - 1)
    if (!newest || !parent) return undefined
    const block = new StoredBlock(newest.record)
    const own = this.chain.slice(0, number)
    const store = new ChainStore(this.#genesis)
    const entries = (present: ProductionRecord, withDiffs: boolean): JournalEntry[] => {
      const base: BaseRecord = { number: number - 1, hash: parent.hash }
      const included = new Set(
        own.flatMap(({ record }) => new StoredBlock(record).transactions.map(({ tx }) => tx.hash)),
      )
      const waiting = this.#entries.filter(
        ({ part, key, value }) =>
          part === 'transactions' && !included.has(key as Hash) && isWholeTransaction(key, value),
      )
      const live = {
        hash: block.hash,
        header: block.header,
        transactions: block.transactions,
        edits: block.edits,
        index: newestIndex(block),
      }
      const now: PresentRecord = {
        head: parent.hash,
        live: recordLive(live as unknown as Parameters<typeof recordLive>[0]),
        seals: true,
        production: present,
        savedAtMs: this.#present?.savedAtMs ?? block.header.timestamp * 1_000,
        snapshotsTaken: this.#present?.snapshotsTaken ?? 0,
        impersonated: this.#present?.impersonated ?? { accounts: [], auto: false },
      }
      return [
        { part: 'meta', key: META.chain, value: this.#rows.get(`meta ${META.chain}`) as Uint8Array },
        { part: 'meta', key: META.base, value: encodeJson(base) },
        { part: 'meta', key: META.present, value: encodeJson(now) },
        ...(number === 1
          ? []
          : [
              {
                part: 'states',
                key: stateKeys.base(parent.hash),
                value: wholeState({ fork: undefined, store }, parent.state),
              } as const,
            ]),
        ...this.#entries.filter(
          ({ part, key, value }) => part === 'states' && isCodeKey(key) && isCode(codeHashOf(key), value),
        ),
        ...own.slice(0, -1).map(({ key, record }) => ({ part: 'blocks', key, value: record }) as const),
        ...(withDiffs ? this.#diffsOf(own.slice(0, -1).slice(-STATES_KEPT)) : []),
        ...block.transactions.map(
          ({ tx }, arrival) => ({ part: 'transactions', key: tx.hash, value: encodePooled(tx, arrival) }) as const,
        ),
        ...waiting,
      ]
    }
    return { block, present: this.#present?.production, entries }
  }

  #diffsOf(blocks: readonly WholeBlock[]): JournalEntry[] {
    return blocks.flatMap(({ key }) => {
      const value = this.#rows.get(`diffs ${key}`)
      return value ? [{ part: 'diffs', key, value }] : []
    })
  }

  #readPresent(): PresentRecord | undefined {
    return ifReadable(() => {
      const bytes = this.#rows.get(`meta ${META.present}`)
      if (!bytes) return undefined
      const record: unknown = decodeJson(bytes, 'present')
      checkPresent(record)
      return record
    })
  }

  #blockWithState(number: number): SealedBlock | undefined {
    const { record } = this.chain[number - 1] as WholeBlock
    for (const archive of this.#archives) {
      const proven = ifReadable(() => {
        if (!archive.reaches(number)) return undefined
        const block = new StoredBlock(record, () => archive.stateAt(number))
        return block.state.stateRoot() === block.header.stateRoot ? block : undefined
      })
      if (proven) return proven
    }
    return undefined
  }

  /** From every whole state that is there, and from block 0. */
  #openArchives(): StateArchive[] {
    const differences = new Map<number, Uint8Array>()
    for (const { part, key, value } of this.#entries) if (part === 'diffs') differences.set(numberOf(key), value)
    for (const { key, number } of this.chain) {
      const own = this.#rows.get(`diffs ${key}`)
      if (own) differences.set(number, own)
    }
    // What is damaged between a block and the state that is whole must not come from another block's state.
    const archiveOf = (number: number, state: StateSnapshot) => new StateArchive(number, state, differences, false)
    const base = ifReadable(() => {
      const bytes = this.#rows.get(`meta ${META.base}`)
      const record = bytes && (decodeJson(bytes, 'base') as BaseRecord)
      const state = record && this.#rows.get(`states ${stateKeys.base(record.hash)}`)
      return state && archiveOf(record.number, readWholeState(state, this.#genesis.state, false))
    })
    return [...(base ? [base] : []), archiveOf(0, this.#genesis.state)]
  }
}

/** Index of the partial block with the newest transaction or edit. */
function newestIndex({ transactions, edits }: SealedBlock): number {
  return [...transactions, ...edits].reduce((most, { partialIndex }) => Math.max(most, partialIndex), 0)
}

/**
 * The longest chain of blocks from block 0 on.
 *
 * @param head - The head at the end, if that is known: what lies on other branches above the damage is not the chain.
 */
function longestChain(blocks: ReadonlyMap<Hash, WholeBlock>, genesis: Hash, head: Hash | undefined): WholeBlock[] {
  const above: WholeBlock[] = []
  let hash = head
  for (let block = hash && blocks.get(hash); block; block = blocks.get(block.parentHash)) {
    above.push(block)
    hash = block.parentHash
  }
  if (hash === genesis) return above.toReversed()
  const lowest = above.at(-1)
  const most = lowest ? lowest.number - 2 : Number.POSITIVE_INFINITY
  const children = new Map<Hash, [Hash, WholeBlock][]>()
  for (const [own, block] of blocks) {
    if (block.number > most) continue
    const siblings = children.get(block.parentHash) ?? []
    siblings.push([own, block])
    children.set(block.parentHash, siblings)
  }
  let longest: WholeBlock[] = []
  let ends: { readonly hash: Hash; readonly path: Path | undefined }[] = [{ hash: genesis, path: undefined }]
  while (ends.length > 0) {
    const next = ends.flatMap(({ hash: parent, path }) =>
      (children.get(parent) ?? []).map(([own, block]) => ({ hash: own, path: { block, before: path } })),
    )
    if (next.length === 0) {
      const path: WholeBlock[] = []
      for (let at = ends.at(-1)?.path; at; at = at.before) path.push(at.block)
      longest = path.toReversed()
    }
    ends = next
  }
  return longest
}

interface Path {
  readonly block: WholeBlock
  readonly before: Path | undefined
}

/** The position in time of a new chain that has just come to a block. */
async function freshPresent(
  record: ChainRecord,
  { header }: SealedBlock,
  clock: Clock,
): Promise<ProductionRecord | undefined> {
  const entries = await begin(record, clock)
  const bytes = entries.find(({ part, key }) => part === 'meta' && key === META.present)?.value
  if (!bytes) return undefined
  const { production } = decodeJson(bytes, 'present') as PresentRecord
  const laterMs = (header.timestamp - record.genesisTimestamp) * 1_000
  const { slot } = production
  return {
    ...production,
    slot: { ...slot, openedAtMs: slot.openedAtMs + laterMs, dueAtMs: slot.dueAtMs + laterMs },
    chainTimeMs: production.chainTimeMs + laterMs,
  }
}

/** The entries of a chain that has only its block 0. */
async function begin(record: ChainRecord, clock: Clock): Promise<JournalEntry[]> {
  const journal = new MemoryJournal()
  const options = storedOptions(record, {})
  const begun = { ...options, genesisTimestamp: record.genesisTimestamp }
  const node = await createNode(begun, { clock, journal, log: () => {} })
  await node.close()
  const found = journal.reopen()
  const parts = await Promise.all(
    JOURNAL_PARTS.map(async (part) => (await found.readAll(part)).map(([key, value]) => ({ part, key, value }))),
  )
  return parts.flat()
}

/** `undefined` if what is read is damaged. */
function ifReadable<Answer>(read: () => Answer): Answer | undefined {
  try {
    return read()
  } catch (error) {
    const cause = unreadable(error)
    if (cause instanceof JournalError || cause instanceof ChainFileError) return undefined
    throw error
  }
}
