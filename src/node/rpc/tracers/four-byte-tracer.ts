import { type Address, bytesToHex } from '#primitives/hex.ts'
import type { RpcSelectorCounts } from '#rpc-types/methods/debug.ts'
import type { FrameStart, TransactionTracer } from '../../evm/tracer.ts'
import type { ResultTracer } from './result-tracer.ts'
import type { TraceBudget } from './trace-budget.ts'

/** Characters of an entry. */
const ENTRY_CHARACTERS = 30
const SELECTOR_BYTES = 4

/** Geth's `4byteTracer`: how often each selector was called with arguments of each size. */
export function createFourByteTracer(
  precompiles: ReadonlySet<Address>,
  budget: TraceBudget,
): ResultTracer<RpcSelectorCounts> {
  return new FourByteTracer(precompiles, budget)
}

class FourByteTracer implements TransactionTracer, ResultTracer<RpcSelectorCounts> {
  readonly #precompiles: ReadonlySet<Address>
  readonly #budget: TraceBudget
  readonly #counts = new Map<string, number>()

  constructor(precompiles: ReadonlySet<Address>, budget: TraceBudget) {
    this.#precompiles = precompiles
    this.#budget = budget
  }

  enter({ type, to, input }: FrameStart): void {
    const isCall = type !== 'CREATE' && type !== 'CREATE2' && type !== 'SELFDESTRUCT'
    if (!isCall || input.length < SELECTOR_BYTES || this.#precompiles.has(to)) return
    const key = `${bytesToHex(input.subarray(0, SELECTOR_BYTES))}-${input.length - SELECTOR_BYTES}`
    const count = this.#counts.get(key)
    if (count === undefined) this.#budget.spend(ENTRY_CHARACTERS)
    this.#counts.set(key, (count ?? 0) + 1)
  }

  result(): RpcSelectorCounts {
    return Object.fromEntries(this.#counts)
  }
}
