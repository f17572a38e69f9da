import type { CodeCounts } from '#node/evm/coverage/execution-counts.ts'
import { hexToBytes } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { CodeIndex, RecognisedCode } from '#solidity/code/code-index.ts'

/** How often the steps of one compiled code ran, in all contracts that have it. */
export interface CodeHits {
  readonly recognised: RecognisedCode
  /** By offset in the build's code. */
  readonly kept: Float64Array
  readonly undone: Float64Array
  /** How often a JUMPI has not jumped, where the step after it does not tell. */
  readonly passed: ReadonlyMap<number, number>
}

export interface RecognisedHits {
  readonly hits: readonly CodeHits[]
  /** Codes that no build has. */
  readonly unknown: number
}

/** Finds the builds of executed codes. */
export function recognise(codes: Iterable<CodeCounts>, index: CodeIndex): RecognisedHits {
  const found = new Map<RecognisedCode['code'], CodeHits & { readonly passed: Map<number, number> }>()
  let unknown = 0
  for (const { code, isCreation, kept, undone, passed } of codes) {
    const bytes = hexToBytes(code)
    const recognised = isCreation ? index.creation(bytes) : index.deployed(bytes)
    if (!recognised) {
      unknown++
      continue
    }
    const size = recognised.code.bytes.length
    let sums = found.get(recognised.code)
    if (!sums) {
      sums = { recognised, kept: new Float64Array(size), undone: new Float64Array(size), passed: new Map() }
      found.set(recognised.code, sums)
    }
    addPairs(sums.kept, kept)
    addPairs(sums.undone, undone)
    for (const [pc, count] of pairsIn(passed)) sums.passed.set(pc, (sums.passed.get(pc) ?? 0) + count)
  }
  return { hits: [...found.values()], unknown }
}

function addPairs(to: Float64Array, pairs: readonly number[]): void {
  // Constructor arguments follow initcode: a step among them is in no build.
  for (const [pc, count] of pairsIn(pairs)) if (pc < to.length) to[pc] = (to[pc] as number) + count
}

/** An offset and a count each. */
export function* pairsIn(pairs: readonly number[]): Iterable<readonly [number, number]> {
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const [first, second] = [pairs[at], pairs[at + 1]]
    invariant(first !== undefined && second !== undefined, 'a list of pairs is even')
    yield [first, second]
  }
}
