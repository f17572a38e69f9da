import type { Clock } from '#primitives/clock.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import type { CodeStore } from '../state/code-store.ts'
import type { MissingState } from '../state/missing-state.ts'
import type { StateSnapshot } from '../state/state-snapshot.ts'
import { AnswerError } from './answers.ts'
import { ForkError } from './fork-error.ts'
import type { ForkHeader } from './fork-header.ts'
import type { KeptRow } from './kept-rows.ts'
import { type FindNode, ProofError } from './reveal.ts'

/** The endpoint of another chain. */
export interface Remote {
  /** For messages; without anything secret. */
  readonly name: string
  /** Whether there is none: every question is refused that was not answered before. */
  readonly isAbsent?: boolean
  /** Whether what nobody needs yet may be asked for as well, so that it is there in time; default true. */
  readonly looksAhead?: boolean
  /**
   * Asks it. Calls that are made together may be sent together.
   *
   * @throws {ForkError} If it cannot be reached, or answers with an error.
   */
  readonly ask: (method: string, params: readonly unknown[]) => Promise<unknown>
}

export interface SourceDeps {
  readonly remote: Remote
  readonly clock: Clock
  /** The header of the fork's block. */
  readonly header: ForkHeader
  /** Called with what was fetched, so that it can be kept. */
  readonly keep: (row: KeptRow) => void
  /** Codes that are known already. */
  readonly codes?: CodeStore
}

/** The state of the block at which a chain is forked: what is known of it, and how more is fetched. */
export interface StateSource {
  /** Whether all of it was proven against the block's state root; if not, the endpoint is taken at its word. */
  readonly isProven: boolean
  /** Every later state of the chain shares it, and so sees what is fetched after it was made. */
  readonly snapshot: StateSnapshot
  /** Bytes of what is known. */
  readonly keptBytes: number
  /**
   * Fetches an account with its code, and some of its slots.
   *
   * @throws {ForkError}
   */
  fetchAccount(address: Address, slots: readonly Hash[]): Promise<void>
  /** Fetches a node of a trie. @throws {ForkError} */
  fetchNode(missing: MissingState & { readonly kind: 'node' }): Promise<void>
  /**
   * Takes what an earlier run has kept; rows of other kinds are left out.
   *
   * @param find - Finds the nodes of the rows.
   * @throws {ProofError | AnswerError} If it is not what that run can have kept.
   */
  restore(row: KeptRow, find: FindNode): void
}

/** Bytes of proofs, values and codes that a fork keeps; in memory they take several times that. */
const MAX_KEPT_BYTES = 96 << 20

/** @throws {ForkError} If nothing more may be kept. */
export function requireRoom({ keptBytes }: StateSource): void {
  if (keptBytes <= MAX_KEPT_BYTES) return
  throw new ForkError(`this fork has fetched ${MAX_KEPT_BYTES >> 20} MiB of state, its limit: start it anew`)
}

/**
 * Stops reading what an earlier run has kept, if it is more than any has fetched: some of its requests may have been under
 * way when it had enough.
 *
 * @throws {AnswerError}
 */
export function requireBounded({ keptBytes }: StateSource): void {
  if (keptBytes > 2 * MAX_KEPT_BYTES) throw new AnswerError(`it is more than ${(2 * MAX_KEPT_BYTES) >> 20} MiB`)
}

/**
 * Checks an answer about the fork's block.
 *
 * @param what - What it is about.
 * @throws {ForkError} If it is wrong: with the endpoint, the block and what it is about.
 */
export function checkAnswer(
  { remote, header }: Pick<SourceDeps, 'remote' | 'header'>,
  what: string,
  check: () => void,
): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof ProofError || error instanceof AnswerError)) throw error
    const why = `what ${remote.name} says of ${what} at block ${header.header.number} is refused: ${error.message}`
    throw new ForkError(why, { cause: error })
  }
}
