import { ByteReaderError } from '#primitives/byte-reader.ts'
import { type Hash, type Hex, hexToBytes } from '#primitives/hex.ts'
import { InvariantError } from '#primitives/invariant.ts'
import { lazily } from '#primitives/lazily.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { ForkError } from '../fork/fork-error.ts'
import { type SealedBlock, type StateEdit, StatePrunedError } from '../payload/block.ts'
import type { BuilderDeps } from '../payload/payload-builder.ts'
import type { ProductionState, SavedProduction } from '../sequencer/production-state.ts'
import { rebuildBlock } from '../sequencer/rebuild-block.ts'
import type { EarlierRun } from '../sequencer/sequencer.ts'
import type { SavedChain } from '../sequencer/snapshots.ts'
import { MissingStateError } from '../state/missing-state.ts'
import { stateDifference } from '../state/state-difference.ts'
import { codesOf } from '../state/state-record.ts'
import type { StateSnapshot } from '../state/state-snapshot.ts'
import type { BlockList, BlockSequence } from '../storage/block-list.ts'
import { type ChainStore, keepsState, STATES_KEPT } from '../storage/chain-store.ts'
import type { Journal } from '../storage/journal.ts'
import { StateArchive, type StoredDifferences } from '../storage/state-archive.ts'
import type { StoredBlock } from '../storage/stored-block.ts'
import type { ExecutionGuard } from '../turns/guard.ts'
import { decodeAccepted } from '../tx/decode.ts'
import { TxRejectedError } from '../tx/rejection.ts'
import type { Transaction } from '../tx/transaction.ts'
import { differenceBytesAfter, differencesIn, differencesOf, differencesOn } from './block-differences.ts'
import type { Written } from './chain-journal.ts'
import {
  checkBase,
  checkBundles,
  checkPresent,
  checkSnapshot,
  corrupt,
  mayRepeatTimestamps,
  needed,
  wrongTimestamp,
} from './check-records.ts'
import { decodeJson } from './json-record.ts'
import { readBlocks } from './kept-blocks.ts'
import type { PresentRecord, SnapshotRecord } from './present-record.ts'
import { readLive, readProduction, readTime } from './present-record.ts'
import {
  type BundleRecord,
  type ChainRecord,
  codeHashOf,
  decodePooled,
  isCode,
  isCodeKey,
  isKeptKey,
  META,
  stateKeys,
  type TransactionRecord,
} from './records.ts'
import { genesisCodes, readWholeState } from './state-rows.ts'

/** Longest part of another error's message that is passed on, in characters. */
const LONGEST_REASON = 200

/** A chain as an earlier run left it. The store already holds its blocks. */
export interface RestoredChain {
  readonly earlier: (deps: BuilderDeps) => EarlierRun
  /** Transactions in the pool, in order of arrival. */
  readonly pooled: readonly Transaction[]
  readonly written: Written
  readonly sharesSeconds: Required<ProductionState>['sharesSeconds']
  readonly impersonated: PresentRecord['impersonated']
  /** Bundles of calls that were submitted, oldest first. */
  readonly bundles: readonly BundleRecord[]
}

/**
 * Loads the journal's blocks into a store that has only block 0, or a fork's block, and reads everything else.
 *
 * @param clockMs - The current time in milliseconds since the Unix epoch; time passed while no node ran.
 * @param memoryBytes - How much memory the bytes of blocks may take, where the journal can read them again.
 * @throws {JournalError} `corrupt`, if the records do not form a chain.
 */
export async function restoreChain(
  journal: Journal,
  store: ChainStore,
  { genesisHash, fork, options }: ChainRecord,
  clockMs: number,
  memoryBytes: number,
): Promise<RestoredChain> {
  const { hash } = store.head()
  if (hash !== genesisHash) throw corrupt(`its block 0 is ${genesisHash}, but its options make ${hash}`)
  try {
    return await readChain(journal, store, clockMs, fork !== undefined, options, memoryBytes)
  } catch (error) {
    throw unreadable(error)
  }
}

