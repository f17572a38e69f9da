import { concatBytes } from '#primitives/bytes.ts'
import { bytesToHex, type Hash, hexToBytes, toWord } from '#primitives/hex.ts'
import type { PlannedFailure } from '#rpc-types/devnet.ts'
import type { JsonRpcErrorObject } from '#rpc-types/envelope.ts'
import { keccak256 } from '../crypto/keccak.ts'

/** Plans in force at a time. With at most 64 Ki characters of error each they stay below 8 MiB. */
export const MAX_PLANS = 100

interface Plan {
  readonly failure: PlannedFailure
  readonly methods: ReadonlySet<string>
  left: number
}

/** A call failed because someone had asked for that. */
export class PlannedFailureError extends Error {
  override readonly name = 'PlannedFailureError'
  readonly error: JsonRpcErrorObject

  constructor(error: JsonRpcErrorObject) {
    super(error.message)
    this.error = error
  }
}

/** Calls that are planned to fail or to be answered late. */
class PlannedFailures {
  #plans: Plan[] = []

  /**
   * Adds to what is planned; with `times` 0 it takes back what was planned for any of these methods alone.
   *
   * @returns `false` if {@link MAX_PLANS} are in force: nothing is added.
   */
  plan(failure: PlannedFailure): boolean {
    const { methods, times = 1 } = failure
    if (times > 0 && this.#plans.length >= MAX_PLANS) return false
    if (times > 0) this.#plans.push({ failure, methods: new Set(methods), left: times })
    else this.#plans = this.#plans.filter((plan) => ![...plan.methods].every((method) => methods.includes(method)))
    return true
  }

  /** The failure that is planned for a call of `method`, which uses it up once; `undefined` if there is none. */
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

  /** All planned failures, oldest first; `times` is the number that is left. */
  all(): readonly PlannedFailure[] {
    return this.#plans.map(({ failure, left }) => ({ ...failure, times: left }))
  }

  clear(): void {
    this.#plans = []
  }
}

/** Settings of the node itself, apart from the chain: planned failures and logging. */
export class DevSettings {
  readonly failures = new PlannedFailures()
  /** Whether the node reports to its host. */
  loggingEnabled = true
  readonly #seed: Uint8Array
  #resets = 0

  /** @param startedAtMs - Tells one run of a node from another. */
  constructor(genesisHash: Hash, startedAtMs: number) {
    this.#seed = concatBytes(hexToBytes(genesisHash), hexToBytes(toWord(Math.floor(startedAtMs * 1000))))
  }

  /** 32 bytes: another one after each start and each {@link reset}. */
  instanceId(): Hash {
    return bytesToHex(keccak256(this.#seed, hexToBytes(toWord(this.#resets))))
  }

  /** As at the start, but for the instance's id. */
  reset(): void {
    this.failures.clear()
    this.loggingEnabled = true
    this.#resets++
  }
}
