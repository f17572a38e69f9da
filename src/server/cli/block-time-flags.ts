import { dialectOf } from '#rpc-types/dialects.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import { type Division, divideBlock } from './block-time.ts'
import { parseSecondsAsMs } from './parse-values.ts'
import type { GivenFlags } from './read-arguments.ts'
import { read } from './read-flag.ts'
import { UsageError } from './usage-error.ts'

/** The division of the blocks that `--block-time` asks for. @throws {UsageError} If there is none. */
export function parseBlockTime(given: GivenFlags, options: NodeOptions): Partial<Division> {
  const { partialMs, partialsPerBlock } = options
  const takes = 'a number of seconds from 0.01 to 6000, with up to three decimals'
  const blockMs = read(given, 'block-time', takes, parseSecondsAsMs)
  if (blockMs === undefined) return {}
  // As few as can be, one up to a minute.
  const fewest = Math.ceil(blockMs / OPTION_RANGES.partialMs.max)
  const isWhole = dialectOf(options)?.hasPartialBlocks === false && partialMs === undefined
  const division = divideBlock(blockMs, {
    ...(isWhole && Number.isInteger(blockMs / fewest) && { partialsPerBlock: fewest }),
    ...(partialMs === undefined ? {} : { partialMs }),
    ...(partialsPerBlock === undefined ? {} : { partialsPerBlock }),
  })
  if (division) return division
  const others =
    given.has('partial-ms') && given.has('partials')
      ? '--partial-ms × --partials'
      : given.has('partials')
        ? '--partials'
        : '--partial-ms'
  const fixed = given.has('partial-ms') || given.has('partials')
  throw new UsageError(
    fixed
      ? `--block-time does not fit ${others}: a block takes partial-ms × partials, each a whole number. Leave one out.`
      : `--block-time: a block of ${blockMs} ms cannot be divided into 1 to 100 partial blocks of 10 ms to 60 s each.`,
  )
}

/** @throws {UsageError} If nothing says how often. */
export function parseMixedMining(
  given: GivenFlags,
  { partialMs, partialsPerBlock }: NodeOptions,
): { readonly alsoEveryMs?: number } {
  if (!given.has('mixed-mining')) return {}
  if (given.has('block-time') && partialMs !== undefined && partialsPerBlock !== undefined) {
    return { alsoEveryMs: partialMs * partialsPerBlock }
  }
  throw new UsageError('--mixed-mining needs --block-time, which says how often a block is sealed.')
}
