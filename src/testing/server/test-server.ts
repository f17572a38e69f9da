import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { JsonRpcResponse } from '#rpc-types/envelope.ts'
import { parseCommand } from '#server/cli/cli.ts'
import { UsageError } from '#server/cli/usage-error.ts'
import { type NodeServer, runNode } from '#server/run-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'

/** Servers that a test starts as the command line does, one after the other, on a clock that only the test advances. */
export interface TestServer {
  /** A new, empty folder for each test. */
  readonly folder: string
  /** The newest server's clock, ports, and what it printed. */
  readonly clock: FakeClock
  readonly port: number
  readonly ownerPort: number
  readonly printed: string
  /** What all servers of the test logged. */
  readonly logged: readonly string[]
  /** Starts one with these arguments of the command line. */
  run(...args: readonly string[]): Promise<void>
  /** Starts one at a free port, unless the arguments name another. */
  start(...args: readonly string[]): Promise<void>
  /** Ends the newest one. */
  stop(): Promise<void>
  /** Calls the newest one over HTTP, as who may do everything; throws the node's message if it refuses. */
  rpc(method: string, ...params: readonly unknown[]): Promise<unknown>
}

/** Gives each test of a file its servers, and ends those that are left. */
export function serverOfEachTest(): TestServer {
  let running: NodeServer[] = []
  let logged: string[] = []
  let folder = ''
  let printed = ''
  let clock = new FakeClock()
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'blinknet-server-'))
    logged = []
    printed = ''
  })
  afterEach(async () => {
    const left = running
    running = []
    for (const server of left) await server.close()
    await rm(folder, { recursive: true, force: true })
  })
  const newest = () => {
    const server = running.at(-1)
    if (!server) throw new Error('no server runs')
    return server
  }
  async function run(...args: readonly string[]): Promise<void> {
    const command = parseCommand(args)
    if (command.kind !== 'run') throw new UsageError('message' in command ? command.message : command.kind)
    clock = new FakeClock()
    printed = ''
    const server = await runNode(command, {
      clock,
      log: (_level, message) => logged.push(message),
      print: (text) => {
        printed += `${text}\n`
      },
    })
    running.push(server)
  }
  return {
    get folder() {
      return folder
    },
    get clock() {
      return clock
    },
    get port() {
      return newest().port
    },
    get ownerPort() {
      return newest().ownerPort
    },
    get printed() {
      return printed
    },
    get logged() {
      return logged
    },
    run,
    start: (...args) => run('--port', '0', ...args),
    async stop() {
      await running.pop()?.close()
    },
    async rpc(method, ...params) {
      return rpcAt(`http://127.0.0.1:${newest().ownerPort}`, method, ...params)
    },
  }
}

/** Calls a server over HTTP; throws the node's message if it refuses. */
export async function rpcAt(url: string, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer = (await response.json()) as JsonRpcResponse
  if ('error' in answer) throw new Error(answer.error.message)
  return answer.result
}
