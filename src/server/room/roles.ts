import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { hostName } from '#server/http/access.ts'

/**
 * Headers that proxies add. They prove nothing about the caller, since anyone can send them; but a request with one has
 * come through a proxy, and the proxy's own address says nothing about the caller either.
 */
const OF_PROXIES = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'cf-connecting-ip',
]

/**
 * Whether a request is the speaker's: it comes from this machine and calls it by a loopback name. Every other is a
 * guest's, even if it comes through a tunnel or a proxy on this machine, with the name that guests use.
 */
export function isSpeaker({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  if (!isLoopback(plainAddress(socket.remoteAddress))) return false
  const name = headers.host === undefined ? undefined : hostName(headers.host)
  if (name === undefined || !(name === 'localhost' || isLoopback(name))) return false
  return OF_PROXIES.every((header) => headers[header] === undefined)
}

/** An IPv4 address in its own spelling, where the socket has it as an IPv6 address. */
function plainAddress(address = ''): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
}

/**
 * The name under which connections of one device or network are counted together: the IPv4 address, or the first half
 * of the IPv6 address, since one device may use any number of addresses with the same first half.
 *
 * @returns `undefined` for loopback: many guests may come from there, through a tunnel.
 */
export function sourceOf(remoteAddress: string | undefined): string | undefined {
  const address = plainAddress(remoteAddress)
  if (isLoopback(address)) return undefined
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.replace(/%.*$/, '').split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array.from({ length: zeros }, () => '0'), ...after].slice(0, 4).join(':')
}
