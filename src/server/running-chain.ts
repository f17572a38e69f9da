import type { Fork } from '#node/fork/fork.ts'
import type { Node, NodeDeps } from '#node/node.ts'
import { JournalError } from '#node/storage/journal.ts'
import type { Clock } from '#primitives/clock.ts'
import { ask } from '#rpc-types/ask.ts'
import type { PlannedChain } from './chains/plan-chains.ts'
import type { ServedAt } from './cli/banner.ts'
import type { LogLevel, RunCommand } from './cli/cli.ts'
import { type ResolvedOptions, resolveOptions } from './cli/resolve-options.ts'
import { UsageError } from './cli/usage-error.ts'
import { printConsole } from './console-lines.ts'
import { mineAlsoEvery } from './mixed-mining.ts'
import { openChain, readSharedStart, type SharedStart } from './open-chain.ts'
import { loadScripts } from './scripts/load-scripts.ts'
import type { ChainDump } from './state/chain-dump.ts'

export interface RunningChainDeps extends Pick<NodeDeps, 'builds' | 'heapBytes' | 'helpers' | 'timeLimits'> {
  readonly clock: Clock
  readonly log: (level: LogLevel, message: string, details?: unknown) => void
  /** Gets what contracts write with `console.log`. */
  readonly print: (text: string) => void
  readonly onTakenOver?: (reason: JournalError) => void
}

/** What all chains of one command line begin with. */
export interface ChainStart {
  readonly resolved: ResolvedOptions
  /** If there will be several: what is read once for all. */
  readonly shared?: SharedStart
}

/** A chain that was opened as its command line says, and stands still. */
export interface RunningChain {
  readonly planned: PlannedChain
  readonly node: Node
  readonly fork: Fork | undefined
  /** What is printed instead of the banner. */
  readonly introduce: ((at: ServedAt) => Promise<string>) | undefined
  /**
   * Starts its time, in the mode that the command line asks for.
   *
   * @returns What the banner says of it.
   */
  begin(): Promise<ResolvedOptions>
  /** The chain as a file. */
  exportChain(): Promise<Uint8Array>
  /** Prints what contracts log from here on. */
  printConsole(): Promise<void>
  /** Writes its dump, ends the node, then the files that it lives in. */
  close(): Promise<void>
}

/**
 * Reads what chains of this command line begin with.
 *
 * @param isShared - Whether there will be several.
 * @throws {UsageError} If the mnemonic, the genesis file or a state file makes no sense.
 */
export async function readChainStart(command: RunCommand, isShared: boolean, clock: Clock): Promise<ChainStart> {
  const resolved = await withEntryPointsOf(command, await resolveOptions(command))
  return { resolved, ...(isShared && { shared: await readSharedStart(command, clock) }) }
}

/**
 * Opens a chain.
 *
 * @throws {UsageError} If a state file makes no sense, or cannot be written.
 * @throws {InvalidOptionError} If an option is invalid, or differs from the chain in the directory.
 * @throws {JournalError} If the directory cannot be used.
 */
export async function openRunningChain(
  planned: PlannedChain,
  { resolved, shared }: ChainStart,
  deps: RunningChainDeps,
): Promise<RunningChain> {
  const { name, command } = planned
  const { clock, print, ...others } = deps
  const log: RunningChainDeps['log'] =
    name === undefined ? deps.log : (level, message, details) => deps.log(level, `${name}: ${message}`, details)
  const target = command.dumpState && (await checkDump(command.dumpState))
  const chain = await openChain(command, resolved, {
    ...others,
    clock,
    log,
    memoryBytes: command.memoryBytes,
    ...(command.jsTracers && { scripts: loadScripts }),
    ...(shared && { start: shared }),
  })
  const { node } = chain
  let endMixed: (() => Promise<void>) | undefined
  let dump: ChainDump | undefined
  return {
    planned,
    node,
    fork: chain.fork,
    introduce: chain.introduce?.bind(chain),
    exportChain: () => exportOf(node),
    async begin() {
      const { automine, noMining, autoImpersonate, film, alsoEveryMs } = command
      node.start()
      if (film === undefined && (automine || noMining)) await set(node, 'evm_setAutomine', automine)
      if (film === undefined && autoImpersonate) await set(node, 'anvil_autoImpersonateAccount', true)
      if (alsoEveryMs !== undefined) {
        endMixed = mineAlsoEvery(alsoEveryMs, node, clock, (error) => log('warn', 'no block was sealed', error))
      }
      if (target !== undefined) dump = await beginDump(target, command, { clock, log }, node)
      return chain.describe()
    },
    async printConsole() {
      if (command.quiet || command.film !== undefined) return
      await printConsole(node, name === undefined ? print : (text) => print(`${name}: ${text}`))
    },
    async close() {
      await endMixed?.()
      try {
        await dump?.end()
      } finally {
        await chain.close()
      }
    },
  }
}

/**
 * What further chains begin with that are like one that was just opened. Where that one has taken in the accounts of a state
 * in JSON, they begin with its blocks, which takes a hundredth of the time.
 */
export async function startLike(start: ChainStart, chain: RunningChain, clock: Clock): Promise<ChainStart> {
  const { shared } = start
  // The time of a chain from a file goes on from the present.
  if (shared?.state?.kind !== 'accounts' || chain.planned.command.timeFrom !== undefined) return start
  const { readOnce } = await import('./state/load-chain.ts')
  return { ...start, shared: { ...shared, state: await readOnce(await chain.exportChain(), clock) } }
}

/** @throws {UsageError} If an EntryPoint is not installed. */
async function withEntryPointsOf(command: RunCommand, resolved: ResolvedOptions): Promise<ResolvedOptions> {
  if (!command.entryPoints) return resolved
  const { beginsAnew, withEntryPoints } = await import('./entry-point/place-entry-points.ts')
  if (!beginsAnew(command)) return resolved
  return { ...resolved, options: await withEntryPoints(resolved.options, command.entryPoints, process.cwd()) }
}

/** @throws {UsageError} If the chain cannot be written there. */
async function checkDump({ name, as }: NonNullable<RunCommand['dumpState']>): Promise<string> {
  try {
    const { dumpTarget } = await import('./state/chain-dump.ts')
    return await dumpTarget(name)
  } catch (error) {
    throw new UsageError(`${name} cannot be written (${as}): ${(error as Error).message}.`, { cause: error })
  }
}

async function beginDump(
  target: string,
  { dumpState }: RunCommand,
  { clock, log }: Pick<RunningChainDeps, 'clock' | 'log'>,
  node: Node,
): Promise<ChainDump> {
  const { ChainDump } = await import('./state/chain-dump.ts')
  return new ChainDump({
    target,
    clock,
    ...(dumpState?.intervalMs !== undefined && { intervalMs: dumpState.intervalMs }),
    exportChain: () => exportOf(node),
    onFailure: ({ message }) => log('error', message),
  })
}

async function exportOf(node: Node): Promise<Uint8Array> {
  return Buffer.from((await ask(node, 'devnet_exportChain')) as string, 'base64')
}

/** @throws {JournalError} If that cannot be stored. */
async function set(node: Node, method: string, enabled: boolean): Promise<void> {
  try {
    await ask(node, method, enabled)
  } catch (error) {
    throw new JournalError('unavailable', (error as Error).message, { cause: error })
  }
}
