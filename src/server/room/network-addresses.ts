import { isIP } from 'node:net'
import type { NetworkInterfaceInfo } from 'node:os'

/** Interfaces of containers and virtual machines, which no phone is in. */
const VIRTUAL = /^(?:docker|br-|veth|virbr|vmnet|vboxnet|vnic|bridge|lxc|lxd|cni|flannel|podman|utun|tun|tap|zt)/i

type Interfaces = Readonly<Record<string, readonly Pick<NetworkInterfaceInfo, 'address' | 'internal'>[] | undefined>>

/**
 * This machine's addresses in its networks, the likeliest one for phones in the same room first.
 *
 * @param interfaces - As `networkInterfaces()` has them.
 */
export function networkAddresses(interfaces: Interfaces): readonly string[] {
  const found = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ address, internal }) => !internal && !isLinkLocal(address))
      .map(({ address }) => ({ address, rank: (VIRTUAL.test(name) ? 10 : 0) + rankOf(address) })),
  )
  return found.toSorted((a, b) => a.rank - b.rank).map(({ address }) => address)
}

/** Without a router, and in IPv6 not to be written in a browser's address bar. */
function isLinkLocal(address: string): boolean {
  return /^(?:169\.254\.|fe[89ab])/i.test(address)
}

/** Networks at home and in halls have mostly 192.168, those of companies 10. */
function rankOf(address: string): number {
  if (isIP(address) === 6) return 4
  if (address.startsWith('192.168.')) return 0
  if (address.startsWith('10.')) return 1
  return /^172\.(?:1[6-9]|2\d|3[01])\./.test(address) ? 2 : 3
}
