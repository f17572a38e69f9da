import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ChainTools, createChainTools } from '#client/session/chain-tools.ts'
import { type BlinknetProvider, createProvider, extendProvider } from '#client/session/provider.ts'
import { processCounts } from '#coverage/process-counts.ts'
import { ExecutedCode } from '#node/evm/coverage/executed-code.ts'
import { createNode } from '#node/node.ts'
import type { JournalError } from '#node/storage/journal.ts'
import { Emitter } from '#primitives/emitter.ts'
import { createSystemClock, type TimerHost } from '#primitives/system-clock.ts'
import { ask } from '#rpc-types/ask.ts'
import type { LatestReading, RpcEndpoint } from '#rpc-types/connection.ts'
import { beginsAutomine } from '#rpc-types/dialects.ts'
import type { ClockMode, NodeOptions } from '#rpc-types/node-options.ts'
import { checkEntryPoints, type EntryPointVersion } from '#server/cli/entry-points.ts'
import { type ForkRequest, forkCommandOf } from '#server/fork/fork-options.ts'
import type { ForkReplay } from '#server/fork-file/replay.ts'
import { HEAP_BYTES } from '#server/http/limits.ts'
import { openPageFiles } from '#server/http/page-files.ts'
import { startServer } from '#server/http/start-server.ts'
import { recoveryThreads } from '#server/recovery-threads.ts'
import { loadScripts } from '#server/scripts/load-scripts.ts'
import { DisconnectedError } from '#transport/port/connect-port.ts'
import { checkListenOptions, checkReading, type ListenOptions } from './listen-options.ts'

/** Options of a chain. */
export interface ChainOptions extends Omit<NodeOptions, 'mode'> {
  /** `manual`: only `tick`, `seal` and `devnet_tick` advance the chain. Default `auto`. */
  readonly clock?: ClockMode
  /** Directory where the chain is stored; an existing chain continues. Default: in memory only. */
  readonly data?: string
  /** MB of memory for the bytes of blocks that `data` has; older ones are read from there. Default 32. */
  readonly memory?: number
  /**
   * File that the chain begins with: a chain (as {@link Chain.exportChain} and `--dump-state` write it), which goes on where it
   * was, or a state in JSON (Blinknet's or anvil's), whose accounts block 1 has. It is in memory: not with `data`.
   */
  readonly loadState?: string
  /**
   * Continues a real chain. With `data`, what was fetched is kept with the chain, which then also opens without this, for
   * what it has. A text is the name of a fork file, which `npx blinknet record` makes: it needs no endpoint.
   */
  readonly fork?: ForkRequest | string
  /**
   * EntryPoints of ERC-4337 where they are on every chain, such as `0.7`, unless the chain has them. Their code is taken from
   * `@account-abstraction/contracts` in the project of the working directory.
   */
  readonly entrypoint?: EntryPointVersion | readonly EntryPointVersion[]
  /**
   * Whether tracers in JavaScript run (`debug_traceCall` and its like), in a sandbox; default `false`. A slow script holds up the
   * process.
   */
  readonly jsTracers?: boolean
  /**
   * Counts what transactions and calls execute, which makes them slower, and changes nothing else. By default for the reporter of
   * coverage and gas, if the tests have one; `false` for a chain that is not to be in it.
   */
  readonly executed?: ExecutedCode | false
  /** State that `latest` names in calls of {@link Chain.request}; default `sealed`. */
  readonly latest?: LatestReading
  /** Takes the chain's log; default: warnings and errors go to the console. */
  readonly log?: (level: 'info' | 'warn' | 'error', message: string, details?: unknown) => void
}

