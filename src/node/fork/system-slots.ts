import { EMPTY_CODE_HASH } from '#engine/empty-code-hash.ts'
import type { Clock } from '#primitives/clock.ts'
import { endsWithin } from '#primitives/ends-within.ts'
import { toWord } from '#primitives/hex.ts'
import type { Header } from '../payload/block.ts'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '../spec/system-contracts.ts'
import { type MissingSlot, MissingStateError } from '../state/missing-state.ts'
import { ForkError } from './fork-error.ts'
import type { ProvenSource } from './proven-source.ts'
import type { Remote } from './state-source.ts'
import type { TrustedSource } from './trusted-source.ts'

/** Entries of the ring buffers of EIP-2935 and EIP-4788. */
const ENTRIES = 8_191
/** Milliseconds that a block waits for its slots. */
const BLOCK_PATIENCE_MS = 2_000
/** Automine opens the first block earlier than the schedule, by as many seconds. */
const FIRST_BEFORE_S = 2
/** Seconds ahead for which slots are fetched, with the first accounts and later, and what is left when that is done again. */
const FIRST_AHEAD_S = 3
const AHEAD_S = 60
const REFRESH_S = 30

/**
 * The slots that system calls write in the blocks from `number` on, whose timestamps are from `from` to `to`, in
 * seconds.
 */
function* ringSlots(number: number, from: number, to: number): Generator<MissingSlot> {
  for (let timestamp = from; timestamp <= to; timestamp++) {
    const at = timestamp % ENTRIES
    yield { kind: 'slot', address: BEACON_ROOTS_ADDRESS, slot: toWord(at) }
    yield { kind: 'slot', address: BEACON_ROOTS_ADDRESS, slot: toWord(at + ENTRIES) }
    // There are at most as many blocks as seconds.
    const block = number - 1 + (timestamp - from)
    yield { kind: 'slot', address: HISTORY_STORAGE_ADDRESS, slot: toWord(block % ENTRIES) }
  }
}

/**
 * The slots that are fetched with the first accounts: those of the blocks right after the fork's.
 *
 * @param opensAt - When the schedule opens the first of them, in seconds.
 */
export function firstSlots({ number, timestamp }: Header, opensAt: number): Generator<MissingSlot> {
  return ringSlots(number + 1, Math.max(timestamp + 1, opensAt - FIRST_BEFORE_S), opensAt + FIRST_AHEAD_S)
}

interface SystemSlotsDeps {
  readonly fork: {
    readonly isOffline: boolean
    readonly remote: Remote
    /** @throws {ForkError} */
    readonly fetch: (missing: readonly MissingSlot[]) => Promise<void>
  }
  readonly clock: Clock
  readonly source: ProvenSource | TrustedSource
}

/** The slots that the system calls of a fork's blocks write, fetched before the blocks need them. */
export class SystemSlots {
  readonly #deps: SystemSlotsDeps
  #aheadTo = 0
  /** Whether a block went on without slots that are still being fetched. */
  #isLate = false
  /** Whether it was said that blocks have no system calls for want of an endpoint. */
  #isTold = false

  constructor(deps: SystemSlotsDeps) {
    this.#deps = deps
  }

  /**
   * Fetches the slots of a block, and in the background those of the blocks after it.
   *
   * @returns What to log where they could not be had; `undefined` if all are known.
   */
  async prepare(number: number, timestamp: number): Promise<readonly string[] | undefined> {
    const { fork, source } = this.#deps
    const { isOffline } = fork
    const missing = this.#unknown(number, timestamp, timestamp)
    if (!source.isProven) {
      source.skip(missing)
      return undefined
    }
    try {
      if (missing.length > 0 && (this.#isLate || !(await this.#fetchInTime(missing)))) {
        throw new ForkError(`${fork.remote.name} has not answered in ${BLOCK_PATIENCE_MS} ms`)
      }
      if (!isOffline && (fork.remote.looksAhead ?? true) && this.#aheadTo < timestamp + REFRESH_S) {
        this.#aheadTo = timestamp + AHEAD_S
        // A block that then lacks something asks for it itself, and says so.
        fork.fetch(this.#unknown(number, timestamp, this.#aheadTo)).catch(() => {
          this.#aheadTo = 0
        })
      }
      return undefined
    } catch (error) {
      if (!(error instanceof ForkError)) throw error
      // Without an endpoint it is the same for each block.
      if (isOffline && this.#isTold) return []
      this.#isTold = true
      return [`it has no system calls, and so not the state root that it should have: ${error.message}`]
    }
  }

  /** @returns Whether it ended in time. Until it ends, other blocks do not wait. */
  async #fetchInTime(missing: readonly MissingSlot[]): Promise<boolean> {
    const { clock, fork } = this.#deps
    const work = fork.fetch(missing)
    const ended = () => {
      this.#isLate = false
    }
    const isInTime = await endsWithin(clock, BLOCK_PATIENCE_MS, work)
    if (!isInTime) {
      this.#isLate = true
      work.then(ended, ended)
    }
    return isInTime
  }

  /** Slots that are not known, of contracts that have a storage. */
  #unknown(...blocks: Parameters<typeof ringSlots>): readonly MissingSlot[] {
    const { snapshot } = this.#deps.source
    return [...ringSlots(...blocks)].filter(({ address, slot }) => {
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
}
