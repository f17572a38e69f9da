import { chmod, lstat, mkdtemp, rename, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import path from 'node:path'
import type { LatestReading, RpcEndpoint } from '#rpc-types/connection.ts'
import { boundedOutput } from '#server/http/bounded-output.ts'
import { SERVER_LIMITS, type ServerLimits } from '#server/http/limits.ts'
import { SharedBudget } from '#server/http/shared-budget.ts'
import { takeTurns } from '#server/http/take-turns.ts'
import { MAX_BODY_BYTES } from '#transport/http-rules.ts'
import { JsonSplitter } from './json-splitter.ts'

/** Milliseconds that open sockets have to end. */
const GRACE_MS = 1_000
/** Longest path of a Unix socket on macOS; Linux allows four more bytes. */
const MAX_PATH_BYTES = 103

/** A Unix socket cannot be served. `message` says why, without naming it. */
export class IpcError extends Error {
  override readonly name = 'IpcError'
}

export interface IpcOptions {
  /** Where the socket's file is made. */
  readonly path: string
  /** The reading of `latest`; default `sealed`. */
  readonly latest?: LatestReading
  readonly log: (level: 'warn' | 'error', message: string, details?: unknown) => void
  /** Default {@link SERVER_LIMITS}; there may be as many sockets as WebSockets. */
  readonly limits?: Partial<ServerLimits>
}

/** A served Unix socket. */
export interface RunningIpc {
  /** Ends the connections, and removes the file. */
  close(): Promise<void>
}

/**
 * Serves `endpoint` over a Unix socket that only this user can open: JSON-RPC, a line for each message, subscriptions
 * included. Every socket is one connection.
 *
 * @throws {IpcError} If something is there that is no abandoned socket, or the socket cannot be made.
 */
export async function startIpc(endpoint: RpcEndpoint, options: IpcOptions): Promise<RunningIpc> {
  const { path: file, latest = 'sealed', log } = options
  if (process.platform === 'win32') throw new IpcError('this system has no Unix sockets')
  const limits = { ...SERVER_LIMITS, ...options.limits }
  const received = new SharedBudget(limits.receivedBytes)
  const pushed = new SharedBudget(limits.pushedBytes)
  const sockets = new Set<Socket>()

  function serve(socket: Socket): void {
    sockets.add(socket)
    const input = received.open(() => socket.destroy())
    const output = pushed.open(() => socket.destroy())
    const write = boundedOutput<string>(output, limits.bufferedBytes, {
      waiting: () => socket.writableLength,
      write: (body, done) => socket.write(`${body}\n`, done),
      cutOff: () => socket.destroy(),
    })
    const connection = endpoint.connect(send, { latest })
    /** Messages whose answers are not written. */
    let answering = 0
    let counted = 0

    function send(body: string): void {
      if (socket.writable) write(body)
    }

    async function answer(body: string): Promise<void> {
      answering++
      try {
        const text = await connection.handle(body)
        if (text !== undefined) send(text)
      } catch (error) {
        // `handle` never rejects; if it does all the same, that bug ends this socket and not the process.
        log('error', 'an IPC message could not be answered', error)
        socket.destroy()
      }
      answering--
      endIfDone()
    }

    /** A client that has said all it wants still gets its answers. */
    function endIfDone(): void {
      if (socket.readableEnded && answering === 0) socket.end()
    }

    const splitter = new JsonSplitter((text) => void answer(text))
    socket.on('data', (chunk) => {
      splitter.push(chunk)
      input.add(splitter.begunBytes - counted)
      counted = splitter.begunBytes
      if (counted > MAX_BODY_BYTES) socket.destroy()
      takeTurns(socket, chunk)
    })
    socket.on('end', endIfDone)
    socket.on('close', () => {
      sockets.delete(socket)
      input.end()
      output.end()
      connection.close()
    })
    // The client broke the connection; it closes by itself.
    socket.on('error', () => {})
  }

  const server = createServer({ allowHalfOpen: true }, serve)
  server.maxConnections = limits.webSockets
  const made = await listenAt(server, file)

  return {
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      await removeIfSame(file, made)
      for (const socket of sockets) socket.end()
      const grace = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, GRACE_MS)
      await closed
      clearTimeout(grace)
    },
  }
}

/** Identifies a socket's file, in case another one takes its path. */
interface FileId {
  readonly ino: bigint
  readonly dev: bigint
}

/**
 * Makes the socket in a directory that nobody else can enter, closes it to others, and puts it where it belongs: so there
 * is no moment at which they could connect.
 */
async function listenAt(server: ReturnType<typeof createServer>, file: string): Promise<FileId> {
  await refuseOthers(file)
  let folder: string | undefined
  try {
    folder = await mkdtemp(path.join(path.dirname(file), '.ipc-'))
    const first = path.join(folder, 's')
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(first, () => {
        server.off('error', reject)
        resolve()
      })
    })
    await chmod(first, 0o600)
    const made = await lstat(first, { bigint: true })
    await rename(first, file)
    return made
  } catch (error) {
    server.close()
    throw new IpcError((error as Error).message, { cause: error })
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}

/** @throws {IpcError} If the path is too long or something is there, unless it is a socket at which nobody answers. */
async function refuseOthers(file: string): Promise<void> {
  const bytes = Buffer.byteLength(file)
  if (bytes > MAX_PATH_BYTES) throw new IpcError(`a socket's path has at most ${MAX_PATH_BYTES} bytes, not ${bytes}`)
  try {
    const found = await lstat(file)
    if (!found.isSocket()) throw new IpcError('it is there and is no socket')
  } catch (error) {
    if (error instanceof IpcError) throw error
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw new IpcError((error as Error).message, { cause: error })
  }
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(file, () => {
      socket.destroy()
      resolve('another program listens there')
    })
    socket.on('error', ({ code, message }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED' ? '' : message))
  })
  if (answer !== '') throw new IpcError(answer)
}

/** Removes the socket's file, unless another has taken its place. */
async function removeIfSame(file: string, { ino, dev }: FileId): Promise<void> {
  try {
    const found = await lstat(file, { bigint: true })
    if (found.ino === ino && found.dev === dev) await rm(file)
  } catch {
    // The file has gone already.
  }
}
