import path from 'node:path'
import { checkOptions } from '#node/spec/check-options.ts'
import { isObject } from '#primitives/json-object.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { parseRangedOption, rangeInWords } from '#rpc-types/option-ranges.ts'
import { TAKEN_PATHS } from '#rpc-types/served-chains.ts'
import { type ForkRequest, forkCommandOf } from '#server/fork/fork-options.ts'
import { FORK_DEFAULTS, type ForkCommand, parseForkUrl } from './fork-flags.ts'
import type { GivenFlags } from './read-arguments.ts'
import { readTextFile } from './read-text-file.ts'
import { UsageError } from './usage-error.ts'

/** A chain of several: what it has of its own. */
export interface NamedChain {
  /** Its path, without the slash. */
  readonly name: string
  readonly options: NodeOptions
  readonly fork?: ForkCommand
  /** Directory in which it lives. */
  readonly data?: string
  /** State file that it begins with. */
  readonly loadState?: string
}

/** Several chains, as the command line has them, or the file that does. */
export type ChainsCommand =
  | { readonly kind: 'list'; readonly chains: readonly NamedChain[] }
  | { readonly kind: 'file'; readonly file: string }

/** Each is a node of its own in the process. */
const MAX_CHAINS = 16
/** As of a genesis file: accounts of block 0 may be in it. */
const MAX_FILE_BYTES = 32 * 1024 * 1024
/** Characters of a file's text that an error repeats. */
const MAX_QUOTED = 80

const NAME = /^[A-Za-z][\w-]{0,63}$/
/** A name, or the id of a chain without one. */
const IN_LIST = /^(?:[A-Za-z][\w-]{0,63}|[1-9]\d{0,9})$/
const TAKES =
  'chain ids such as 1,10, names with an id or an endpoint such as base=8453,l1=https://…, or the name of a .json file'

/** @throws {UsageError} If the list makes no sense. */
export function parseChains(given: GivenFlags): { readonly chains?: ChainsCommand } {
  const texts = (given.get('chains') ?? []).map(({ text }) => text)
  const [first] = texts
  if (first === undefined) return {}
  const files = texts.filter(isFile)
  if (files.length > 0) {
    if (texts.length > 1) throw new UsageError('--chains takes one file, or lists: a file has all chains.')
    return { chains: { kind: 'file', file: first } }
  }
  const chains = texts.flatMap((text) => text.split(',')).map(parseEntry)
  checkNames(chains.map(({ name }) => name))
  return { chains: { kind: 'list', chains } }
}

function isFile(text: string): boolean {
  return /\.json$/i.test(text) && !/^[\w-]+=/.test(text)
}

/** `10`, `base=8453`, `l1=https://rpc.example@21000000` or `10=https://rpc.example`, whose endpoint then has that id. */
function parseEntry(text: string): NamedChain {
  const at = text.indexOf('=')
  const name = at < 0 ? text : text.slice(0, at)
  const what = at < 0 ? text : text.slice(at + 1)
  if (!IN_LIST.test(name)) throw new UsageError(`--chains takes ${TAKES}, not ${quote(text)}.`)
  const fork = parseForkUrl(what)
  const isNumber = /^\d+$/.test(name)
  if (fork) {
    const chainId = isNumber ? { chainId: chainIdOf(name, text) } : {}
    return { name, options: {}, fork: { ...FORK_DEFAULTS, ...fork, ...chainId } }
  }
  const chainId = chainIdOf(what, text)
  if (isNumber && Number(name) !== chainId) {
    throw new UsageError(`--chains: a chain whose name is a number has that id, unlike ${quote(text)}.`)
  }
  return { name, options: { chainId } }
}

function chainIdOf(text: string, entry: string): number {
  const chainId = parseRangedOption('chainId', text)
  if (chainId !== undefined) return chainId
  const hint = /^[A-Za-z][\w-]*$/.test(entry) ? ` Give it an id: ${entry}=8453.` : ''
  throw new UsageError(`--chains: a chain id is ${rangeInWords('chainId')}, not ${quote(text)}.${hint}`)
}

