import { ENGINE_NAMES, FORK_TIMES, type NodeOptions } from '#rpc-types/node-options.ts'
import { OPTION_RANGES, rangeInWords } from '#rpc-types/option-ranges.ts'
import { InvalidOptionError } from './invalid-option-error.ts'
import { membersOf, quote } from './parse-option.ts'

/** Does not compile while an option is missing. */
const NAMES: Readonly<Record<keyof NodeOptions, true>> = {
  clientVersion: true,
  chainId: true,
  seed: true,
  mode: true,
  partialMs: true,
  partialsPerBlock: true,
  engine: true,
  speed: true,
  gasLimit: true,
  baseFee: true,
  minBaseFee: true,
  suggestedTip: true,
  baseFeeDenominator: true,
  baseFeeElasticity: true,
  genesisTimestamp: true,
  forkTime: true,
  coinbase: true,
  tickBudgetMs: true,
  safeDistance: true,
  finalizedDistance: true,
  codeSizeLimit: true,
  allowSameTimestamp: true,
  allowUnprotected: true,
  allowForeignTypedData: true,
  throwOnTransactionFailures: true,
  accounts: true,
  genesis: true,
}

const SWITCHES = [
  'allowSameTimestamp',
  'allowUnprotected',
  'allowForeignTypedData',
  'throwOnTransactionFailures',
] as const

/**
 * Checks JSON from a caller or a file: that it only names options, and that options that are neither numbers nor
 * accounts have a known value. `createSpec` checks the rest.
 *
 * @throws {InvalidOptionError} The message names the option.
 */
export function checkOptions(value: unknown): asserts value is NodeOptions {
  const options = Object.fromEntries(membersOf(value, 'options'))
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(NAMES, name)) throw new InvalidOptionError(`there is no option ${quote(name)}`)
  }
  const { mode, engine, forkTime, speed } = options as Readonly<Record<keyof NodeOptions, unknown>>
  if (mode !== undefined && mode !== 'auto' && mode !== 'manual') {
    throw new InvalidOptionError('the clock must be auto or manual')
  }
  if (engine !== undefined && !ENGINE_NAMES.some((name) => name === engine)) {
    throw new InvalidOptionError(`engine must be ${ENGINE_NAMES.join(' or ')}`)
  }
  if (forkTime !== undefined && !FORK_TIMES.some((word) => word === forkTime) && !isTimestamp(forkTime)) {
    throw new InvalidOptionError(`forkTime must be ${FORK_TIMES.join(', ')} or ${rangeInWords('genesisTimestamp')}`)
  }
  for (const name of SWITCHES) {
    const given = options[name]
    if (given !== undefined && typeof given !== 'boolean') {
      throw new InvalidOptionError(`${name} must be true or false`)
    }
  }
  const { min, max } = OPTION_RANGES.speed
  if (speed !== undefined && !(typeof speed === 'number' && speed > min && speed <= max)) {
    throw new InvalidOptionError(`speed must be ${rangeInWords('speed')}`)
  }
}

/** Whether a chain can have its first block then. */
function isTimestamp(value: unknown): boolean {
  const { min, max } = OPTION_RANGES.genesisTimestamp
  return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
}
