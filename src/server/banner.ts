import { DEV_KEYS, DEV_MNEMONIC } from '#rpc-types/dev-keys.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { VERSION } from '#rpc-types/version.ts'

/** What the server prints once it listens: where, which chain, and the accounts to use. */
export function banner(host: string, port: number, options: NodeOptions): string {
  const { chainId = 31337, partialMs = 200, partialsPerBlock = 10, mode = 'auto', speed = 1 } = options
  const blockMs = partialMs * partialsPerBlock
  const time =
    mode === 'manual'
      ? 'manual clock: the chain waits for devnet_tick'
      : `a partial block every ${partialMs} ms, sealed every ${blockMs} ms${speed === 1 ? '' : `, at speed ${speed}`}`
  const accounts = DEV_KEYS.flatMap(({ address, privateKey }, index) => [
    `(${index}) ${address}  10,000 ETH`,
    `    key ${privateKey}`,
  ])
  return [
    `Blinknet ${VERSION}`,
    '',
    'Public test accounts. Everyone knows these keys: never send anything of value to them.',
    ...accounts,
    `Mnemonic: ${DEV_MNEMONIC}`,
    '',
    `Chain id ${chainId}; ${time}.`,
    `Listening on http://${authority(host, port)} and ws://${authority(host, port)}`,
  ].join('\n')
}

/** Why the server cannot listen, as a sentence that says what to do; `undefined` if that is not what went wrong. */
export function explainListenError(error: unknown, host: string, port: number): string | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return `Port ${port} of ${host} is taken, perhaps by another node: stop it, or choose a port with --port (0 takes a free one).`
  }
  if (code === 'EACCES') return `This user may not listen on port ${port}: choose one above 1023 with --port.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || syscall === 'getaddrinfo') {
    return `This machine has no address ${host} to listen on: choose another with --host, such as 127.0.0.1 or 0.0.0.0.`
  }
  return undefined
}

function authority(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
