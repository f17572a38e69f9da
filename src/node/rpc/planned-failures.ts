import type { PlannedFailure } from '#rpc-types/devnet.ts'
import type { JsonRpcErrorObject } from '#rpc-types/envelope.ts'

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

/** Which coming calls are to fail or to be answered late. */
export class PlannedFailures {
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

  /** What a call of `method` is to suffer; counts it. `undefined`: nothing. */
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

  /** What is planned, oldest first; `times` is what is left. */
  all(): readonly PlannedFailure[] {
    return this.#plans.map(({ failure, left }) => ({ ...failure, times: left }))
  }

  clear(): void {
    this.#plans = []
  }
}
