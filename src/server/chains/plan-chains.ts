import { existsSync } from 'node:fs'
import path from 'node:path'
import type { OwnedChain } from '#server/cli/chains-flag.ts'
import type { RunCommand } from '#server/cli/cli.ts'
import { NEW_CHAINS } from '#server/cli/conflicts.ts'
import { UsageError } from '#server/cli/usage-error.ts'
import { JOURNAL_FILE } from '#server/journal/file-journal.ts'
import { readChainsFile } from './chains-file.ts'

/** A chain to run: the command line as if it were the only one. */
export interface PlannedChain {
  /** `undefined` for the only one. */
  readonly name: string | undefined
  readonly command: RunCommand
}

/**
 * The chains that a command line with `--chains` asks for, in its order.
 *
 * @throws {UsageError} If the file makes no sense, or what a chain has of its own contradicts what is said for all.
 */
export async function planChains(command: RunCommand): Promise<readonly [PlannedChain, ...PlannedChain[]]> {
  const { chains, data } = command
  if (!chains) return [{ name: undefined, command }]
  if (data !== undefined && existsSync(path.join(data, JOURNAL_FILE))) {
    const advice = 'start it without --chains, or name another directory'
    throw new UsageError(`${data} has a single chain, and each of --chains gets a directory in it: ${advice}.`)
  }
  const named = chains.kind === 'list' ? chains.chains : await readChainsFile(chains.file)
  const [first, ...others] = named.map((each) => ({ name: each.name, command: commandOf(each, command) }))
  if (!first) throw new UsageError('--chains names no chain.')
  return [first, ...others]
}

function commandOf(chain: OwnedChain, command: RunCommand): RunCommand {
  const { chains: _, data: folder, timeFrom, ...shared } = command
  const { name, fork, loadState, entryPoints } = chain
  const fail = (why: string) => new UsageError(`The chain ${name} of --chains makes no sense: ${why}.`)
  if (loadState !== undefined && folder !== undefined) {
    throw fail('it has a loadState, and --data keeps all chains in directories')
  }
  if (chain.data !== undefined && command.pool) throw fail(`it has a directory, and --pool is there: ${NEW_CHAINS}`)
  if (chain.options.genesis && command.genesisFile !== undefined) {
    throw fail('it has a genesis of its own, and --genesis gives one to all')
  }
  const options = { ...command.options, ...chain.options }
  const data = chain.data ?? (folder === undefined ? undefined : path.join(folder, name))
  const { genesisTimestamp: _own, ...withoutBlock0 } = options
  const isTimedFork = fork !== undefined && timeFrom !== undefined
  const whole: RunCommand = {
    ...shared,
    // Without an own list of accounts, the command line's are for all.
    accounts: chain.options.accounts ? {} : command.accounts,
    // A fork has no block 0 of its own.
    options: isTimedFork ? { ...withoutBlock0, forkTime: timeFrom } : options,
    ...(timeFrom !== undefined && !fork && { timeFrom }),
    ...(data !== undefined && { data }),
    ...(fork && { fork }),
    ...(entryPoints && { entryPoints }),
    ...(loadState !== undefined && { loadState: { name: loadState, as: 'loadState', mayBeMissing: false } }),
  }
  if (fork) checkFork(whole, fail)
  return whole
}

/** As the command line refuses it for one chain. */
function checkFork({ options, genesisFile }: RunCommand, fail: (why: string) => UsageError): void {
  if (genesisFile !== undefined || options.genesis)
    throw fail('a fork has its accounts from the other chain, no genesis')
  if (options.genesisTimestamp !== undefined) throw fail('a fork has no block 0 of its own, and no timestamp for one')
  if (options.baseFee !== undefined) throw fail('the base fee of a fork follows from the block before')
}
