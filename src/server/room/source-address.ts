import { isIP } from 'node:net'
import { isLoopback } from '#server/http/access.ts'

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

/** An IPv4 address in its own spelling, where the socket has it as an IPv6 address. */
function plainAddress(address = ''): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
