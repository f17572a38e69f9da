/** The address of a remote chain. */
export interface ChainAddress {
  readonly url: string
  readonly transport: 'http' | 'webSocket'
  /** Name of the chain in the page, such as `localhost:8545`. */
  readonly host: string
}

export type ParsedEndpoint =
  | { readonly ok: true; readonly endpoint: ChainAddress }
  /** A sentence that says what is wrong and what to write instead. */
  | { readonly ok: false; readonly why: string }

const TRANSPORTS: Readonly<Record<string, ChainAddress['transport']>> = {
  'http:': 'http',
  'https:': 'http',
  'ws:': 'webSocket',
  'wss:': 'webSocket',
}

/** Parses the address of a JSON-RPC endpoint as typed by a person. */
export function parseEndpoint(text: string): ParsedEndpoint {
  const trimmed = text.trim()
  if (trimmed === '') return { ok: false, why: 'Enter an address, such as http://127.0.0.1:8545.' }
  let url: URL
  try {
    url = new URL(trimmed)
  } catch {
    // `URL` does not say what is wrong.
    return { ok: false, why: 'Not an address. Addresses start with http://, https://, ws:// or wss://.' }
  }
  const transport = Object.hasOwn(TRANSPORTS, url.protocol) ? TRANSPORTS[url.protocol] : undefined
  if (!transport) return { ok: false, why: 'An address starts with http://, https://, ws:// or wss://.' }
  if (url.username !== '' || url.password !== '') {
    return { ok: false, why: 'Browsers refuse a name and a password in an address. Leave them out.' }
  }
  url.hash = ''
  return { ok: true, endpoint: { url: url.href, transport, host: url.host } }
}

/** A chain elsewhere, and the block after which a fork continues it: the newest by default. */
export interface ForkedChain {
  readonly endpoint: ChainAddress
  readonly blockNumber: number | undefined
}

type ParsedFork = ({ readonly ok: true } & ForkedChain) | (ParsedEndpoint & { readonly ok: false })

/** Parses the address of an endpoint, and a block after its last @. A fork asks over HTTP, which most serve at the same place. */
export function parseFork(text: string): ParsedFork {
  const block = /@(\d{1,15})$/.exec(text)?.[1]
  const parsed = parseEndpoint((block ? text.slice(0, -block.length - 1) : text).replace(/^ws/, 'http'))
  return parsed.ok ? { ...parsed, blockNumber: block ? Number(block) : undefined } : parsed
}

/** Hosts on this machine, which browsers trust without TLS. */
const LOCAL_HOST = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/

/** Whether a name or an address is this machine's own, which no other device can reach. @param hostname - As in a `URL`. */
export function isLocalHost(hostname: string): boolean {
  return LOCAL_HOST.test(hostname)
}

/** Whether an HTTPS page may not connect to the endpoint, because it is plain and not on this machine. */
export function isMixedContent({ url }: ChainAddress, pageProtocol: string): boolean {
  const { protocol, hostname } = new URL(url)
  return pageProtocol === 'https:' && (protocol === 'http:' || protocol === 'ws:') && !isLocalHost(hostname)
}
