import type { NodeDeps } from '#node/node.ts'
import { BuildsOfNode } from '#node/rpc/builds/known-builds.ts'
import type { JournalError } from '#node/storage/journal.ts'
import type { Clock } from '#primitives/clock.ts'
import { invariant } from '#primitives/invariant.ts'
import { ask } from '#rpc-types/ask.ts'
import type { DevnetStatus } from '#rpc-types/methods/devnet.ts'
import type { PlannedChain } from './chains/plan-chains.ts'
import { type NamedNode, ServedPaths, type ServedPool } from './chains/served-paths.ts'
import { banner } from './cli/banner.ts'
import type { NamedDescription } from './cli/banner-of-several.ts'
import type { LogLevel, RunCommand } from './cli/cli.ts'
import { checkForGuests } from './cli/conflicts.ts'
import type { ResolvedOptions } from './cli/resolve-options.ts'
import { UsageError } from './cli/usage-error.ts'
import { HEAP_BYTES } from './http/limits.ts'
import { openPageFiles } from './http/page-files.ts'
import type { GuestTime } from './room/guest-time.ts'
import {
  type ChainStart,
  openRunningChain,
  type RunningChain,
  type RunningChainDeps,
  readChainStart,
  startLike,
} from './running-chain.ts'
import { guestAddresses, type Served, serve } from './serve.ts'

export interface RunDeps {
  readonly clock: Clock
  readonly log: (level: LogLevel, message: string, details?: unknown) => void
  /** Gets the banner: addresses, chain and accounts. */
  readonly print: (text: string) => void
  /** Whether {@link print} reaches a terminal with colours. */
  readonly colours?: boolean
  /** Folder of the built page for browsers; it may be missing. */
  readonly pageFolder?: string
  /** Another process has taken over the directory of `--data`: nothing is stored any more. */
  readonly onTakenOver?: (reason: JournalError) => void
  /** Threads in addition to the node's own. */
  readonly helpers?: NonNullable<NodeDeps['helpers']>
}

/** A chain that runs and is served. */
export interface NodeServer {
  readonly port: number
  /** Where everything may be done: the same port, or that of a room's speaker. */
  readonly ownerPort: number
  /** The first chain as a file. */
  exportChain(): Promise<Uint8Array>
  /** Closes the connections, and those of several chains that can still be written. */
  leave(): Promise<void>
  /** Closes the connections, then the chains in their order, each before its files. */
  close(): Promise<void>
}

/**
 * A last safety net: one unhandled rejection must not end the chain for everyone.
 *
 * @param host - The process.
 */
export function logRejections(
  host: { readonly on: (event: 'unhandledRejection', listener: (reason: unknown) => void) => unknown },
  log: RunDeps['log'],
): void {
  host.on('unhandledRejection', (reason) => log('error', 'internal error that nobody waited for', reason))
}

/**
 * Lets the process go on when nobody reads its output any more: the next line would otherwise be an error that ends it.
 *
 * @param host - The process.
 */
export function outliveReaders(host: Record<'stdout' | 'stderr', Pick<NodeJS.WriteStream, 'on'>>): void {
  for (const stream of [host.stdout, host.stderr]) stream.on('error', () => {})
}

/** One of several chains could not be opened; `cause` says why. */
export class ChainStartError extends Error {
  override readonly name = 'ChainStartError'
  readonly chain: PlannedChain

  constructor(chain: PlannedChain, cause: unknown) {
    super(`the chain ${chain.name} could not be opened`, { cause })
    this.chain = chain
  }
}

/**
 * Runs the chain that the command line asks for, or several.
 *
 * @throws {UsageError} If the mnemonic, the genesis file or a state file makes no sense, or the socket cannot be made.
 * @throws {InvalidOptionError} If an option is invalid, or differs from the chain in the directory.
 * @throws {JournalError} If the directory cannot be used.
 * @throws {ChainStartError} For one of these, if there are several chains.
 * @throws {NodeJS.ErrnoException} If it cannot listen.
 */
