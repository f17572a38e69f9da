import { createNode, type Node, type NodeDeps } from '#node/node.ts'
import { readChainRecord } from '#node/persistence/chain-record.ts'
import { JournalError } from '#node/storage/journal.ts'
import type { Clock } from '#primitives/clock.ts'
import { banner } from './cli/banner.ts'
import type { LogLevel, RunCommand } from './cli/cli.ts'
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
  { host, port, allowOrigins, allowHosts, latest, automine, ui, data = '' }: RunCommand,
  { clock, log, print, helpers, pageFolder }: RunDeps,
  resolved: ResolvedOptions,
  journal: FileJournal | undefined,
): Promise<NodeServer> {
  const record = journal && (await readChainRecord(journal))
  const node = await createNode(resolved.options, {
    clock,
    log,
    ...(helpers && { helpers }),
    ...(journal && { journal }),
  })
  const page = ui && pageFolder !== undefined ? await openPageFiles(pageFolder) : undefined
  const server = await serve(node, { host, port, allowOrigins, allowHosts, latest, page, log })
  node.start()
  if (automine) await turnOnAutomine(node)
  const described = journal ? await describeStored(resolved, data, node, record) : resolved
  print(banner({ host: server.host, port: server.port, latest, automine, page: page !== undefined }, described))
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
async function turnOnAutomine(node: Node): Promise<void> {
  const answer = await node.connect().handle('{"jsonrpc":"2.0","id":1,"method":"evm_setAutomine","params":[true]}')
  const { error } = JSON.parse(answer ?? '{}') as { readonly error?: { readonly message: string } }
  if (error) throw new JournalError('unavailable', error.message)
}

async function serve(node: Node, options: Parameters<typeof startServer>[1]): Promise<RunningServer> {
  try {
    return await startServer(node, options)
  } catch (error) {
    await node.close()
    throw error
  }
}
