import type { Fork } from '#node/fork/fork.ts'
import { ForkError } from '#node/fork/fork-error.ts'
import type { ForkHost } from '#node/fork/fork-host.ts'
import { createNode, type Node, type NodeDeps } from '#node/node.ts'
import type { ChainRecord } from '#node/persistence/records.ts'
import type { JournalError } from '#node/storage/journal.ts'
import type { Clock } from '#primitives/clock.ts'
import { invariant } from '#primitives/invariant.ts'
import { ask } from '#rpc-types/ask.ts'
import type { RpcEndpoint } from '#rpc-types/connection.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { ServedAt } from './cli/banner.ts'
import type { RunCommand } from './cli/cli.ts'
import { describeStored } from './cli/describe-stored.ts'
import { ENTRY_POINTS } from './cli/entry-points.ts'
import { explainOtherOptions } from './cli/explain-other-options.ts'
import type { ForkCommand } from './cli/fork-flags.ts'
import type { ResolvedOptions } from './cli/resolve-options.ts'
import { UsageError } from './cli/usage-error.ts'
import { ForkableChain, type ForkableChainOptions, type StartedChain } from './fork/forkable-chain.ts'
import { startFork } from './fork/start-fork.ts'
import { withFunds } from './state/funded-state.ts'
import type { ChainOfFile } from './state/load-chain.ts'
import { readStateFile, type StateFile, StateFileError, whyMissing } from './state/read-state-file.ts'
import type { StoredNode } from './stored-node.ts'

/** A node with its chain, which stands still. */
export interface ServedChain {
  readonly node: Node
  /** What the banner says of it. */
  describe(): Promise<ResolvedOptions>
  /** What it was fetched from, if it began as a fork of the command line's endpoint. */
  readonly fork?: Fork | undefined
  /** What is printed instead of the banner. */
  introduce?(at: ServedAt): Promise<string>
  /** Ends the node, then the files that the chain lives in. */
  close(): Promise<void>
}

type Deps = Omit<NodeDeps, 'journal' | 'onTakenOver'>

/** What several chains of the same command line begin with: read once. */
export interface SharedStart {
  /** The state of `--load-state`; `undefined` where it is missing and may be. */
  readonly state: StateFile | ChainOfFile | undefined
  /** A fork of the same endpoint and block. */
  readonly fork?: Fork | undefined
}

interface StoredDeps extends Deps {
  /** What was read before. */
  readonly start?: SharedStart
  /** Another process has taken over the directory that the chain is stored in. */
  readonly onTakenOver?: (reason: JournalError) => void
}
type AccountsFile = StateFile & { readonly kind: 'accounts' }

/**
 * Opens the chain of the directory or of the state file, or a new one.
 *
 * @throws {UsageError} If the state file cannot be loaded.
 * @throws {InvalidOptionError} If an option is invalid, or differs from that of the chain in the directory.
 * @throws {JournalError} If the directory cannot be used.
 */
export async function openChain(
  command: RunCommand,
  resolved: ResolvedOptions,
  given: StoredDeps,
): Promise<ServedChain> {
  const chain = await openAsCommanded(command, resolved, given)
  const { entryPoints, film } = command
  if (!entryPoints || film !== undefined) return chain
  try {
    await bringEntryPoints(chain.node, command)
    const told = entryPoints.map((version) => `The EntryPoint ${version} is at ${ENTRY_POINTS[version].address}.`)
    return {
      ...chain,
      async describe() {
        const described = await chain.describe()
        return { ...described, notes: [...described.notes, ...told] }
      },
    }
  } catch (error) {
    await chain.close()
    throw error
  }
}

async function openAsCommanded(
  command: RunCommand,
  resolved: ResolvedOptions,
  given: StoredDeps,
): Promise<ServedChain> {
  const { data, film, fork, forkFile, loadState } = command
  if (data !== undefined && film === undefined) return openStored(data, command, resolved, given)
  const { onTakenOver: _, start, ...deps } = given
  if (film !== undefined) return openFilm(film, resolved, deps)
  const begin = (found?: AccountsFile) =>
    fork || forkFile !== undefined
      ? openForked(fork ?? forkFile, command, resolved, deps, start?.fork)
      : openNew(command, resolved, deps, found)
  if (loadState === undefined) return begin()
  const { name } = loadState
  return explainingState(loadState, async () => {
    const found = start ? start.state : await readLoadState(loadState)
    if (found?.kind === 'chain') return openLoaded(found.file, name, command, resolved, deps)
    if (found?.kind === 'read') return openLoaded(found, name, command, resolved, deps)
    if (found && fork) throw new StateFileError('a fork has its accounts from the other chain, not from JSON')
    return begin(found)
  })
}

/**
 * Reads what chains begin with that have the same command line.
 *
 * @throws {UsageError} If the state file cannot be loaded.
 */