async function readChain(
  journal: Journal,
  store: ChainStore,
  clockMs: number,
  isFork: boolean,
  options: NodeOptions,
  memoryBytes: number,
): Promise<RestoredChain> {
  const [meta, kept, diffs, states, transactions, snapshots] = await Promise.all([
    readMap(journal, 'meta'),
    readBlocks(journal, store, memoryBytes),
    differencesIn(journal),
    readMap(journal, 'states'),
    journal.readAll('transactions'),
    journal.readAll('snapshots'),
  ])
  const genesis = store.first()
  const first = genesis.header.number
  const codes = restoreCodes(genesis.state, states, isFork)
  if (!isFork && [...states.keys()].some(isKeptKey)) throw corrupt('it is no fork, and has what a fork has fetched')
  const present: unknown = decodeJson(needed(meta.get(META.present), 'present'), 'present')
  checkPresent(present)
  const base: unknown = decodeJson(needed(meta.get(META.base), 'base'), 'base')
  checkBase(base)
  const submitted = meta.get(META.bundles)
  const bundles: unknown = submitted ? decodeJson(submitted, 'bundles') : []
  checkBundles(bundles)

  kept.settle(present.head)
  if (store.blockByNumber(base.number)?.hash !== base.hash) throw corrupt('its base is not on the chain')
  const baseState =
    base.number === first
      ? genesis.state
      : readWholeState(needed(states.get(stateKeys.base(base.hash)), 'state'), genesis.state, isFork)
  const differences = differencesOn(store, diffs)
  const archive = new StateArchive(base.number, baseState, differences, !isFork)
  const second = store.blockByNumber(first + 1)
  const wrong =
    second && wrongTimestamp(second.header, genesis.header, mayRepeatTimestamps(options, present.production))
  if (wrong !== undefined) throw corrupt(`block ${first + 1}: ${wrong}`)
  giveStates(store, archive)
  // A fork's block was checked with all that was fetched of it; one that is not proven does not have its state root.
  if (!isFork || store.head() !== genesis) checkHead(store.head())

  const pool = new Map<Hash, { readonly tx: Transaction; readonly arrival: number }>()
  for (const [, record] of transactions) {
    const pooled = decodePooled(record)
    pool.set(pooled.tx.hash, pooled)
  }
  const live = readLive(present.live, (hash) => needed(pool.get(hash), `transaction ${hash}`).tx)
  const liveHashes = new Set(live.partials.flatMap((partial) => partial.transactions.map(({ hash }) => hash)))
  checkCodes(
    live.partials.flatMap(({ edits }) => edits),
    genesis.state,
  )
  const records = snapshots.map(([, record]): SnapshotRecord => {
    const snapshot: unknown = decodeJson(record, 'snapshot')
    checkSnapshot(snapshot)
    return snapshot
  })
  const production = readProduction(present.production)
  const elapsedMs = production.running ? Math.max(0, clockMs - present.savedAtMs) : 0
  return {
    earlier: (deps) => ({
      state: { ...production, chainTimeMs: production.chainTimeMs + elapsedMs },
      live,
      seals: present.seals === true,
      snapshots: new Map(
        records.map((record): [Hex, SavedChain] => {
          const { from, blocks } = kept.branchTo(record.head)
          return [
            record.id,
            savedChain(deps, record, {
              genesis,
              isFork,
              shared: store.sealed().first(1 + from - first),
              left: blocks.map(({ block }) => block),
              differences: differencesOf(blocks, diffs, differences, from),
              state: states.get(stateKeys.snapshot(record.id)),
            }),
          ]
        }),
      ),
      snapshotsTaken: present.snapshotsTaken,
    }),
    pooled: [...pool.values()]
      .toSorted((one, other) => one.arrival - other.arrival)
      .map(({ tx }) => tx)
      .filter(({ hash }) => !liveHashes.has(hash)),
    sharesSeconds: production.sharesSeconds === true,
    written: {
      base,
      baseBytes: states.get(stateKeys.base(base.hash))?.length ?? 0,
      differenceBytes: differenceBytesAfter(base.number, differences),
      codes,
      transactions: new Set(pool.keys()),
      differences: new Set(diffs.keys()),
      left: kept.left(),
      snapshots: new Map(records.map(({ id, head }) => [id, head])),
      snapshotsTaken: present.snapshotsTaken,
      nextArrival: [...pool.values()].reduce((next, { arrival }) => Math.max(next, arrival + 1), 0),
    },
    impersonated: present.impersonated,
    bundles,
  }
}

