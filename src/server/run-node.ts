import { createNode, type Node, type NodeDeps } from '#node/node.ts'
import { readChainRecord } from '#node/persistence/chain-record.ts'
import { JournalError } from '#node/storage/journal.ts'
import type { Clock } from '#primitives/clock.ts'
import { ask } from './cli/ask.ts'
import { banner } from './cli/banner.ts'
import type { LogLevel, RunCommand } from './cli/cli.ts'
import { writeConfig } from './cli/config-out.ts'
import { describeStored } from './cli/describe-stored.ts'
import { type ResolvedOptions, resolveOptions } from './cli/resolve-options.ts'
import { openPageFiles } from './http/page-files.ts'
import { type RunningServer, startServer } from './http/start-server.ts'
import { type FileJournal, openFileJournal } from './journal/file-journal.ts'

export interface RunDeps {
  readonly clock: Clock
  readonly log: (level: LogLevel, message: string, details?: unknown) => void
  /** Told where the node listens, which chain it is and which accounts there are. */
  readonly print: (text: string) => void
  /** The built page, for browsers; it need not be there. */
  readonly pageFolder?: string
  /** Threads beside the node's own. */
  readonly helpers?: NonNullable<NodeDeps['helpers']>
}

/** A chain that runs and is served. */
export interface NodeServer {
  readonly port: number
  /** Ends the connections, then the chain, then the files that it lives in. */
  close(): Promise<void>
}

/**
 * A last net: a promise that nobody waited for must not end the chain of everybody else.
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
 * Runs the chain that the command line asks for.
 *
 * @throws {UsageError} If the mnemonic or the genesis file makes no sense.
 * @throws {InvalidOptionError} If an option makes no sense, or is not that of the chain in the directory.
 * @throws {JournalError} If the directory cannot be used.
 * @throws {NodeJS.ErrnoException} If it cannot listen.
 */
export async function runNode(command: RunCommand, deps: RunDeps): Promise<NodeServer> {
  const resolved = await resolveOptions(command)
  if (command.data === undefined) return serveChain(command, deps, resolved, undefined)
  const journal = await openFileJournal(command.data, {
    onWarning: (message, error) => deps.log('warn', message, error),
  })
  if (journal.cutBytes > 0) {
    deps.log(
      'warn',
      `a crash had cut the last write to ${command.data} short; its ${journal.cutBytes} bytes are dropped`,
    )
  }
  try {
    return await serveChain(command, deps, resolved, journal)
  } catch (error) {
    await journal.close()
    throw error
  }
}

async function serveChain(
  command: RunCommand,
  { clock: hostClock, log, print, helpers, pageFolder }: RunDeps,
  resolved: ResolvedOptions,
  journal: FileJournal | undefined,
): Promise<NodeServer> {
  const { hosts, port, allowOrigins, allowHosts, cors, latest, automine, noMining, ui, data = '' } = command
  const record = journal && (await readChainRecord(journal))
  // A chain that goes on has its own time.
  const clock = record || command.timeFrom === undefined ? hostClock : clockFrom(hostClock, command.timeFrom)
  const node = await createNode(resolved.options, {
    clock,
    log,
    ...(helpers && { helpers }),
    ...(journal && { journal }),
  })
  const page = ui && pageFolder !== undefined ? await openPageFiles(pageFolder) : undefined
  const server = await serve(node, hosts, {
    port,
    allowOrigins,
    allowHosts: [...allowHosts, ...hosts],
    cors,
    latest,
    page,
    log,
  })
  try {
    node.start()
    if (automine || noMining) await set(node, 'evm_setAutomine', automine)
    if (command.autoImpersonate) await set(node, 'anvil_autoImpersonateAccount', true)
    const described = journal ? await describeStored(resolved, data, node, record) : resolved
    if (command.configFile !== undefined) await writeConfig(command.configFile, described, command.accounts, node)
    const served = { hosts, port: server.port, latest, automine, noMining, page: page !== undefined }
    print(banner(served, described))
  } catch (error) {
    await server.close()
    await node.close()
    throw error
  }
  return {
    port: server.port,
    async close() {
      await server.close()
      try {
        await node.close()
      } finally {
        await journal?.close()
      }
    },
  }
}

/** @throws {JournalError} If that cannot be stored. */
async function set(node: Node, method: string, enabled: boolean): Promise<void> {
  try {
    await ask(node, method, enabled)
  } catch (error) {
    throw new JournalError('unavailable', (error as Error).message, { cause: error })
  }
}

/** A clock that says `seconds` now. */
function clockFrom(clock: Clock, seconds: number): Clock {
  const aheadMs = seconds * 1000 - clock.now()
  return {
    now: () => clock.now() + aheadMs,
    schedule: (callback, delayMs) => clock.schedule(callback, delayMs),
    yield: () => clock.yield(),
  }
}

type ServerOptions = Omit<Parameters<typeof startServer>[1], 'host'>

/** Serves the node at each of the hosts, on the same port; where one is refused, at none. */
async function serve(
  node: Node,
  hosts: readonly string[],
  options: ServerOptions,
): Promise<Pick<RunningServer, 'port' | 'close'>> {
  const servers: RunningServer[] = []
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()))
  }
  let { port } = options
  try {
    for (const host of hosts) {
      const server = await startServer(node, { ...options, host, port })
      servers.push(server)
      port = server.port
    }
  } catch (error) {
    await close()
    await node.close()
    throw error
  }
  return { port, close }
}