export async function readSharedStart({ loadState }: RunCommand, clock: Clock): Promise<SharedStart> {
  if (loadState === undefined) return { state: undefined }
  return explainingState(loadState, async () => {
    const found = await readLoadState(loadState)
    if (found?.kind !== 'chain') return { state: found }
    const { readOnce } = await import('./state/load-chain.ts')
    return { state: await readOnce(found.file, clock) }
  })
}

type LoadState = NonNullable<RunCommand['loadState']>

/** @throws {StateFileError} If it cannot be read, or is missing and may not be. */
async function readLoadState({ name, mayBeMissing }: LoadState): Promise<StateFile | undefined> {
  const found = await readStateFile(name)
  if (!found && !mayBeMissing) throw new StateFileError(await whyMissing(name))
  return found
}

/** @throws {UsageError} If the state file is to blame; the message names it. */
async function explainingState<Result>({ name, as }: LoadState, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StateFileError)) throw error
    throw new UsageError(`${name} cannot be loaded (${as}): ${explainOtherOptions(error)}.`, { cause: error })
  }
}

/**
 * Continues another chain.
 *
 * @param fork - Its endpoint, or the fork file that takes the place of it.
 * @throws {UsageError} If that cannot be used.
 */
async function openForked(
  fork: ForkCommand | string | undefined,
  command: RunCommand,
  resolved: ResolvedOptions,
  deps: Deps,
  like: Fork | undefined,
): Promise<ServedChain> {
  const begin = async (forkHost: ForkHost) => {
    invariant(fork !== undefined, 'a fork has an endpoint or a file')
    if (typeof fork === 'string') {
      const { beginFromFile } = await import('./fork-file/replay.ts')
      return beginFromFile(fork, resolved.options, { ...deps, forkHost })
    }
    const { beginFork } = await import('./fork/begin-fork.ts')
    if (!like) return beginFork(fork, resolved.options, { ...deps, forkHost })
    // "The newest block" is that of the fork that it is like.
    const same = { ...fork, blockNumber: like.header.header.number }
    return beginFork(same, resolved.options, { ...deps, forkHost }, { fork: like })
  }
  try {
    const opening = ForkableChain.open(forkable(command, resolved, deps), begin)
    const [chain, { options, note, fork: began }] = await opening
    const described = { ...resolved, options, notes: [...resolved.notes, ...notesOf(note, undefined)] }
    return { node: chain.node, fork: began, close: () => chain.close(), describe: () => Promise.resolve(described) }
  } catch (error) {
    throw explainFork(error)
  }
}

function explainFork(error: unknown): unknown {
  if (!(error instanceof ForkError)) return error
  return new UsageError(`The chain cannot be forked: ${error.message}.`, { cause: error })
}

/** How callers put another chain in the place of one that is in memory. */
function forkable(command: RunCommand, { options }: ResolvedOptions, deps: Deps): ForkableChainOptions {
  return {
    clock: deps.clock,
    fork: command.fork,
    isKept: command.dumpState !== undefined || command.loadState !== undefined,
    async begin(fork, forkHost, earlier) {
      const started: StartedChain = fork
        ? await (await import('./fork/begin-fork.ts')).beginFork(
            fork,
            options,
            { ...deps, forkHost },
            { fork: earlier },
          )
        : await beginPlain(command, options, { ...deps, forkHost })
      await introduceNext(started, command, deps)
      return started
    },
  }
}

/** What a chain is told and said as it takes the place of another, as at the start. */
async function introduceNext({ node, note }: StartedChain, command: RunCommand, { log }: Deps) {
  await bringEntryPoints(node, command)
  if (command.autoImpersonate) await ask(node, 'anvil_autoImpersonateAccount', true)
  log('info', note ?? 'The chain begins at block 0, and is no fork any more.')
}

/** Puts the EntryPoints of the command line into the chain, if it does not have them. */
async function bringEntryPoints(node: RpcEndpoint, { entryPoints }: RunCommand): Promise<void> {
  if (!entryPoints) return
  const { placeEntryPoints } = await import('./entry-point/place-entry-points.ts')
  await placeEntryPoints(node, entryPoints, process.cwd())
}

async function beginPlain(command: RunCommand, options: NodeOptions, deps: Deps): Promise<StartedChain> {
  const node = await createNode(options, { ...deps, clock: clockOf(command, deps.clock) })
  return { node, close: () => node.close() }
}

/** Opens a chain file, read-only. */
async function openFilm(name: string, resolved: ResolvedOptions, deps: Deps): Promise<ServedChain> {
  try {
    const found = await readStateFile(name)
    if (!found) throw new StateFileError(await whyMissing(name))
    if (found.kind === 'accounts') {
      throw new StateFileError('it is a state in JSON, which has no blocks: begin a chain with it, by --load-state')
    }
    const { loadChain } = await import('./state/load-chain.ts')
    const { introduceFilm } = await import('./cli/introduce-film.ts')
    const { node, close } = await loadChain(found.file, resolved.options, { ...deps, film: true })
    return {
      node,
      describe: () => Promise.resolve(resolved),
      introduce: (at) => introduceFilm(name, node, at),
      close,
    }
  } catch (error) {
    if (!(error instanceof StateFileError)) throw error
    const advice = 'A film is a chain file, as a failing test attaches it and as a chain is exported'
    throw new UsageError(`${name} cannot be opened: ${error.message}. ${advice}.`, { cause: error })
  }
}

