import type { Node, NodeDeps } from '#node/node.ts'
import { BuildsOfNode } from '#node/rpc/builds/known-builds.ts'
import { JournalError } from '#node/storage/journal.ts'
import type { Clock } from '#primitives/clock.ts'
import { ask } from '#rpc-types/ask.ts'
import type { DevnetStatus } from '#rpc-types/methods/devnet.ts'
import { banner } from './cli/banner.ts'
import type { LogLevel, RunCommand } from './cli/cli.ts'
import { checkForGuests } from './cli/conflicts.ts'
import { resolveOptions } from './cli/resolve-options.ts'
import { UsageError } from './cli/usage-error.ts'
import { printConsole } from './console-lines.ts'
import { HEAP_BYTES } from './http/limits.ts'
import { openPageFiles } from './http/page-files.ts'
import { mineAlsoEvery } from './mixed-mining.ts'
import { openChain, type ServedChain } from './open-chain.ts'
import type { GuestTime } from './room/guest-time.ts'
import { guestAddresses, type Served, serve } from './serve.ts'
import type { ChainDump } from './state/chain-dump.ts'

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
  /** The chain as a file. */
  exportChain(): Promise<Uint8Array>
  /** Closes the connections only. */
  leave(): Promise<void>
  /** Closes the connections, then the chain, then its files. */
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

/**
 * Runs the chain that the command line asks for.
 *
 * @throws {UsageError} If the mnemonic, the genesis file or a state file makes no sense, or the socket cannot be made.
 * @throws {InvalidOptionError} If an option is invalid, or differs from the chain in the directory.
 * @throws {JournalError} If the directory cannot be used.
 * @throws {NodeJS.ErrnoException} If it cannot listen.
 */
export async function runNode(command: RunCommand, deps: RunDeps): Promise<NodeServer> {
  const { clock, log, helpers, onTakenOver } = deps
  const resolved = await resolveOptions(command)
  const target = command.dumpState && (await checkDump(command.dumpState))
  const builds = new BuildsOfNode()
  const endArtifacts = await beginArtifacts(command, deps, builds)
  const time = command.room && (await guestTime(clock))
  const opening = openChain(command, resolved, {
    clock,
    log,
    builds,
    heapBytes: HEAP_BYTES,
    ...(helpers && { helpers }),
    ...(time && { timeLimits: time }),
    ...(onTakenOver && { onTakenOver }),
  })
  const chain = await opening.catch(async (error: unknown) => {
    await endArtifacts?.()
    throw error
  })
  let server: Served
  try {
    server = await serveChain(command, deps, chain, time)
  } catch (error) {
    await endArtifacts?.()
    await chain.close()
    throw error
  }
  const endMixed =
    command.alsoEveryMs === undefined
      ? undefined
      : mineAlsoEvery(command.alsoEveryMs, chain.node, clock, (error) => log('warn', 'no block was sealed', error))
  const dump = target === undefined ? undefined : await beginDump(target, command, deps, chain.node)
  return {
    port: server.port,
    ownerPort: server.owner.port,
    exportChain: () => exportOf(chain.node),
    leave: () => server.close(),
    async close() {
      await endArtifacts?.()
      await endMixed?.()
      await server.close()
      try {
        await dump?.end()
      } finally {
        await chain.close()
      }
    },
  }
}

/** What the chain asks about the time of guests' transactions, and the room tells it. */
async function guestTime(clock: Clock): Promise<GuestTime> {
  const { GuestTime } = await import('./room/guest-time.ts')
  const { TIME_RATES } = await import('./room/limits.ts')
  return new GuestTime(clock, TIME_RATES.room)
}

async function serveChain(
  command: RunCommand,
  { clock, log, print, pageFolder, colours = false }: RunDeps,
  chain: ServedChain,
  time: GuestTime | undefined,
): Promise<Served> {
  const { node } = chain
  const { automine, noMining, ui } = command
  const page = ui && pageFolder !== undefined ? openPageFiles(pageFolder) : undefined
  let port = 0
  const addresses = () => guestAddresses(command, port)
  if (time) checkForGuests(((await ask(node, 'devnet_status')) as DevnetStatus).options)
  const room =
    time &&
    (await (await import('./room/room.ts')).Room.open(node, { clock, log, time, url: () => addresses()[0] ?? '' }))
  const served = await serve(node, room, command, { page, log }).catch((error: unknown) => {
    room?.close()
    throw error
  })
  port = served.port
  const server = {
    ...served,
    async close() {
      await served.close()
      room?.close()
    },
  }
  try {
    node.start()
    print(await introduce())
    if (!command.quiet && command.film === undefined) await printConsole(node, print)
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
    const introduced = await chain.introduce?.(at)
    if (introduced !== undefined) return introduced + invitation
    if (automine || noMining) await set(node, 'evm_setAutomine', automine)
    if (command.autoImpersonate) await set(node, 'anvil_autoImpersonateAccount', true)
    const described = await chain.describe()
    if (command.configFile !== undefined) {
      const { writeConfig } = await import('./cli/config-out.ts')
      await writeConfig(command.configFile, described, command.accounts, node)
    }
    const notes = [
      ...described.notes,
      ...(command.dumpState ? [`At the end the chain is written to ${command.dumpState.name}.`] : []),
    ]
    return banner({ ...command, ...at }, { ...described, notes }) + invitation
  }
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
  { clock, log }: RunDeps,
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