/** A chain that listens for HTTP and WebSocket. */
export interface ChainServer {
  /** `http://127.0.0.1:8545` */
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/**
 * A running chain, in this process. It is an EIP-1193 provider: viem's `custom(chain)`, ethers' `new BrowserProvider(chain)`.
 *
 * @see {@link https://eips.ethereum.org/EIPS/eip-1193 | EIP-1193}
 */
export interface Chain extends BlinknetProvider, Omit<ChainTools, 'request'> {
  /**
   * Lets others reach the chain over HTTP and WebSocket, and shows it live to browsers.
   *
   * @throws {NodeJS.ErrnoException} With the code `EADDRINUSE`, `EACCES` and so on if it cannot listen.
   */
  listen(options?: ListenOptions): Promise<ChainServer>
  /** Ends its servers, the chain, and the files that it lives in; calls from then on end with code 4900. */
  close(): Promise<void>
}

/** Beside the folder of this bundle, as the package has them. */
const PAGE_FOLDER = path.resolve(fileURLToPath(import.meta.url), '../../page')

/** A running chain without a view of it. */
export interface OpenChain {
  readonly node: RpcEndpoint
  readonly log: NonNullable<ChainOptions['log']>
  /** Calls the listener once if another process takes over the directory that the chain is stored in. */
  readonly onTakenOver?: (listener: (reason: JournalError) => void) => void
  /** Tells what the fork file of the chain does not have. */
  readonly replay?: ForkReplay | undefined
  /** Ends the chain, then the files that it lives in. */
  close(): Promise<void>
}

/** @throws {Error} As {@link createChain}. */
export async function openChain(options: ChainOptions = {}): Promise<OpenChain> {
  checkOptions(options)
  const open = counted(await openWithEntryPoints(options))
  try {
    const { clock: mode, executed: _, ...rest } = options
    if (beginsAutomine({ ...rest, ...(mode && { mode }) })) await ask(open.node, 'evm_setAutomine', true)
    return open
  } catch (error) {
    await open.close()
    throw error
  }
}

/** Leaves what was counted for the reporter when it closes: a process of tests may be ended without notice. */
function counted(open: OpenChain): OpenChain {
  const counts = processCounts()
  if (!counts) return open
  return {
    ...open,
    async close() {
      await open.close()
      counts.write()
    },
  }
}

async function openWithEntryPoints(options: ChainOptions): Promise<OpenChain> {
  const { entrypoint, ...others } = options
  if (entrypoint === undefined) return openWithoutEntryPoints(others)
  const versions = checkEntryPoints(entrypoint)
  const { beginsAnew, placeEntryPoints, withEntryPoints } = await import('#server/entry-point/place-entry-points.ts')
  const folder = process.cwd()
  const {
    clock: _c,
    log: _l,
    latest: _r,
    data: _d,
    memory: _m,
    fork: _f,
    loadState: _s,
    jsTracers: _j,
    executed: _e,
    ...rest
  } = others
  const begun = beginsAnew(others) ? await withEntryPoints(rest, versions, folder) : {}
  const chain = await openWithoutEntryPoints({ ...others, ...begun })
  try {
    await placeEntryPoints(chain.node, versions, folder)
    return chain
  } catch (error) {
    await chain.close()
    throw error
  }
}

async function openWithoutEntryPoints(options: Omit<ChainOptions, 'entrypoint'>): Promise<OpenChain> {
  const {
    clock: mode,
    data,
    memory,
    loadState,
    fork: forkOptions,
    latest: _,
    jsTracers,
    executed,
    log = toConsole,
    ...rest
  } = options
  const fork = typeof forkOptions === 'string' ? undefined : forkOptions && forkCommandOf(forkOptions)
  const nodeOptions = { ...rest, ...(mode && { mode }) }
  const counting = executed ?? processCounts()?.executed
  const deps = {
    // Node's MessagePort has `onmessage`, as the browser's has; its type declarations do not.
    clock: createSystemClock(globalThis as unknown as TimerHost),
    log,
    heapBytes: HEAP_BYTES,
    helpers: recoveryThreads(new URL('./recovery-thread.js', import.meta.url)),
    ...(memory !== undefined && { memoryBytes: memory * 1024 * 1024 }),
    ...(jsTracers && { scripts: loadScripts }),
    ...(counting && { executed: counting }),
  }
  if (loadState !== undefined) {
    const { openStateFile } = await import('./state-file.ts')
    const file = typeof forkOptions === 'string' ? forkOptions : undefined
    const { node, close, replay } = await openStateFile(loadState, { endpoint: fork, file }, nodeOptions, deps)
    return { node, log, close, replay }
  }
  if (data !== undefined) {
    const { openStoredNode } = await import('#server/stored-node.ts')
    const lost = new Emitter<{ takenOver: JournalError }>()
    const { node, close } = await openStoredNode(data, nodeOptions, deps, {
      fork,
      onTakenOver: (reason) => lost.emit('takenOver', reason),
    })
    node.start()
    return { node, log, close, onTakenOver: (listener) => void lost.on('takenOver', listener) }
  }
  if (typeof forkOptions === 'string') {
    const { beginFromFile } = await import('#server/fork-file/replay.ts')
    const { node, close, replay } = await beginFromFile(forkOptions, nodeOptions, deps)
    node.start()
    return { node, log, close, replay }
  }
  if (fork) {
    const { beginFork } = await import('#server/fork/begin-fork.ts')
    const { node, close } = await beginFork(fork, nodeOptions, deps)
    node.start()
    return { node, log, close }
  }
  const node = await createNode(nodeOptions, deps)
  node.start()
  return { node, log, close: () => node.close() }
}

/** A view of a chain, with a connection and servers of its own: closing it leaves the chain to others. */
export async function viewChain(
  { node, log, onTakenOver }: Omit<OpenChain, 'close'>,
  latest?: LatestReading,
): Promise<Chain> {
  checkReading(latest)
  const connection = node.connect((body) => handle.receive(body), latest === undefined ? {} : { latest })
  let closed: Promise<void> | undefined
  const handle = createProvider(async (body) => {
    if (closed) throw new DisconnectedError('the chain is closed')
    return connection.handle(body)
  })
  const { provider } = handle
  /** Servers, those that begin to listen among them. */
  const servers = new Set<Promise<ChainServer>>()
  await handle.announceConnect()
  onTakenOver?.(({ message }) => handle.announceDisconnect(message))

  async function end(): Promise<void> {
    handle.announceDisconnect('the chain was closed')
    await Promise.allSettled([...servers].map(async (server) => (await server).close()))
    connection.close()
  }

  async function serve(options: ListenOptions): Promise<ChainServer> {
    const { host, ui, ...rest } = checkListenOptions(options)
    const page = ui ? openPageFiles(PAGE_FOLDER) : undefined
    const running = await startServer(node, { ...rest, host, page, log })
    return {
      url: `http://${host.includes(':') ? `[${host}]` : host}:${running.port}`,
      port: running.port,
      close: () => running.close(),
    }
  }

  return extendProvider<Chain>(provider, {
    ...createChainTools(provider),
    async listen(listenOptions = {}) {
      if (closed) throw new Error('the chain is closed')
      const starting = serve(listenOptions)
      servers.add(starting)
      try {
        const server = await starting
        if (closed) throw new Error('the chain is closed')
        return {
          ...server,
          async close() {
            servers.delete(starting)
            await server.close()
          },
        }
      } catch (error) {
        if (!closed) servers.delete(starting)
        throw error
      }
    },
    close: () => (closed ??= end()),
  })
}

/**
 * Starts a chain.
 *
 * @throws {Error} If an option makes no sense, the directory of `data` or the file of `loadState` cannot be used, or the
 * endpoint of `fork` cannot be forked.
 */
export async function createChain(options: ChainOptions = {}): Promise<Chain> {
  const open = await openChain(options)
  const view = await viewChain(open, options.latest).catch(async (error: unknown) => {
    await open.close()
    throw error
  })
  let closed: Promise<void> | undefined
  const end = async (): Promise<void> => {
    try {
      await view.close()
    } finally {
      await open.close()
    }
  }
  return extendProvider<Chain>(view, { ...view, close: () => (closed ??= end()) })
}

/** @throws {TypeError} The message names the option. The others are checked where they are used. */
function checkOptions(options: ChainOptions): void {
  if (typeof options !== 'object' || options === null) throw new TypeError('a chain takes an object of options')
  const { data, memory, loadState, fork, log, latest, jsTracers, executed } = options
  if (data !== undefined && (typeof data !== 'string' || data === '')) {
    throw new TypeError('data must be the name of a directory')
  }
  if (memory !== undefined && !(typeof memory === 'number' && memory >= 0 && memory <= 65_536)) {
    throw new TypeError('memory must be a number of MB from 0 to 65536')
  }
  if (loadState !== undefined && (typeof loadState !== 'string' || loadState === '')) {
    throw new TypeError('loadState must be the name of a file')
  }
  if (loadState !== undefined && data !== undefined) {
    throw new TypeError('data and loadState contradict each other: the chain lives in the directory')
  }
  if (typeof fork === 'string') {
    if (fork === '' || /^https?:\/\//i.test(fork)) {
      throw new TypeError('fork must be the name of a fork file, or an object: { url } names an endpoint')
    }
    if (data !== undefined) {
      throw new TypeError('data and a fork file contradict each other: a chain in a directory has what it has fetched')
    }
  }
  if (jsTracers !== undefined && typeof jsTracers !== 'boolean') throw new TypeError('jsTracers must be true or false')
  if (executed !== undefined && executed !== false && !(executed instanceof ExecutedCode)) {
    throw new TypeError('executed must be an ExecutedCode, or false')
  }
  if (log !== undefined && typeof log !== 'function') throw new TypeError('log must be a function')
  checkReading(latest)
}

function toConsole(level: 'info' | 'warn' | 'error', message: string, details?: unknown): void {
  if (level === 'info') return
  console[level](`blinknet: ${message}`, ...(details === undefined ? [] : [details]))
}