async function openStored(
  directory: string,
  command: RunCommand,
  resolved: ResolvedOptions,
  given: StoredDeps,
): Promise<ServedChain> {
  const { onTakenOver, start: _, ...deps } = given
  // A stored chain continues in its own time.
  const how = { clock: clockOf(command, deps.clock), fork: command.fork, onTakenOver }
  const opened: { stored?: StoredNode } = {}
  const place: ForkableChainOptions = {
    clock: deps.clock,
    fork: command.fork,
    isKept: true,
    async begin(fork, forkHost) {
      invariant(opened.stored && fork, 'a stored chain starts over itself')
      const next = await opened.stored.beginNext(fork, forkHost)
      await introduceNext(next, command, deps)
      return next
    },
  }
  const begin = async (forkHost: ForkHost) => {
    const { openStoredNode } = await import('./stored-node.ts')
    const stored = await openStoredNode(directory, resolved.options, { ...deps, forkHost }, how)
    opened.stored = stored
    return { ...stored.started, ...stored }
  }
  const [chain, { record, note: ofFork, options }] = await ForkableChain.open(place, begin).catch((error: unknown) => {
    throw explainFork(error)
  })
  const { node } = chain
  const told = { ...resolved, notes: [...resolved.notes, ...notesOf(ofFork, record)] }
  return {
    node,
    close: () => chain.close(),
    async describe() {
      if (record) return describeStored(told, `The chain in ${directory}`, node, record)
      const note = `The chain is kept in ${directory}: it goes on at the next start.`
      return { ...told, options: options ?? told.options, notes: [...told.notes, note] }
    },
  }
}

async function openLoaded(
  file: Uint8Array | ChainOfFile,
  name: string,
  command: RunCommand,
  resolved: ResolvedOptions,
  deps: Deps,
): Promise<ServedChain> {
  const [chain, { record, note }] = await ForkableChain.open(forkable(command, resolved, deps), async (forkHost) => {
    const { options } = resolved
    const { loadChain } = await import('./state/load-chain.ts')
    const loaded = await loadChain(file, options, { ...deps, forkHost }, ({ fork }, whole) =>
      startFork(command.fork, fork, options, whole),
    )
    return { ...loaded.started, ...loaded }
  })
  const { node } = chain
  const told = { ...resolved, notes: [...resolved.notes, ...notesOf(note, record)] }
  return {
    node,
    describe: () => describeStored(told, `The chain of ${name}`, node, record),
    close: () => chain.close(),
  }
}

/** What the banner says of a fork that was kept. */
function notesOf(note: string | undefined, record: ChainRecord | undefined): readonly string[] {
  if (note !== undefined) return [note]
  const fork = record?.fork
  if (!fork) return []
  const what = `It is a fork of chain ${fork.chainId}, opened without its endpoint`
  return [`${what}: it has what was fetched before from ${fork.endpoint}, and --fork-url fetches more.`]
}

/** @throws {StateFileError} If the node does not take the accounts. */
async function openNew(
  command: RunCommand,
  resolved: ResolvedOptions,
  deps: Deps,
  accounts?: AccountsFile,
): Promise<ServedChain> {
  const [chain] = await ForkableChain.open(forkable(command, resolved, deps), (forkHost) =>
    beginPlain(command, resolved.options, { ...deps, forkHost }),
  )
  const { node } = chain
  const close = () => chain.close()
  if (accounts) {
    try {
      await ask(node, 'anvil_loadState', withFunds(accounts.state, resolved.options.fundAccounts))
    } catch (error) {
      await close()
      throw new StateFileError((error as Error).message, { cause: error })
    }
  }
  const isLoaded = `Block 1 has the accounts of ${command.loadState?.name}; blocks and transactions are not taken from JSON.`
  return {
    node,
    describe: () => Promise.resolve(accounts ? { ...resolved, notes: [...resolved.notes, isLoaded] } : resolved),
    close,
  }
}

/** A clock that says `timeFrom` now. */
function clockOf({ timeFrom }: RunCommand, clock: Clock): Clock {
  if (timeFrom === undefined) return clock
  const aheadMs = timeFrom * 1000 - clock.wallNow()
  return {
    now: () => clock.now() + aheadMs,
    wallNow: () => clock.wallNow() + aheadMs,
    schedule: (callback, delayMs) => clock.schedule(callback, delayMs),
    yield: () => clock.yield(),
  }
}
