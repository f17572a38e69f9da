import { hexToBytes } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import type { Block, SealedBlock } from '../payload/block.ts'
import { countByPartial } from '../payload/count-by-partial.ts'
import type { BuilderDeps, PayloadBuilder } from '../payload/payload-builder.ts'
import { ChainFileError } from '../persistence/chain-file.ts'
import { readLive, type TakenRecord } from '../persistence/present-record.ts'
import { unreadable } from '../persistence/restore-chain.ts'
import { NO_OVERRIDES } from '../sequencer/header-overrides.ts'
import type { SavedProduction } from '../sequencer/production-state.ts'
import { type LiveContent, rebuildBlock } from '../sequencer/rebuild-block.ts'
import { blockMs } from '../sequencer/schedule.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import { keepsState } from '../storage/chain-store.ts'
import type { ExecutionGuard } from '../turns/guard.ts'
import { ExecutionTimeoutError } from '../turns/pacer.ts'
import { decodeAccepted } from '../tx/decode.ts'

/** How many blocks stay built, so that moments of one block are shown without executing it again. */
const BUILT = 4
/** Longest part of another error's message that is passed on, in characters. */
const LONGEST_REASON = 200

/** Partial blocks of one block that follow each other. */
export interface MomentRun {
  readonly number: number
  /** Index of the first one. */
  readonly first: number
  /** Number of transactions that each of them added. */
  readonly transactions: readonly number[]
  /** Index of the first one that was taken back after the last one; `undefined` if none was. */
  readonly takenFrom?: number
}

/** A run with what its block is built from; `undefined` is the block that stands. */
interface SourcedRun extends MomentRun {
  readonly taken: TakenRecord | undefined
}

/** The position of a moment: which block was pending, and its newest partial block. */
export interface Moment {
  readonly moment: number
  readonly number: number
  readonly index: number
}

/** Everything that a film needs of the node whose chain it shows. */
export interface FilmDeps extends BuilderDeps {
  readonly sequencer: Pick<Sequencer, 'save' | 'show'>
  /** Blocks as they were before pre-confirmations in them were taken back, oldest first. */
  readonly taken: readonly TakenRecord[]
}

/**
 * A chain that can be shown as it was after each of its partial blocks. Nothing else may change the chain meanwhile.
 *
 * Blocks are executed again on the states that are kept, so the first moment is in the first block whose parent has its
 * state. The pool is known only at the end; before that it is empty.
 */
export class Film {
  readonly #deps: FilmDeps
  /** The last moment. */
  readonly #end: SavedProduction
  /** Number of the chain's first block: 0, or that of a fork. */
  readonly #origin: number
  /** Number of the first block that can be shown growing. */
  readonly #firstBlock: number
  /** Blocks with a mark for each of their partial blocks, the newest use last. */
  readonly #built = new Map<SealedBlock | TakenRecord, PayloadBuilder>()
  /** All sealed blocks, from the first. */
  readonly #blocks: readonly SealedBlock[]
  #runs: readonly SourcedRun[] | undefined
  /** The moment that is shown; `undefined` is the last one. */
  #shown: number | undefined

  private constructor(deps: FilmDeps, end: SavedProduction) {
    const sealed = end.sealed.slice()
    const origin = sealed[0]?.header.number ?? 0
    const blockHash = (number: number) =>
      sealed[number - origin]?.hash ?? (number < origin ? deps.blockHash(number) : undefined)
    this.#deps = { ...deps, blockHash }
    this.#end = end
    this.#blocks = sealed
    this.#origin = origin
    let place = sealed.length
    while (place > 1 && keepsState(sealed[place - 2] as SealedBlock)) place--
    this.#firstBlock = origin + place
  }

  /** The film of a chain that was just opened and stands still; its last moment is shown. */
  static async open(deps: FilmDeps): Promise<Film> {
    return new Film(deps, await deps.sequencer.save())
  }

  /** How many sealed blocks, besides the chain's first, cannot be shown growing. */
  get hiddenBlocks(): number {
    return this.#firstBlock - this.#origin - 1
  }