/** Has the newest blocks of the chain make their states when they are asked for. */
function giveStates(store: ChainStore, archive: StateArchive): void {
  const chain = store.sealed()
  const first = store.first().header.number
  for (let place = Math.max(1, chain.length - STATES_KEPT); place < chain.length; place++) {
    const number = first + place
    if (!archive.reaches(number)) continue
    chain.set(place, (chain.at(place) as StoredBlock).withState(stateOfArchive(given(archive), number)))
  }
  store.adoptStates(chain)
}

/** Apart from where it is called, so that a block does not hold all else that was read. */
function given<Value>(value: Value): () => Value {
  return () => value
}

/** In a function of its own, so that the block does not hold all else that was read. */
function stateOfArchive(archive: () => StateArchive, number: number): () => StateSnapshot {
  return () => archive().stateAt(number)
}

/** What a snapshot's blocks are made from. */
interface SnapshotBlocks {
  readonly genesis: SealedBlock
  readonly isFork: boolean
  /** The blocks that the chain has as well. */
  readonly shared: BlockList
  readonly left: readonly StoredBlock[]
  /** What its blocks changed, by their numbers. */
  readonly differences: StoredDifferences
  /** The whole state of the snapshot. */
  readonly state: Uint8Array | undefined
}

/** In a function of its own, so that the snapshot does not hold all else that was read. */
function savedChain(deps: BuilderDeps, record: SnapshotRecord, blocks: SnapshotBlocks): SavedChain {
  const { genesis, isFork, shared, left, differences, state } = blocks
  const first = genesis.header.number
  const newest = shared.length - 1 + left.length
  // The states go back from the snapshot's own. Those of a fork go on from its block, where that is possible: to take back
  // what a block has done, more of the real chain would have to be known.
  const states = lazily(() =>
    isFork && differences.size === newest
      ? new StateArchive(first, genesis.state, differences, false)
      : new StateArchive(
          first + newest,
          readWholeState(needed(state, 'state'), genesis.state, isFork),
          differences,
          !isFork,
        ),
  )
  const withState = (block: SealedBlock, place: number) =>
    (block as StoredBlock).withState(stateOfArchive(states, first + place))
  const head = newest === 0 ? genesis : withState(left.at(-1) ?? (shared.at(-1) as SealedBlock), newest)
  // The newest ones have their states, as the chain had them then.
  const sealed = () => {
    const all = shared.first(shared.length)
    for (const block of left) all.push(block)
    for (let place = Math.max(1, newest + 1 - STATES_KEPT); place < newest; place++) {
      if (states().reaches(first + place)) all.set(place, withState(all.at(place) as SealedBlock, place))
    }
    if (newest > 0) all.set(newest, head)
    return all
  }
  return { head, production: () => readSnapshot(deps, sealed(), record) }
}

async function readSnapshot(
  deps: BuilderDeps,
  sealed: BlockSequence,
  { live, time, included, pooled }: SnapshotRecord,
): Promise<SavedProduction> {
  const transactions = new Map(included.map(readTransaction).map((tx) => [tx.hash, tx]))
  const content = readLive(live, (hash) => needed(transactions.get(hash), `transaction ${hash}`))
  return {
    ...readTime(time),
    sealed,
    ...(await rebuildBlock(deps, sealed.at(-1) as SealedBlock, content, deps.clock.now())),
    pooled: pooled.map(readTransaction),
  }
}

