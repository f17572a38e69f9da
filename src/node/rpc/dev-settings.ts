import { concatBytes } from '#primitives/bytes.ts'
import { bytesToHex, type Hash, hexToBytes, toWord } from '#primitives/hex.ts'
import type { JsonRpcErrorObject } from '#rpc-types/envelope.ts'
import type { PlannedFailure } from '#rpc-types/methods/devnet.ts'
import type { AtomicStatus } from '#rpc-types/node-options.ts'
import { keccak256 } from '../crypto/keccak.ts'

/** How many plans there may be. With at most 64 Ki characters of error each they take less than 8 MiB. */
export const MAX_PLANS = 100

interface Plan {
  readonly failure: PlannedFailure
  readonly methods: ReadonlySet<string>
  left: number
}

/** A call failed as planned on request. */
export class PlannedFailureError extends Error {
  override readonly name = 'PlannedFailureError'
  readonly error: JsonRpcErrorObject

  constructor(error: JsonRpcErrorObject) {
    super(error.message)
    this.error = error
  }
}

/** Planned failures and delays of calls. */
class PlannedFailures {
  #plans: Plan[] = []

  /**
   * Adds a plan. With `times` 0 it removes the earlier plans that are for none but these methods instead.
   *
   * @returns `false` if there are already {@link MAX_PLANS}; nothing is added then.
   */
  plan(failure: PlannedFailure): boolean {
    const { methods, times = 1 } = failure
    if (times > 0 && this.#plans.length >= MAX_PLANS) return false
    if (times > 0) this.#plans.push({ failure, methods: new Set(methods), left: times })
    else this.#plans = this.#plans.filter((plan) => ![...plan.methods].every((method) => methods.includes(method)))
    return true
  }

  /** Takes the planned failure for a call of `method` and counts it; `undefined` if there is none. */
  take(method: string): Pick<PlannedFailure, 'error' | 'delayMs'> | undefined {
    const plan = this.#plans.find(({ methods }) => methods.has(method))
    if (!plan) return undefined
    plan.left--
    if (plan.left === 0) this.#plans = this.#plans.filter((other) => other !== plan)
    return plan.failure
  }

  get isEmpty(): boolean {
    return this.#plans.length === 0
  }

  /** All planned failures, oldest first; `times` is how often each is still to happen. */
  all(): readonly PlannedFailure[] {
    return this.#plans.map(({ failure, left }) => ({ ...failure, times: left }))
  }

  clear(): void {
    this.#plans = []
  }
}

/** Settings of the node itself, not the chain: planned failures, logging, what its wallet does. */
export class DevSettings {
  readonly failures = new PlannedFailures()
  /** Whether the node logs to its host. */
  loggingEnabled = true
  /** What the node does with bundles of calls. */
  atomic: AtomicStatus
  readonly #atomicAtStart: AtomicStatus
  readonly #seed: Uint8Array
  #resets = 0

  /** @param startedAtMs - Distinguishes the runs of a node. */
  constructor(genesisHash: Hash, startedAtMs: number, atomic: AtomicStatus = 'unsupported') {
    this.atomic = atomic
    this.#atomicAtStart = atomic
    this.#seed = concatBytes(hexToBytes(genesisHash), hexToBytes(toWord(Math.floor(startedAtMs * 1000))))
  }

  /** 32 bytes that change with each start and each {@link reset}. */
  instanceId(): Hash {
    return bytesToHex(keccak256(this.#seed, hexToBytes(toWord(this.#resets))))
  }

  /** Restores the initial settings, with a new instance id. */
  reset(): void {
    this.failures.clear()
    this.loggingEnabled = true
    this.atomic = this.#atomicAtStart
    this.#resets++
  }
}
