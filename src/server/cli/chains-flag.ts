import type { NodeOptions } from '#rpc-types/node-options.ts'
import { parseRangedOption, rangeInWords } from '#rpc-types/option-ranges.ts'
import { TAKEN_PATHS } from '#rpc-types/served-chains.ts'
import type { EntryPointVersion } from './entry-points.ts'
import { FORK_DEFAULTS, type ForkCommand, parseForkUrl } from './fork-flags.ts'
import type { GivenFlags } from './read-arguments.ts'
import { UsageError } from './usage-error.ts'

/** A chain of several, with what it has of its own. */
export interface OwnedChain {
  /** The path at which it answers, without the slash. */
  readonly name: string
  readonly options: NodeOptions
  readonly fork?: ForkCommand
  /** Directory in which it lives. */
  readonly data?: string
  /** State file that it begins with. */
  readonly loadState?: string
  readonly entryPoints?: readonly EntryPointVersion[]
}

/** Several chains, as the command line has them, or the file that does. */
export type ChainsCommand =
  | { readonly kind: 'list'; readonly chains: readonly OwnedChain[] }
  | { readonly kind: 'file'; readonly file: string }

/** Each is a node of its own in the process. */
const MAX_CHAINS = 16
/** Characters that an error repeats. */
const MAX_QUOTED = 80

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
function parseEntry(text: string): OwnedChain {
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
export function checkNames(names: readonly string[]): void {
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

/** Text of a user, as an error repeats it. */
export function quote(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text)
}
