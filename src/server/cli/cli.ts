import { CREATE2_DEPLOYER } from '#node/spec/preinstalled-contracts.ts'
import { LATEST_READINGS, type LatestReading } from '#rpc-types/connection.ts'
import { beginsAutomine, dialectOf } from '#rpc-types/dialects.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { OptionKind } from '#rpc-types/option.ts'
import { OPTION_RANGES, parseRangedOption, rangeInWords } from '#rpc-types/option-ranges.ts'
import { OPTION_KINDS, type RangedOption } from '#rpc-types/option-tables.derived.ts'
import { parseBalances } from './balances-flag.ts'
import { parseBlockTime, parseMixedMining } from './block-time-flags.ts'
import { type ChainsCommand, parseChains } from './chains-flag.ts'
import { findConflict } from './conflicts.ts'
import { type EntryPointVersion, parseEntryPoints } from './entry-points.ts'
import { FLAGS, type FlagName } from './flags.ts'
import { type ForkCommand, parseFork, parseForkFile } from './fork-flags.ts'
import { OPTION_FLAGS } from './option-flags.derived.ts'
import {
  MAX_BALANCE_ETH,
  nonEmpty,
  oneOf,
  parseAddress,
  parseEth,
  parseHost,
  parseHosts,
  parseOrigin,
  parsePath,
  parseRootUrl,
  parseSeed,
  parseStreamPath,
  parseWithin,
  STREAM_PATH_RULE,
  wordsOf,
} from './parse-values.ts'
import { type GivenFlags, readArguments } from './read-arguments.ts'
import { givenNumber, numberOf, read, readAll } from './read-flag.ts'
import { parseStateFiles, type StateFiles } from './state-flags.ts'
import { parseSubcommand, type Subcommand } from './subcommands.ts'
import { UsageError } from './usage-error.ts'