/** @throws {UsageError} If chains cannot have these names, or there are too many. */
function checkNames(names: readonly string[]): void {
  if (names.length > MAX_CHAINS) {
    throw new UsageError(`--chains takes at most ${MAX_CHAINS} chains, not ${names.length}: each is a node of its own.`)
  }
  const seen = new Set<string>()
  for (const name of names) {
    // Directories and the eyes of people may not tell capitals apart.
    const known = name.toLowerCase()
    if (TAKEN_PATHS.includes(known)) {
      throw new UsageError(
        `--chains: no chain can be named ${name}: the page or the server has something at /${known}.`,
      )
    }
    if (seen.has(known)) throw new UsageError(`--chains: two chains have the name ${name}.`)
    seen.add(known)
  }
}

/**
 * The chains of a file: an object that has for each name what `createChain` takes. Paths in it are seen from its folder.
 *
 * @throws {UsageError} If it cannot be read, or makes no sense.
 */
export async function readChainsFile(file: string): Promise<readonly NamedChain[]> {
  const json = parseJson(await readTextFile(file, MAX_FILE_BYTES, '--chains'), file)
  if (!isObject(json)) throw invalid(file, 'it has to be an object with the options of each chain by its name')
  const entries = Object.entries(json)
  if (entries.length === 0) throw invalid(file, 'it names no chain')
  for (const [name] of entries) {
    if (NAME.test(name)) continue
    // An object's numbers come first, wherever they stand, and the first chain is also that of the bare address.
    const why = /^\d+$/.test(name)
      ? `write {"mainnet": {"chainId": ${name}}}, which answers at /${name} as well`
      : 'letters, digits, _ and -'
    throw invalid(file, `a chain's name begins with a letter, unlike ${quote(name)}: ${why}`)
  }
  checkNames(entries.map(([name]) => name))
  return entries.map(([name, value]) => chainOf(name, value, file))
}

function chainOf(name: string, value: unknown, file: string): NamedChain {
  const fail = (why: string) => invalid(file, `the chain ${name}: ${why}`)
  if (!isObject(value)) throw fail('its options are an object')
  const { clock, fork, data, loadState, ...rest } = value
  if ('latest' in rest) throw fail('latest: call its path with ?latest=preconfirmed, or give all of them --latest')
  // The library says it as the command line and the page do.
  if ('mode' in rest) throw fail('there is no option "mode": clock is "auto" or "manual"')
  const options: unknown = { ...rest, ...(clock !== undefined && { mode: clock }) }
  try {
    checkOptions(options)
  } catch (error) {
    throw fail((error as Error).message)
  }
  if (data !== undefined && loadState !== undefined) {
    throw fail('data and loadState contradict each other: the chain lives in the directory')
  }
  const pathOf = (option: string, text: unknown) => {
    if (typeof text !== 'string' || text === '') throw fail(`${option} is the name of a file or a directory`)
    return path.resolve(path.dirname(file), text)
  }
  return {
    name,
    options,
    ...(data !== undefined && { data: pathOf('data', data) }),
    ...(loadState !== undefined && { loadState: pathOf('loadState', loadState) }),
    ...(fork !== undefined && { fork: forkOf(fork, fail) }),
  }
}

function forkOf(fork: unknown, fail: (why: string) => UsageError): ForkCommand {
  if (!isObject(fork)) throw fail('fork is an object with the url of an endpoint')
  try {
    return forkCommandOf(fork as unknown as ForkRequest)
  } catch (error) {
    throw fail((error as Error).message)
  }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid(file, `it is no JSON: ${(error as Error).message}`)
  }
}

function invalid(file: string, why: string): UsageError {
  return new UsageError(`${file} (--chains) makes no sense: ${why}.`)
}

function quote(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text)
}
