import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { RpcEndpoint } from '#rpc-types/connection.ts'
import { authority } from './cli/banner.ts'
import type { RunCommand } from './cli/cli.ts'
import { UsageError } from './cli/usage-error.ts'
import type { ChainPaths } from './http/chain-paths.ts'
import type { PageFiles } from './http/page-files.ts'
import { type RunningServer, type ServerOptions, serveChains, serveDoor, startServer } from './http/start-server.ts'
import { IpcError, startIpc } from './ipc/start-ipc.ts'
import { networkAddresses } from './room/network-addresses.ts'
import type { Room } from './room/room.ts'

/** Where the speaker of a room is served: no other machine reaches it. */
const SPEAKER_HOST = '127.0.0.1'
const LAST_PORT = 65_535

/** Where a chain is served. */
export interface Served {
  /** For everybody, or for the guests of a room. */
  readonly port: number
  /** For who may do everything: the same, or the speaker's own. */
  readonly owner: { readonly hosts: readonly string[]; readonly port: number }
  close(): Promise<void>
}

interface ServeDeps extends Pick<ServerOptions, 'log'> {
  readonly page: PageFiles | undefined
}

/**
 * Serves chains at each of the hosts, on the same port, and a node at the socket; where one is refused, nowhere. With a room
 * the hosts are for guests, whatever their requests say, and the speaker has a port of its own on this machine.
 *
 * @param node - The first chain.
 * @throws {UsageError} If the socket cannot be made.
 * @throws {NodeJS.ErrnoException} If it cannot listen.
 */
export async function serve(
  node: RpcEndpoint,
  way: { readonly room: Room } | { readonly paths: ChainPaths },
  command: RunCommand,
  deps: ServeDeps,
): Promise<Served> {
  const { hosts, ipc, allowHosts } = command
  const room = 'room' in way ? way.room : undefined
  const owner = room?.speaker ?? node
  // Guests call this machine by its addresses, private or not; a website can give itself a name, but no address.
  const ofGuests = room ? guestAddresses(command, 0).map((url) => new URL(url).hostname) : []
  const options = { ...command, ...deps, allowHosts: [...allowHosts, ...hosts, ...ofGuests] }
  const servers: Pick<RunningServer, 'close'>[] = []
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()))
  }
  let { port } = command
  let speaker: RunningServer | undefined
  try {
    for (const host of hosts) {
      const at = { ...options, host, port }
      const server = await ('room' in way ? serveDoor(way.room, at) : serveChains(way.paths, at))
      servers.push(server)
      port = server.port
    }
    if (room) {
      speaker = await serveSpeaker(owner, options, port + 1)
      servers.push(speaker)
    }
    if (ipc !== undefined) servers.push(await startIpc(owner, { ...options, path: ipc }))
  } catch (error) {
    await close()
    if (!(error instanceof IpcError)) throw error
    throw new UsageError(`There can be no socket at ${ipc} (--ipc): ${error.message}.`, { cause: error })
  }
  return { port, owner: speaker ? { hosts: [speaker.host], port: speaker.port } : { hosts, port }, close }
}

/** @param wanted - The port; where it is taken, any free one. */
async function serveSpeaker(
  speaker: RpcEndpoint,
  options: Omit<ServerOptions, 'host' | 'port'>,
  wanted: number,
): Promise<RunningServer> {
  const at = { ...options, host: SPEAKER_HOST, onlyDirect: true }
  try {
    return await startServer(speaker, { ...at, port: wanted > LAST_PORT ? 0 : wanted })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return startServer(speaker, { ...at, port: 0 })
  }
}

/** Where guests reach the room, the best address first; that of this machine only if it is in no network. */
export function guestAddresses({ room, hosts }: RunCommand, port: number): readonly string[] {
  const all = networkAddresses(networkInterfaces())
  const own = hosts.flatMap((host) => {
    if (host === '::') return all
    return host === '0.0.0.0' ? all.filter((address) => isIP(address) === 4) : [host]
  })
  const urls = (own.length > 0 ? own : [SPEAKER_HOST]).map((host) => `http://${authority(host, port)}/`)
  return room?.url === undefined ? urls : [room.url, ...urls]
}
