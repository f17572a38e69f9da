import type { Hash } from '#primitives/hex.ts'
import { precompileName } from '../spec/hardfork.ts'
import type { Stopwatch } from '../turns/stopwatch.ts'

/**
 * One line about a transaction that kept its block waiting, with what most of its time went into.
 *
 * @param blockMs - How long a block takes, in milliseconds.
 */
export function describeSlow(
  hash: Hash,
  { ranMs, precompiles }: Pick<Stopwatch, 'ranMs' | 'precompiles'>,
  blockMs: number,
): string {
  const [slowest] = [...precompiles].toSorted(([, one], [, other]) => other.ms - one.ms)
  const most =
    slowest && slowest[1].ms >= ranMs / 2
      ? `${Math.round((slowest[1].ms / ranMs) * 100)} % of it in ${slowest[1].calls} calls of the precompile ${precompileName(slowest[0])}`
      : 'most of it in code of contracts'
  return `transaction ${hash} ran for ${seconds(ranMs)}, longer than a block (${seconds(blockMs)}), and everything else waited: ${most}`
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
