import { invariant } from '#primitives/invariant.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import { ExecutionTimeoutError } from '../evm/calls/pacer.ts'
import type { ExecutionGuard } from '../evm/message.ts'
import type { Block, SealedBlock } from '../payload/block.ts'
import { countByPartial } from '../payload/count-by-partial.ts'
import type { BuilderDeps, HeaderOverrides, PayloadBuilder } from '../payload/payload-builder.ts'
import { ChainFileError } from '../persistence/chain-file.ts'
import { unreadable } from '../persistence/restore-chain.ts'
import { NO_OVERRIDES } from '../sequencer/header-overrides.ts'
import type { SavedProduction } from '../sequencer/production-state.ts'
import { rebuildBlock } from '../sequencer/rebuild-block.ts'
import { blockMs } from '../sequencer/schedule.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import { keepsState } from '../storage/chain-store.ts'

/** How many blocks stay built, so that moments of one block are shown without executing it again. */
const BUILT = 4
/** Longest part of another error's message that is passed on, in characters. */
const LONGEST_REASON = 200

/** Partial blocks of one block that follow each other. */
export interface Run {
  readonly number: number
  /** Index of the first one. */
  readonly first: number
  /** Number of transactions that each of them added. */
  readonly transactions: readonly number[]
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
  /** Number of the first block that can be shown growing. */
  readonly #firstBlock: number
  /** Blocks with a mark for each of their partial blocks, the newest use last. */
  readonly #built = new Map<number, PayloadBuilder>()
  #runs: readonly Run[] | undefined
  #shown: Pick<Moment, 'number' | 'index'>

  private constructor(deps: FilmDeps, end: SavedProduction) {
    this.#deps = { ...deps, blockHash: (number) => end.sealed[number]?.hash }
    this.#end = end
    this.#shown = { number: end.partial.header.number, index: end.partial.index }
    let first = end.sealed.length
    while (first > 1 && keepsState(end.sealed[first - 2] as SealedBlock)) first--
    this.#firstBlock = first
  }

  /** The film of a chain that was just opened and stands still; its last moment is shown. */
  static async open(deps: FilmDeps): Promise<Film> {
    return new Film(deps, await deps.sequencer.save())
  }

  /** How many sealed blocks, besides block 0, cannot be shown growing. */
  get hiddenBlocks(): number {
    return this.#firstBlock - 1
  }

  /** All moments in order. The first call reads every block. */
  async runs(guard: ExecutionGuard): Promise<readonly Run[]> {
    if (this.#runs) return this.#runs
    const runs: Run[] = []
    for (let number = this.#firstBlock; number < this.#end.sealed.length; number++) {
      const block = this.#end.sealed[number] as SealedBlock
      runs.push(runOf(block, lastIndex(block)))
      const pause = guard.checkpoint()
      if (pause) await pause
    }
    this.#runs = [...runs, runOf(this.#end.partial, this.#end.partial.index)]
    return this.#runs
  }

  /** The moment that is shown. */
  async shown(guard: ExecutionGuard): Promise<number> {
    const { number, index } = this.#shown
    let before = 0
    for (const run of await this.runs(guard)) {
      if (run.number === number) return before + index
      before += run.transactions.length
    }
    invariant(false, 'a film shows one of its moments')
  }

  /**
   * Shows a moment, counted from 0.
   *
   * @returns `undefined` if there is no such moment.
   * @throws {ChainFileError} If its block cannot be executed again; the moment before stays.
   */
  async show(moment: number, guard: ExecutionGuard): Promise<Moment | undefined> {
    let index = moment
    const run = (await this.runs(guard)).find(({ transactions: { length } }) => {
      if (index < length) return true
      index -= length
      return false
    })
    if (!run) return undefined
    const { number } = run
    await this.#deps.sequencer.show(async () => {
      const saved = await this.#at(number, index)
      this.#shown = { number, index }
      return saved
    })
    return { moment, number, index }
  }

  async #at(number: number, index: number): Promise<SavedProduction> {
    const end = this.#end
    const { partial } = end
    if (number === partial.header.number && index === partial.index) return end
    try {
      const builder = (await this.#builderOf(number)).fork()
      builder.rewind(index)
      const { timing, travelledMs } = end
      const shown = builder.cut(index, undefined, this.#deps.clock.now())
      const openedAtMs = Math.max(0, shown.header.timestamp * 1000 - blockMs(timing))
      const dueAtMs = openedAtMs + index * timing.partialMs
      return {
        sealed: end.sealed.slice(0, number),
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

  async #builderOf(number: number): Promise<PayloadBuilder> {
    const end = this.#end
    if (number === end.partial.header.number) return end.builder
    const known = this.#built.get(number)
    this.#built.delete(number)
    const builder = known ?? (await this.#build(number))
    this.#built.set(number, builder)
    for (const oldest of this.#built.keys()) {
      if (this.#built.size <= BUILT) break
      this.#built.delete(oldest)
    }
    return builder
  }

  async #build(number: number): Promise<PayloadBuilder> {
    const { sealed } = this.#end
    const [parent, block] = [sealed[number - 1], sealed[number]]
    invariant(parent && block, `the film has no block ${number}`)
    const content = { hash: block.hash, overrides: overridesOf(block), partials: partialsOf(block) }
    const { builder } = await rebuildBlock(this.#deps, parent, content, this.#deps.clock.now())
    return builder
  }
}

/** Index of the block's last partial block that added something. No node writes a higher one than the limit. */
function lastIndex({ transactions, edits }: Block): number {
  const last = Math.max(transactions.at(-1)?.partialIndex ?? 0, edits.at(-1)?.partialIndex ?? 0)
  return Math.min(last, OPTION_RANGES.partialsPerBlock.max - 1)
}

function runOf({ header: { number }, transactions }: Block, index: number): Run {
  const known = transactions.filter(({ partialIndex }) => partialIndex <= index)
  return { number, first: 0, transactions: countByPartial({ index, transactions: known }) }
}

function overridesOf({ header }: Block): HeaderOverrides {
  const { timestamp, baseFeePerGas, coinbase, gasLimit, mixHash } = header
  return { timestamp, baseFeePerGas, coinbase, gasLimit, mixHash }
}

function partialsOf(block: Block) {
  return Array.from({ length: lastIndex(block) + 1 }, (_, index) => ({
    transactions: block.transactions.filter(({ partialIndex }) => partialIndex === index).map(({ tx }) => tx),
    edits: block.edits.filter(({ partialIndex }) => partialIndex === index),
  }))
}

function explained(number: number, error: unknown): unknown {
  const reason =
    error instanceof ExecutionTimeoutError
      ? 'it takes too long to execute again'
      : (unreadable(error) as Error).message?.slice(0, LONGEST_REASON)
  return new ChainFileError(`block ${number} of the film cannot be shown: ${reason}`, { cause: error })
}