/** Log level: lines of this kind and of those before it. */
export const LOG_LEVELS = ['error', 'warn', 'info'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** The development accounts as the command line describes them; what it leaves open has its default. */
export interface AccountOptions {
  readonly count?: number
  /** Wei of each. */
  readonly balance?: bigint
  readonly mnemonic?: string
  /** Words of a new mnemonic. */
  readonly randomWords?: number
  /** Seed of the mnemonic. */
  readonly mnemonicSeed?: bigint
  /** Without the last number and the slash before it. */
  readonly derivationPath?: string
}

/** A chain to run and where to listen. */
export interface RunCommand extends StateFiles {
  readonly kind: 'run'
  /** At least one. */
  readonly hosts: readonly string[]
  readonly port: number
  /** Origins that may call besides those on localhost; `*` is every origin. */
  readonly allowOrigins: readonly string[]
  /** Host names that the server may be called by besides localhost, local addresses and `hosts`. */
  readonly allowHosts: readonly string[]
  /** Whether pages of other origins may call, those on localhost for example. */
  readonly cors: boolean
  /** The reading of `latest` at addresses that do not say. */
  readonly latest: LatestReading
  /** The path of the Flashblocks stream. */
  readonly flashblocks?: string
  /** The chain file that is shown as a film, read-only; then the options of a chain are its own. */
  readonly film?: string
  /** Directory in which the chain lives; without it, in memory. */
  readonly data?: string
  /** How much memory the bytes of blocks may take that the directory has. */
  readonly memoryBytes: number
  /** Whether each transaction is sealed at once. */
  readonly automine: boolean
  /** Milliseconds after which automine seals a block as well. */
  readonly alsoEveryMs?: number
  /** Whether only calls seal. */
  readonly noMining: boolean
  /** Whether the node sends for every account. */
  readonly autoImpersonate: boolean
  /** Whether tracers in JavaScript run. */
  readonly jsTracers?: true
  /** Seconds since the Unix epoch at which the time of a new chain begins; default: at the present. */
  readonly timeFrom?: number
  /** Threads, the node's own among them; 0 and the default: as the machine has cores. */
  readonly threads: number
  /** Directory with the compiler output of a project. */
  readonly artifacts?: string
  /** File to write the accounts to. */
  readonly configFile?: string
  /** Path of the Unix socket to listen at as well. */
  readonly ipc?: string
  /** Whether browsers get the page. */
  readonly ui: boolean
  /** If given, everyone but the speaker is a guest, who may only read the chain and send transactions of their own. `url`: where guests reach it, if not by an address of this machine. */
  readonly room?: { readonly url?: string }
  readonly logLevel: LogLevel
  /** Continues another chain. */
  readonly fork?: ForkCommand
  readonly entryPoints?: readonly EntryPointVersion[]
  /** Several chains instead of one; what is said here of a chain is said of each. */
  readonly chains?: ChainsCommand
  /** If given, callers may make chains: so many, each gone after that many seconds without use. */
  readonly pool?: { readonly size: number; readonly idleSeconds: number }
  /** Continues what this fork file has of another chain. */
  readonly forkFile?: string
  /** Print nothing but errors. */
  readonly quiet: boolean
  /** Without the accounts, which have to be derived, and the genesis file, which has to be read. */
  readonly options: NodeOptions
  readonly accounts: AccountOptions
  readonly genesisFile?: string
}

/** Options from the command line. */
export type CommandLine =
  | RunCommand
  /** Writes what can be proven of the chain in a directory into another one. */
  | { readonly kind: 'rescue'; readonly data: string; readonly into: string }
  /** Writes the film of a chain file as one HTML file. */
  | { readonly kind: 'html'; readonly file: string; readonly into?: string }
  | Subcommand<RunCommand>
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  /** The command line is invalid; `message` is a sentence that says why. */
  | { readonly kind: 'bad'; readonly message: string }

/** Limited so that the node accepts twice as many as a distance. */
const MAX_EPOCH = OPTION_RANGES.finalizedDistance.max / 2
const DEFAULT_WORDS = 12
/** Where anvil's clients look for it, if nobody says. */
const ANVILS_IPC = '/tmp/anvil.ipc'
/** The newest rules, by which every block runs. */
const RULES = ['osaka', 'latest'] as const
/** What anvil calls older ones. */
const EARLIER_RULES = [
  'homestead',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'berlin',
  'london',
  'paris',
  'merge',
  'shanghai',
  'cancun',
  'prague',
] as const
const WORD_COUNTS = [DEFAULT_WORDS, 15, 18, 21, 24]
/** The CREATE2 deployer as an absent account. */
const WITHOUT_CREATE2_DEPLOYER = { [CREATE2_DEPLOYER]: { nonce: 0, code: '0x' } }

/** Reads the command line; never throws. */
export function parseCommand(args: readonly string[]): CommandLine {
  try {
    if (args[0] === 'open') return parseOpen(args.slice(1))
    const subcommand = parseSubcommand(args, parseRun)
    if (subcommand) return subcommand
    if (args[0] === 'help') return { kind: 'help' }
    if (args[0] === 'completions')
      throw new UsageError('completions is refused: there are none; --help lists all options.')
    const given = readArguments(args)
    if (given.has('help')) return { kind: 'help' }
    if (given.has('version')) return { kind: 'version' }
    const conflict = findConflict(given)
    if (conflict !== undefined) return { kind: 'bad', message: conflict }
    return parseRescue(given) ?? parseRun(given)
  } catch (error) {
    if (error instanceof UsageError) return { kind: 'bad', message: error.message }
    throw error
  }
}

/** `open FILE`: only what concerns the server can be chosen; with `--html` there is none. */
function parseOpen([file, ...flags]: readonly string[]): CommandLine {
  const [html, into, more] = flags.flatMap((flag) => (flag.startsWith('--html=') ? ['--html', flag.slice(7)] : [flag]))
  if (flags.some((flag) => /^--html(=|$)/.test(flag)) && file !== undefined && !file.startsWith('-')) {
    if (html !== '--html' || more !== undefined || into === '' || into?.startsWith('-')) {
      throw new UsageError('--html takes the name of one file, and nothing else: blinknet open FILE --html [OUT].')
    }
    return { kind: 'html', file, ...(into !== undefined && { into }) }
  }
  const isFlag = file?.startsWith('-') === true
  const given = readArguments(isFlag ? [file, ...flags] : flags)
  if (given.has('help')) return { kind: 'help' }
  if (file === undefined || file === '' || isFlag) {
    throw new UsageError('open takes the name of a chain file: blinknet open FILE [options].')
  }
  const [foreign] = [...given].find(([flag]) => !FLAGS[flag].inFilm) ?? []
  if (foreign !== undefined) {
    throw new UsageError(`--${foreign} does not go with open: a film has the options and the time of its file.`)
  }
  return { ...parseRun(given), film: file, ...(given.has('port') ? {} : { port: 0 }) }
}

/** @throws {UsageError} If there is no directory to rescue from, or anything else is asked for. */
function parseRescue(given: GivenFlags): CommandLine | undefined {
  const takes = 'the name of a directory'
  const into = read(given, 'rescue', takes, nonEmpty)
  if (into === undefined) return undefined
  const data = read(given, 'data', takes, nonEmpty)
  if (data === undefined) {
    throw new UsageError('--rescue names the directory to save into; name the damaged one with --data.')
  }
  const [foreign] = [...given.keys()].filter((flag) => flag !== 'rescue' && flag !== 'data')
  if (foreign !== undefined) {
    throw new UsageError(`--${foreign} does not go with --rescue: the chain keeps its options, and no node runs.`)
  }
  return { kind: 'rescue', data, into }
}

function parseRun(given: GivenFlags): RunCommand {
  const options: { -readonly [Name in keyof NodeOptions]: NodeOptions[Name] } = {}
  for (const { name, option } of OPTION_FLAGS) {
    const value = readOption(given, name, option)
    if (value !== undefined) Object.assign(options, { [option]: value })
  }
  if (given.has('disable-min-priority-fee')) options.suggestedTip = 0
  if (given.has('disable-code-size-limit')) options.codeSizeLimit = OPTION_RANGES.codeSizeLimit.max
  if (given.has('disable-block-gas-limit')) options.gasLimit = OPTION_RANGES.gasLimit.max
  if (given.has('disable-default-create2-deployer')) options.genesis = WITHOUT_CREATE2_DEPLOYER
  const epoch = read(given, 'slots-in-an-epoch', `a whole number from 0 to ${MAX_EPOCH}`, (text) =>
    parseWithin(text, 0, MAX_EPOCH),
  )
  if (epoch !== undefined) Object.assign(options, { safeDistance: epoch, finalizedDistance: 2 * epoch })
  const timestamp = read(given, 'timestamp', rangeInWords('genesisTimestamp'), (text) =>
    parseRangedOption('genesisTimestamp', text),
  )
  // A fork has no block 0 of its own.
  const isFork = given.has('fork-url') || given.has('fork')
  if (timestamp !== undefined) options[isFork ? 'forkTime' : 'genesisTimestamp'] = timestamp
  Object.assign(options, parseBlockTime(given, options))
  checkAlreadySo(given, options)

  const hosts = readAll(given, 'host', 'a host name or an address', parseHosts).flat()
  const configFile = read(given, 'config-out', 'the name of a file', nonEmpty)
  const artifacts = read(given, 'artifacts', 'the name of a directory', nonEmpty)
  const data = read(given, 'data', 'the name of a directory', nonEmpty)
  const ipc = read(given, 'ipc', 'the path of a socket', (text) => text || ANVILS_IPC)
  const room = parseRoom(given)
  const flashblocks = read(given, 'flashblocks', STREAM_PATH_RULE, parseStreamPath)
  const genesisFile = read(given, 'genesis', 'the name of a file', nonEmpty)
  return {
    kind: 'run',
    hosts: hosts.length > 0 ? [...new Set(hosts)] : [room ? '0.0.0.0' : '127.0.0.1'],
    port: numberOf(given, 'port'),
    allowOrigins: readAll(given, 'allow-origin', 'an origin such as https://app.example, null or *', parseOrigin),
    allowHosts: readAll(given, 'allow-host', 'a host name or an address, without a port', parseHost),
    cors: !given.has('no-cors'),
    latest: read(given, 'latest', wordsOf(LATEST_READINGS), oneOf(LATEST_READINGS)) ?? 'sealed',
    logLevel: read(given, 'log', '"error", "warn" or "info"', oneOf(LOG_LEVELS)) ?? 'info',
    quiet: given.has('quiet'),
    automine:
      given.has('automine') || given.has('mixed-mining') || (beginsAutomine(options) && !given.has('no-mining')),
    ...parseMixedMining(given, options),
    noMining: given.has('no-mining'),
    autoImpersonate: given.has('auto-impersonate'),
    threads: numberOf(given, 'threads'),
    memoryBytes: numberOf(given, 'memory') * 1024 * 1024,
    ui: !given.has('no-ui'),
    options,
    accounts: parseAccounts(given),
    ...parseForkFile(given),
    ...(timestamp === undefined || isFork ? {} : { timeFrom: timestamp }),
    ...(ipc === undefined ? {} : { ipc }),
    ...(room === undefined ? {} : { room }),
    ...(flashblocks === undefined ? {} : { flashblocks }),
    ...(configFile === undefined ? {} : { configFile }),
    ...(artifacts === undefined ? {} : { artifacts }),
    ...parseStateFiles(given),
    ...(data === undefined ? {} : { data }),
    ...(genesisFile === undefined ? {} : { genesisFile }),
    ...(given.has('js-tracers') ? { jsTracers: true as const } : {}),
    ...parseEntryPoints(given),
    ...parseFork(given),
    ...parseChains(given),
    ...parsePool(given),
  }
}

/** @throws {UsageError} If a flag is about a pool, and there is none. */
function parsePool(given: GivenFlags): Pick<RunCommand, 'pool'> {
  const [size, idleSeconds] = [numberOf(given, 'pool-size'), numberOf(given, 'pool-idle')]
  if (given.has('pool')) return { pool: { size, idleSeconds } }
  const stray = (['pool-size', 'pool-idle'] as const).find((flag) => given.has(flag))
  if (stray !== undefined) throw new UsageError(`--${stray} is about chains on demand, and --pool allows them.`)
  return {}
}

/** The value of an option, if its flag is given. @throws {UsageError} If it is of another kind. */
function readOption(given: GivenFlags, flag: FlagName, option: keyof NodeOptions): unknown {
  const kind: OptionKind = OPTION_KINDS[option]
  switch (kind.is) {
    case 'number': {
      const name = option as RangedOption
      return read(given, flag, rangeInWords(name), (text) => parseRangedOption(name, text))
    }
    case 'word':
      return read(given, flag, wordsOf(kind.words), oneOf(kind.words))
    case 'switch':
      return given.has(flag) || undefined
    case 'address':
      return read(given, flag, 'an address, 0x and 40 hex digits', parseAddress)
    case 'name':
      return read(given, flag, '1 to 100 ASCII characters without spaces', (text) =>
        /^[!-~]{1,100}$/.test(text) ? text : undefined,
      )
    case 'balances':
      return parseBalances(given, flag)
    case 'accounts':
    case 'genesis':
      return undefined
    default:
      return kind satisfies never
  }
}

/** @throws {UsageError} If there is an address, but no room. */
function parseRoom(given: GivenFlags): RunCommand['room'] {
  const url = read(given, 'room-url', 'an address such as https://room.example/, without a path', parseRootUrl)
  if (!given.has('room') && url !== undefined) {
    throw new UsageError('--room-url says where guests reach the room, and --room opens it.')
  }
  return given.has('room') ? { ...(url !== undefined && { url }) } : undefined
}

function parseAccounts(given: GivenFlags): AccountOptions {
  const count = givenNumber(given, 'accounts')
  const balance = read(given, 'balance', `an amount of ETH up to ${MAX_BALANCE_ETH}`, parseEth)
  const mnemonic = read(given, 'mnemonic', 'the words of a mnemonic', nonEmpty)
  const randomWords = read(given, 'mnemonic-random', '12, 15, 18, 21 or 24', (text) =>
    text === '' ? DEFAULT_WORDS : WORD_COUNTS.find((words) => String(words) === text),
  )
  const mnemonicSeed = read(given, 'mnemonic-seed-unsafe', 'a whole number below 2^64', parseSeed)
  const derivationPath = read(given, 'derivation-path', "a path such as m/44'/60'/0'/0/", parsePath)
  return {
    ...(count === undefined ? {} : { count }),
    ...(balance === undefined ? {} : { balance }),
    ...(mnemonic === undefined ? {} : { mnemonic }),
    ...(randomWords === undefined ? {} : { randomWords }),
    ...(mnemonicSeed === undefined ? {} : { mnemonicSeed }),
    ...(derivationPath === undefined ? {} : { derivationPath }),
  }
}

/** Checks anvil's options that change nothing here: their value must match this node. @throws {UsageError} */
function checkAlreadySo(given: GivenFlags, options: NodeOptions): void {
  // Suites for another node name the rules that it should have; those of Osaka are what they get.
  const rules = oneOf(dialectOf(options) ? [...EARLIER_RULES, ...RULES] : RULES)
  read(given, 'hardfork', '"osaka" or "latest", by whose rules every block runs', (text) => rules(text.toLowerCase()))
  read(given, 'network', '"ethereum", the only one', oneOf(['ethereum'] as const))
  read(given, 'order', '"fees", the only one', oneOf(['fees'] as const))
  read(given, 'color', '"auto" or "never": nothing is printed in colours', oneOf(['auto', 'never'] as const))
  read(given, 'gas-price', 'a whole number', (text) => (/^\d{1,39}$/.test(text) ? text : undefined))
  read(given, 'prune-history', 'a whole number', (text) => (/^\d{0,19}$/.test(text) ? text : undefined))
}