export async function runNode(command: RunCommand, deps: RunDeps): Promise<NodeServer> {
  const builds = new BuildsOfNode()
  const time = command.room && (await guestTime(deps.clock))
  const chains: RunningChain[] = []
  const ends: (() => Promise<void>)[] = []
  /** Chains of whose directories other processes have taken over: nothing of them can be written. */
  const lost = new Set<PlannedChain>()
  const closeAll = () => inOrder([...ends, ...chains.map((chain) => () => chain.close())], deps.log)
  try {
    const endArtifacts = await beginArtifacts(command, deps, builds)
    if (endArtifacts) ends.push(endArtifacts)
    const plan = await planOf(command)
    const runtime = { ...runtimeOf(deps, plan.length), builds, ...(time && { timeLimits: time }) }
    const starts: ChainStart[] = []
    for (const planned of plan) {
      const onTakenOver = (reason: JournalError) => {
        lost.add(planned)
        deps.onTakenOver?.(reason)
      }
      const [start, chain] = await openOne(planned, { ...runtime, onTakenOver })
      starts.push(start)
      chains.push(chain)
    }
    const pool = command.pool && (await openPool(command.pool, chains, starts, runtime))
    if (pool) ends.push(() => pool.chains.close())
    const server = await serveAll(command, deps, chains, pool, time)
    ends.unshift(() => server.close())
    let left: Promise<void> | undefined
    return {
      port: server.port,
      ownerPort: server.owner.port,
      exportChain() {
        const [first] = chains
        invariant(first, 'a server has a chain')
        return first.exportChain()
      },
      leave() {
        const kept = chains.filter((chain) => !lost.has(chain.planned))
        left ??= inOrder([...ends, ...kept.map((chain) => () => chain.close())], deps.log)
        return left
      },
      close: closeAll,
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** The chains of the command line. @throws {UsageError} If a file of them makes no sense. */
async function planOf(command: RunCommand): Promise<readonly PlannedChain[]> {
  if (!command.chains) return [{ name: undefined, command }]
  return (await import('./chains/plan-chains.ts')).planChains(command)
}

/** What each of several chains has of the process. */
function runtimeOf({ clock, log, print, helpers }: RunDeps, count: number) {
  return {
    clock,
    log,
    print,
    heapBytes: HEAP_BYTES / count,
    ...(helpers && { helpers: { ...helpers, most: Math.floor(helpers.most / count) } }),
  }
}

/** @throws {ChainStartError} If it is one of several. */
async function openOne(
  planned: PlannedChain,
  deps: RunningChainDeps,
): Promise<readonly [start: ChainStart, chain: RunningChain]> {
  const { name, command } = planned
  try {
    const start = await readChainStart(command, command.pool !== undefined, deps.clock)
    const chain = await openRunningChain(planned, start, deps)
    return [await startLike(start, chain, deps.clock), chain]
  } catch (error) {
    throw name === undefined ? error : new ChainStartError(planned, error)
  }
}

async function openPool(
  limits: NonNullable<RunCommand['pool']>,
  chains: readonly RunningChain[],
  starts: readonly ChainStart[],
  deps: RunningChainDeps,
): Promise<ServedPool> {
  const { createServedPool } = await import('./served-pool.ts')
  return createServedPool(limits, chains, starts, deps)
}

/** Runs all, one after the other, also after one that fails. @throws {Error} What the first of them throws. */
async function inOrder(all: readonly (() => Promise<void>)[], log: RunDeps['log']): Promise<void> {
  const errors: unknown[] = []
  for (const each of all) await each().catch((error: unknown) => errors.push(error))
  for (const error of errors.slice(1)) log('error', 'what happened last could not be kept', error)
  if (errors.length > 0) throw errors[0]
}

/** What the chain asks about the time of guests' transactions, and the room tells it. */
async function guestTime(clock: Clock): Promise<GuestTime> {
  const { GuestTime } = await import('./room/guest-time.ts')
  const { TIME_RATES } = await import('./room/limits.ts')
  return new GuestTime(clock, TIME_RATES.room)
}

/** Serves chains that were opened, starts them, and prints what they are. */
async function serveAll(
  command: RunCommand,
  { clock, log, print, pageFolder, colours = false }: RunDeps,
  chains: readonly RunningChain[],
  pool: ServedPool | undefined,
  time: GuestTime | undefined,
): Promise<Served> {
  const [first] = chains
  invariant(first, 'a server has a chain')
  const { node } = first
  const page = command.ui && pageFolder !== undefined ? openPageFiles(pageFolder) : undefined
  let port = 0
  const addresses = () => guestAddresses(command, port)
  if (time) checkForGuests(((await ask(node, 'devnet_status')) as DevnetStatus).options)
  const room =
    time &&
    (await (await import('./room/room.ts')).Room.open(node, { clock, log, time, url: () => addresses()[0] ?? '' }))
  const way = room ? { room } : { paths: await pathsOf(chains, pool) }
  const closeShared = () => (way.room ?? way.paths).close()
  const served = await serve(node, way, command, { page, log }).catch((error: unknown) => {
    closeShared()
    throw error
  })
  port = served.port
  const server = {
    ...served,
    async close() {
      await served.close()
      closeShared()
    },
  }
  try {
    print(await introduce())
    for (const chain of chains) await chain.printConsole()
    return server
  } catch (error) {
    await server.close()
    throw error
  }

  /** The first lines; what they say is so by then. */
  async function introduce(): Promise<string> {
    const at = { ...served.owner, page: page !== undefined && !room }
    const invitation = room
      ? `\n${(await import('./room/invitation.ts')).inviteGuests({ urls: addresses(), guestPort: port, speakerPort: served.owner.port }, colours)}`
      : ''
    const described: ResolvedOptions[] = []
    for (const chain of chains) described.push(await chain.begin())
    const introduced = await first?.introduce?.(at)
    if (introduced !== undefined) return introduced + invitation
    const [only] = described
    invariant(only, 'each chain is described')
    if (command.chains) {
      const { bannerOfSeveral } = await import('./cli/banner-of-several.ts')
      return bannerOfSeveral({ ...command, ...at }, namedIn(chains, described))
    }
    if (command.configFile !== undefined) {
      const { writeConfig } = await import('./cli/config-out.ts')
      await writeConfig(command.configFile, only, command.accounts, node)
    }
    const notes = [
      ...only.notes,
      ...(command.dumpState ? [`At the end the chain is written to ${command.dumpState.name}.`] : []),
    ]
    return banner({ ...command, ...at }, { ...only, notes }) + invitation
  }
}

/** @throws {UsageError} If two of several chains have the same id. */
async function pathsOf(chains: readonly RunningChain[], pool: ServedPool | undefined): Promise<ServedPaths> {
  const named: NamedNode[] = []
  for (const { node, planned } of chains) {
    const { name } = planned
    const chainId = Number(await ask(node, 'eth_chainId'))
    const twin = named.find((other) => other.chainId === chainId)
    if (twin) {
      throw new UsageError(
        `The chains ${twin.name} and ${name} have the same id, ${chainId}: a wallet tells chains by it.`,
      )
    }
    named.push({ name, chainId, node })
  }
  const [first, ...others] = named
  invariant(first, 'a server has a chain')
  return new ServedPaths([first, ...others], pool)
}

function namedIn(chains: readonly RunningChain[], described: readonly ResolvedOptions[]): readonly NamedDescription[] {
  return chains.flatMap(({ planned: { name, command } }, i) => {
    const resolved = described[i]
    return name !== undefined && resolved ? [{ name, command, resolved }] : []
  })
}

/** @throws {UsageError} If the directory cannot be read. */
async function beginArtifacts(
  { artifacts }: RunCommand,
  { clock, log }: RunDeps,
  builds: BuildsOfNode,
): Promise<(() => Promise<void>) | undefined> {
  if (artifacts === undefined) return undefined
  try {
    const { watchArtifacts } = await import('./artifacts/watch-artifacts.ts')
    return await watchArtifacts(artifacts, { builds, clock, log })
  } catch (error) {
    const message = `${artifacts} cannot be read (--artifacts): ${(error as Error).message}.`
    throw new UsageError(message, { cause: error })
  }
}
