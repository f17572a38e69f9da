import { parseArgs } from 'node:util'
import type { Address } from '#primitives/hex.ts'
import { LATEST_READINGS, type LatestReading } from '#rpc-types/connection.ts'
import { ENGINE_NAMES, type NodeOptions } from '#rpc-types/node-options.ts'
import { OPTION_RANGES, parseRangedOption, type RangedOption, rangeInWords } from '#rpc-types/option-ranges.ts'
import { FLAG_GROUPS, type Flag, type FlagName } from './flags.ts'

/** Log level: lines of this kind and of those before it. */
export const LOG_LEVELS = ['error', 'warn', 'info'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** The development accounts as the command line describes them; what it leaves open has its default. */
export interface AccountOptions {
  readonly count?: number
  /** Wei of each. */
  readonly balance?: bigint
  readonly mnemonic?: string
}

/** A chain to run and where to listen. */
export interface RunCommand {
  readonly kind: 'run'
  readonly host: string
  readonly port: number
  /** Origins that may call besides those on localhost; `*` is every origin. */
  readonly allowOrigins: readonly string[]
  /** Host names that the server may be called by besides localhost, local addresses and `host`. */
  readonly allowHosts: readonly string[]
  /** The reading of `latest` at addresses that do not say. */
  readonly latest: LatestReading
  /** Directory in which the chain lives; without it, in memory. */
  readonly data?: string
  /** Whether each transaction is sealed at once. */
  readonly automine: boolean
  /** Whether a browser is shown the page. */
  readonly ui: boolean
  readonly logLevel: LogLevel
  /** Print nothing but errors. */
  readonly quiet: boolean
  /** Without the accounts, which have to be derived, and the genesis file, which has to be read. */
  readonly options: NodeOptions
  readonly accounts: AccountOptions
  readonly genesisFile?: string
}

/** Options from the command line. */
export type Command =
  | RunCommand
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  /** It makes no sense; `message` is a sentence that says why. */
  | { readonly kind: 'bad'; readonly message: string }

const NUMBERS = [
  ['chain-id', 'chainId'],
  ['seed', 'seed'],
  ['partial-ms', 'partialMs'],
  ['partials', 'partialsPerBlock'],
  ['speed', 'speed'],
  ['gas-limit', 'gasLimit'],
  ['code-size-limit', 'codeSizeLimit'],
  ['base-fee', 'baseFee'],
  ['min-base-fee', 'minBaseFee'],
  ['base-fee-denominator', 'baseFeeDenominator'],
  ['base-fee-elasticity', 'baseFeeElasticity'],
  ['genesis-timestamp', 'genesisTimestamp'],
  ['tick-budget-ms', 'tickBudgetMs'],
  ['safe', 'safeDistance'],
  ['finalized', 'finalizedDistance'],
] as const satisfies readonly (readonly [flag: FlagName, option: RangedOption])[]

const MAX_ACCOUNTS = 100
/** ETH; a round number far below 2^128 wei. */
const MAX_BALANCE_ETH = 1_000_000_000_000n
const WEI_DIGITS = 18

type Values = { readonly [Name in FlagName]?: string | boolean | (string | boolean)[] | undefined }

/** A value that makes no sense; the message is for people. */
class BadValue extends Error {}

/** Reads the command line; never throws. */
export function parseCommand(args: readonly string[]): Command {
  let values: Values
  try {
    values = parseArgs({ args: [...args], options: parserOptions(), strict: true, allowPositionals: false }).values
  } catch (error) {
    if (error instanceof TypeError) return { kind: 'bad', message: error.message }
    throw error
  }
  if (values.help) return { kind: 'help' }
  if (values.version) return { kind: 'version' }
  try {
    return parseRun(values)
  } catch (error) {
    if (error instanceof BadValue) return { kind: 'bad', message: error.message }
    throw error
  }
}

function parserOptions(): Record<string, { type: 'string' | 'boolean'; multiple: boolean }> {
  const flags = Object.values<Readonly<Record<string, Flag>>>(FLAG_GROUPS).flatMap((group) => Object.entries(group))
  return Object.fromEntries(
    flags.map(([name, { takes, repeatable = false }]) => [
      name,
      { type: takes ? ('string' as const) : ('boolean' as const), multiple: repeatable },
    ]),
  )
}

function parseRun(values: Values): RunCommand {
  const options: { -readonly [Name in keyof NodeOptions]: NodeOptions[Name] } = {}
  for (const [flag, option] of NUMBERS) {
    const value = read(values, flag, rangeInWords(option), (text) => parseRangedOption(option, text))
    if (value !== undefined) options[option] = value
  }
  const mode = read(values, 'clock', '"auto" or "manual"', oneOf(['auto', 'manual'] as const))
  if (mode !== undefined) options.mode = mode
  const engine = read(values, 'engine', wordsOf(ENGINE_NAMES), oneOf(ENGINE_NAMES))
  if (engine !== undefined) options.engine = engine
  const coinbase = read(values, 'coinbase', 'an address, 0x and 40 hex digits', parseAddress)
  if (coinbase !== undefined) options.coinbase = coinbase
  const clientVersion = read(values, 'client-version', '1 to 100 ASCII characters without spaces', (text) =>
    /^[!-~]{1,100}$/.test(text) ? text : undefined,
  )
  if (clientVersion !== undefined) options.clientVersion = clientVersion
  if (values['disable-code-size-limit']) options.codeSizeLimit = OPTION_RANGES.codeSizeLimit.max
  if (values['allow-unprotected']) options.allowUnprotected = true
  if (values['allow-foreign-typed-data']) options.allowForeignTypedData = true

  const data = read(values, 'data', 'the name of a directory', nonEmpty)
  const genesisFile = read(values, 'genesis', 'the name of a file', nonEmpty)
  return {
    kind: 'run',
    host: read(values, 'host', 'a host name or an address', nonEmpty) ?? '127.0.0.1',
    port: read(values, 'port', 'a whole number from 0 to 65535', (text) => parseWithin(text, 0, 65_535)) ?? 8545,
    allowOrigins: readAll(values, 'allow-origin', 'an origin such as https://app.example, null or *', parseOrigin),
    allowHosts: readAll(values, 'allow-host', 'a host name or an address, without a port', parseHost),
    latest: read(values, 'latest', wordsOf(LATEST_READINGS), oneOf(LATEST_READINGS)) ?? 'sealed',
    logLevel: read(values, 'log', '"error", "warn" or "info"', oneOf(LOG_LEVELS)) ?? 'info',
    quiet: values.quiet === true,
    automine: values.automine === true,
    ui: values['no-ui'] !== true,
    options,
    accounts: parseAccounts(values),
    ...(data === undefined ? {} : { data }),
    ...(genesisFile === undefined ? {} : { genesisFile }),
  }
}

function parseAccounts(values: Values): AccountOptions {
  const count = read(values, 'accounts', `a whole number from 1 to ${MAX_ACCOUNTS}`, (text) =>
    parseWithin(text, 1, MAX_ACCOUNTS),
  )
  const balance = read(values, 'balance', `an amount of ETH up to ${MAX_BALANCE_ETH}`, parseEth)
  const mnemonic = read(values, 'mnemonic', 'the words of a mnemonic', nonEmpty)
  return {
    ...(count === undefined ? {} : { count }),
    ...(balance === undefined ? {} : { balance }),
    ...(mnemonic === undefined ? {} : { mnemonic }),
  }
}

/** @throws {BadValue} If the flag is there and `parse` makes nothing of it. */
function read<Value>(
  values: Values,
  flag: FlagName,
  takes: string,
  parse: (text: string) => Value | undefined,
): Value | undefined {
  const text = values[flag]
  return typeof text === 'string' ? parseFlag(flag, takes, text, parse) : undefined
}

/** The values of a flag that may be repeated. @throws {BadValue} If `parse` makes nothing of one. */
function readAll<Value>(
  values: Values,
  flag: FlagName,
  takes: string,
  parse: (text: string) => Value | undefined,
): readonly Value[] {
  const texts = values[flag]
  return Array.isArray(texts) ? texts.map((text) => parseFlag(flag, takes, String(text), parse)) : []
}

function parseFlag<Value>(
  flag: FlagName,
  takes: string,
  text: string,
  parse: (text: string) => Value | undefined,
): Value {
  const value = parse(text)
  if (value !== undefined) return value
  throw new BadValue(`--${flag} takes ${takes}, not ${text === '' ? 'nothing' : `"${text}"`}.`)
}

/** An origin as browsers send it, in lower case; a slash at its end is forgiven. */
function parseOrigin(text: string): string | undefined {
  const origin = text.toLowerCase().replace(/\/$/, '')
  return origin === '*' || origin === 'null' || /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s,]+$/.test(origin) ? origin : undefined
}

function parseHost(text: string): string | undefined {
  const host = text.toLowerCase()
  return /^(?:[a-z0-9_.-]+|\[?[0-9a-f:.]+\]?)$/.test(host) ? host : undefined
}

const wordsOf = (words: readonly string[]) => words.map((word) => `"${word}"`).join(' or ')

function oneOf<Word extends string>(words: readonly Word[]): (text: string) => Word | undefined {
  return (text) => words.find((word) => word === text)
}

function nonEmpty(text: string): string | undefined {
  return text === '' ? undefined : text
}

function parseWithin(text: string, min: number, max: number): number | undefined {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

function parseAddress(text: string): Address | undefined {
  return /^0x[0-9a-f]{40}$/i.test(text) ? (text.toLowerCase() as Address) : undefined
}

/** Wei of a decimal number of ETH. */
function parseEth(text: string): bigint | undefined {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d{1,18}))?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  const wei = BigInt(whole + fraction.padEnd(WEI_DIGITS, '0'))
  return wei <= MAX_BALANCE_ETH * 10n ** BigInt(WEI_DIGITS) ? wei : undefined
}
