import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Callers that are allowed besides pages on localhost and programs without an origin. */
export interface AccessRules {
  /** The host that the server listens on, as given. */
  readonly host: string
  /** Origins as browsers send them, in lower case; `*` is every origin. */
  readonly allowOrigins: readonly string[]
  /** Whether pages of other origins may call at all, those on localhost for example; default true. */
  readonly cors?: boolean
  /** Host names without a port, in lower case. */
  readonly allowHosts: readonly string[]
  /** Whether all callers are programs on this machine: loopback names only, and nothing that came through a proxy. */
  readonly onlyDirect?: boolean
}

/** Addresses that no public DNS name needs to point to: loopback, private and link-local ones. */
function localAddresses(): BlockList {
  const list = new BlockList()
  list.addSubnet('127.0.0.0', 8, 'ipv4')
  list.addSubnet('10.0.0.0', 8, 'ipv4')
  list.addSubnet('172.16.0.0', 12, 'ipv4')
  list.addSubnet('192.168.0.0', 16, 'ipv4')
  list.addSubnet('169.254.0.0', 16, 'ipv4')
  list.addAddress('::1', 'ipv6')
  list.addSubnet('fc00::', 7, 'ipv6')
  list.addSubnet('fe80::', 10, 'ipv6')
  return list
}
/** Made with the first host that is neither localhost nor the server's own. */
let ofThisNetwork: BlockList | undefined

/** Headers that proxies add. Anyone can leave them out, so they catch only a proxy that was pointed at the wrong port. */
const OF_PROXIES = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'cf-connecting-ip',
]

const INDIRECT =
  'this port is for programs on this machine, which call it by localhost: lead proxies and tunnels to the port for guests\n'

/** The last `Host` header that each server allowed. A client sends the same one every time. */
const lastAllowed = new WeakMap<AccessRules, string>()

/**
 * The reason for refusing a request, in words; `undefined` if it may pass.
 *
 * Without the check of `Origin` every website that the user visits could use the node. Without the check of `Host` a
 * website could point its own name at this machine, and would then count as the same origin (DNS rebinding).
 */
export function accessRefusal(headers: IncomingHttpHeaders, rules: AccessRules): string | undefined {
  const { host, origin } = headers
  if (rules.onlyDirect && OF_PROXIES.some((header) => headers[header] !== undefined)) return INDIRECT
  // HTTP/1.0 has no Host. No browser speaks it.
  if (host !== undefined && host !== lastAllowed.get(rules)) {
    if (!isAllowedHost(host, rules)) {
      if (rules.onlyDirect) return INDIRECT
      return `the host ${quote(host)} is not allowed: call the node by localhost or an IP address, or start it with --allow-host ${hostArgument(host)}\n`
    }
    lastAllowed.set(rules, host)
  }
  if (origin !== undefined && !isSameOrigin(origin, host) && !isAllowedOrigin(origin, rules)) {
    const advice = rules.cors === false ? 'without --no-cors' : `with --allow-origin ${shorten(origin)}`
    return `the origin ${quote(origin)} is not allowed: start the node ${advice}\n`
  }
  return undefined
}

function isAllowedHost(header: string, { host, allowHosts, onlyDirect }: AccessRules): boolean {
  const name = hostName(header)
  if (name === undefined) return false
  if (onlyDirect) return name === 'localhost' || isLoopback(name)
  if (name === 'localhost' || name === bare(host) || allowHosts.some((allowed) => bare(allowed) === name)) return true
  const version = isIP(name)
  if (version === 0) return false
  ofThisNetwork ??= localAddresses()
  return ofThisNetwork.check(name, version === 6 ? 'ipv6' : 'ipv4')
}

/** Whether an IP address is one of this machine for itself. */
export function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
}

/**
 * Whether the caller is a web page that is allowed to call, but neither this node's own nor one of this machine: a site,
 * which must not choose which hosts the node itself calls.
 */
export function isForeignPage({ host, origin }: IncomingHttpHeaders): boolean {
  return origin !== undefined && !isSameOrigin(origin, host) && !isOfThisMachine(origin.toLowerCase())
}

/** Whether the caller is a page served by this node; the check of `Host` has already allowed the name. */
function isSameOrigin(origin: string, host: string | undefined): boolean {
  return host !== undefined && /^https?:\/\/(.*)$/.exec(origin)?.[1] === host.toLowerCase()
}

function isAllowedOrigin(origin: string, { allowOrigins, cors }: AccessRules): boolean {
  if (cors === false) return false
  const sent = origin.toLowerCase()
  if (allowOrigins.includes('*') || allowOrigins.includes(sent)) return true
  return isOfThisMachine(sent)
}

function isOfThisMachine(origin: string): boolean {
  return /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/.test(origin)
}

/** The name or address in a `Host` header, in lower case, without port and brackets; `undefined` if it is malformed. */
function hostName(header: string): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9_.-]+))(?::\d{1,5})?$/i.exec(header)
  const name = match?.[1] ?? match?.[2]
  return name === undefined ? undefined : bare(name)
}

/** One spelling of a host: lower case, no brackets, no dot at the end. */
function bare(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

const hostArgument = (header: string) => hostName(header.slice(0, MAX_QUOTED)) ?? 'HOST'

/** Characters of a header that a refusal repeats. */
const MAX_QUOTED = 100

function shorten(text: string): string {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text
}

const quote = (text: string) => JSON.stringify(shorten(text))