function readTransaction([raw, sender]: TransactionRecord): Transaction {
  return decodeAccepted(hexToBytes(raw), sender)
}

/** Adds the stored codes to those of block 0. Returns the hashes of all. */
function restoreCodes(genesis: StateSnapshot, states: ReadonlyMap<string, Uint8Array>, isFork: boolean): Set<Hash> {
  const known = genesisCodes(genesis, isFork)
  for (const [key, code] of states) {
    if (!isCodeKey(key)) continue
    const hash = codeHashOf(key)
    if (!isCode(hash, code)) throw corrupt(`the stored code does not match its hash ${hash}`)
    genesis.codes.add(hash, code)
    known.add(hash)
  }
  return known
}

/** @throws {JournalError} `corrupt`, if an edit names a code that does not exist. */
function checkCodes(edits: readonly StateEdit[], { codes }: StateSnapshot): void {
  for (const { difference } of edits) {
    for (const hash of codesOf(difference)) if (!codes.has(hash)) throw corrupt(`the code with hash ${hash} is missing`)
  }
}

/** @throws {JournalError} `corrupt`, if the newest block's state does not match its header. */
function checkHead({ header, state, hash }: SealedBlock): void {
  if (state.stateRoot() !== header.stateRoot)
    throw corrupt(`the state of block ${header.number} (${hash}) does not match its header`)
}

async function readMap(journal: Journal, part: 'meta' | 'states'): Promise<ReadonlyMap<string, Uint8Array>> {
  return new Map(await journal.readAll(part))
}

/**
 * Runs the checks that {@link restoreChain} defers: that the states match their blocks, and that every code they name
 * exists.
 *
 * @throws {JournalError} `corrupt`.
 */
export async function checkStates(
  store: ChainStore,
  isFork: boolean,
  guard: ExecutionGuard,
  onChecked: (states: number, of: number) => void,
): Promise<void> {
  // The first one and the newest ones.
  const first = store.first()
  const newest = store.above(Math.max(first.header.number, store.head().header.number - STATES_KEPT - 1))
  const total = Math.min(store.head().header.number - first.header.number, STATES_KEPT) + 1
  let checked = 0
  try {
    let before: StateSnapshot | undefined
    for (const block of [first, ...newest]) {
      if (!keepsState(block)) continue
      if (!isFork || block !== first) checkHead(block)
      checkCodes(block.edits, block.state)
      for (const hash of codesSince(before, block, isFork ? first : undefined)) {
        if (!block.state.codes.has(hash)) throw corrupt(`the code with hash ${hash} is missing`)
      }
      before = block === first ? undefined : block.state
      onChecked(++checked, total)
      const pause = guard.checkpoint()
      if (pause) await pause
    }
  } catch (error) {
    throw unreadable(error)
  }
}

/**
 * Hashes of the codes that a block's state may reference.
 *
 * @param before - State of its parent, whose codes are left out.
 * @param forked - Block of a fork, whose codes were checked with its accounts.
 */
function* codesSince(
  before: StateSnapshot | undefined,
  { state }: SealedBlock,
  forked: SealedBlock | undefined,
): Generator<Hash, void> {
  const earlier = before ?? forked?.state
  if (earlier) yield* codesOf(stateDifference(earlier, state))
  else for (const [, { codeHash }] of state.accounts()) yield codeHash
}

/** Turns an error about unreadable bytes into a journal error; leaves any other as it is. */
export function unreadable(error: unknown): unknown {
  const isAboutBytes =
    error instanceof ByteReaderError ||
    error instanceof TxRejectedError ||
    error instanceof InvariantError ||
    error instanceof StatePrunedError ||
    error instanceof MissingStateError ||
    error instanceof ForkError ||
    error instanceof RangeError ||
    error instanceof TypeError
  return isAboutBytes ? corrupt(error.message.slice(0, LONGEST_REASON), error) : error
}