  /** All moments in order. The first call reads every block. */
  async runs(guard: ExecutionGuard): Promise<readonly MomentRun[]> {
    return (await this.#sourced(guard)).map(({ taken: _taken, ...run }) => run)
  }

  async #sourced(guard: ExecutionGuard): Promise<readonly SourcedRun[]> {
    if (this.#runs) return this.#runs
    const { sealed, partial } = this.#end
    const runs: SourcedRun[] = []
    const live = this.#origin + sealed.length
    for (let number = this.#firstBlock; number <= live; number++) {
      const block = this.#sealed(number) ?? partial
      const last = number === live ? partial.index : lastIndex(block)
      let first = 0
      for (const taken of this.#deps.taken) {
        if (taken.number !== number || taken.parent !== this.#sealed(number - 1)?.hash) continue
        const transactions = taken.live.counts.slice(first)
        if (transactions.length > 0) {
          runs.push({ number, first, transactions, takenFrom: Math.max(first, taken.kept + 1), taken })
        }
        first = Math.max(0, taken.kept)
      }
      first = Math.min(first, last)
      runs.push({ number, first, transactions: countsOf(block, last).slice(first), taken: undefined })
      const pause = guard.checkpoint()
      if (pause) await pause
    }
    this.#runs = runs
    return runs
  }

  #sealed(number: number): SealedBlock | undefined {
    return this.#blocks[number - this.#origin]
  }

  /** The moment that is shown. */
  async shown(guard: ExecutionGuard): Promise<number> {
    if (this.#shown !== undefined) return this.#shown
    return (await this.runs(guard)).reduce((sum, { transactions }) => sum + transactions.length, -1)
  }

  /**
   * Shows a moment, counted from 0.
   *
   * @returns `undefined` if there is no such moment.
   * @throws {ChainFileError} If its block cannot be executed again; the moment before stays.
   */
  async show(moment: number, guard: ExecutionGuard): Promise<Moment | undefined> {
    let before = 0
    const run = (await this.#sourced(guard)).find(({ transactions: { length } }) => {
      if (moment < before + length) return true
      before += length
      return false
    })
    if (!run) return undefined
    const index = run.first + moment - before
    await this.#deps.sequencer.show(async () => {
      const saved = await this.#at(run, index)
      this.#shown = moment
      return saved
    })
    return { moment, number: run.number, index }
  }

  async #at(run: SourcedRun, index: number): Promise<SavedProduction> {
    const end = this.#end
    const { number } = run
    if (!run.taken && number === this.#origin + end.sealed.length && index === end.partial.index) return end
    try {
      const builder = (await this.#builderOf(run)).branch()
      builder.rewind(index)
      const { timing, travelledMs } = end
      const shown = builder.cut(index, undefined, this.#deps.clock.now())
      const openedAtMs = Math.max(0, shown.header.timestamp * 1000 - blockMs(timing))
      const dueAtMs = openedAtMs + index * timing.partialMs
      return {
        sealed: end.sealed.slice(0, number - this.#origin),
        builder,
        partial: shown,
        pooled: [],
        slot: { openedAtMs, index, dueAtMs },
        timing,
        overrides: NO_OVERRIDES,
        chainTimeMs: dueAtMs,
        travelledMs,
      }
    } catch (error) {
      throw explained(number, error)
    }
  }

  async #builderOf({ number, taken }: SourcedRun): Promise<PayloadBuilder> {
    const { builder: live } = this.#end
    const source = taken ?? this.#sealed(number)
    if (!source) return live
    const known = this.#built.get(source)
    this.#built.delete(source)
    const builder = known ?? (await this.#build(number, taken))
    this.#built.set(source, builder)
    for (const oldest of this.#built.keys()) {
      if (this.#built.size <= BUILT) break
      this.#built.delete(oldest)
    }
    return builder
  }

  async #build(number: number, taken: TakenRecord | undefined): Promise<PayloadBuilder> {
    const parent = this.#sealed(number - 1)
    invariant(parent, `the film has no block ${number - 1}`)
    const content = taken ? takenContent(taken) : contentOf(this.#sealed(number) as SealedBlock)
    const { builder } = await rebuildBlock(this.#deps, parent, content, this.#deps.clock.now())
    return builder
  }
}

/** Index of the block's last partial block that added something. No node writes a higher one than the limit. */
function lastIndex({ transactions, edits }: Block): number {
  const last = Math.max(transactions.at(-1)?.partialIndex ?? 0, edits.at(-1)?.partialIndex ?? 0)
  return Math.min(last, OPTION_RANGES.partialsPerBlock.max - 1)
}

/** Number of transactions that each partial block up to `index` added. */
function countsOf({ transactions }: Block, index: number): readonly number[] {
  return countByPartial({ index, transactions: transactions.filter(({ partialIndex }) => partialIndex <= index) })
}

function contentOf(block: SealedBlock): LiveContent {
  const { timestamp, baseFeePerGas, coinbase, gasLimit, mixHash } = block.header
  const partials = Array.from({ length: lastIndex(block) + 1 }, (_, index) => ({
    transactions: block.transactions.filter(({ partialIndex }) => partialIndex === index).map(({ tx }) => tx),
    edits: block.edits.filter(({ partialIndex }) => partialIndex === index),
  }))
  return { hash: block.hash, overrides: { timestamp, baseFeePerGas, coinbase, gasLimit, mixHash }, partials }
}

function takenContent({ live, included }: TakenRecord): LiveContent {
  const transactions = new Map(
    included.map(([raw, sender]) => {
      const tx = decodeAccepted(hexToBytes(raw), sender)
      return [tx.hash, tx]
    }),
  )
  return readLive(live, (hash) => {
    const tx = transactions.get(hash)
    invariant(tx, `transaction ${hash} is missing`)
    return tx
  })
}

function explained(number: number, error: unknown): unknown {
  const reason =
    error instanceof ExecutionTimeoutError
      ? 'it takes too long to execute again'
      : (unreadable(error) as Error).message?.slice(0, LONGEST_REASON)
  return new ChainFileError(`block ${number} of the film cannot be shown: ${reason}`, { cause: error })
}
