import { findConflict } from './conflicts.ts'
import { FLAG_GROUPS, type FlagName } from './flags.ts'
import { type ForkCommand, parseFork } from './fork-flags.ts'
import { type GivenFlags, readArguments } from './read-arguments.ts'
import { SUBCOMMANDS } from './subcommand-help.ts'
import { UsageError } from './usage-error.ts'

/**
 * A command that is about a file; `SUBCOMMANDS` says what each does.
 *
 * @typeParam Run - A chain to run.
 */
export type Subcommand<Run> =
  /** Runs a command and records what its chains ask of the real one. */
  | { readonly kind: 'record'; readonly file: string; readonly fork?: ForkCommand; readonly command: readonly string[] }
  /** Asks an endpoint whether a fork file is of the real chain. */
  | { readonly kind: 'check'; readonly file: string; readonly fork: ForkCommand }
  /** Moves a fork file to another block. */
  | { readonly kind: 'update'; readonly file: string; readonly fork: ForkCommand }
  /** Runs a command against a chain, and writes the chain's file. */
  | { readonly kind: 'prepare'; readonly file: string; readonly run: Run; readonly command: readonly string[] }

/** The flags about an endpoint. */
const ENDPOINT_FLAGS: readonly string[] = Object.values(FLAG_GROUPS)
  .flatMap((flags) => (Object.hasOwn(flags, 'fork-url') ? Object.keys(flags) : []))
  .filter((flag) => flag !== 'fork' && flag !== 'fork-time')
/** The options of a chain that is prepared that are decided already, and why. */
const DECIDED: Readonly<Partial<Record<FlagName, string>>> = {
  data: 'the chain is written to the file',
  'dump-state': 'the chain is written to the file',
  state: 'the chain is written to the file; --load-state begins with one',
  chains: 'a file has one chain',
  pool: 'the file has one chain',
  room: 'nobody takes part',
  'no-mining': 'each transaction is sealed at once',
  'mixed-mining': 'each transaction is sealed at once',
  'block-time': 'each transaction is sealed at once',
  rescue: 'it runs no chain',
}

/**
 * Reads one of these commands.
 *
 * @param parseRun - Reads the options of a chain.
 * @returns `undefined` if the arguments are of no such command.
 * @throws {UsageError} If they are of one, and make no sense.
 */
export function parseSubcommand<
  Run extends { readonly port: number; readonly automine: boolean; readonly quiet: boolean },
>(
  [kind, ...args]: readonly string[],
  parseRun: (given: GivenFlags) => Run,
): Subcommand<Run> | { readonly kind: 'help' } | undefined {
  if (kind === undefined || !Object.hasOwn(SUBCOMMANDS, kind)) return undefined
  const name = kind as Subcommand<Run>['kind']
  const { usage } = SUBCOMMANDS[name]
  const end = args.indexOf('--')
  const [own, command] = end === -1 ? [args, []] : [args.slice(0, end), args.slice(end + 1)]
  const isFlag = own[0]?.startsWith('-') === true
  const given = readArguments(isFlag ? own : own.slice(1))
  if (given.has('help')) return { kind: 'help' }
  const [file] = own
  if (file === undefined || file === '' || isFlag) throw new UsageError(`${name} takes the name of a file: ${usage}.`)
  const runs = name === 'record' || name === 'prepare'
  if (runs && command.length === 0) throw new UsageError(`${name} runs a command, which comes after --: ${usage}.`)
  if (!runs && end !== -1) throw new UsageError(`${name} runs no command: ${usage}.`)
  if (name === 'prepare') {
    const [decided, why] = Object.entries(DECIDED).find(([flag]) => given.has(flag as FlagName)) ?? []
    if (decided !== undefined) throw new UsageError(`--${decided} does not go with prepare: ${why}.`)
    const conflict = findConflict(given)
    if (conflict !== undefined) throw new UsageError(conflict)
    const run = parseRun(given)
    const port = given.has('port') ? run.port : 0
    return { kind: name, file, command, run: { ...run, port, automine: true, quiet: true } }
  }
  const foreign = [...given.keys()].find((flag) => !ENDPOINT_FLAGS.includes(flag))
  if (foreign !== undefined) throw new UsageError(`--${foreign} does not go with ${name}: ${usage}.`)
  const { fork } = parseFork(given)
  if (name === 'record') return { kind: name, file, command, ...(fork && { fork }) }
  if (!fork) throw new UsageError(`${name} asks an endpoint: ${usage}.`)
  return { kind: name, file, fork }
}
