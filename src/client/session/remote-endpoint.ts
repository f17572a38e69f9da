/** A chain outside of this page. */
export interface RemoteEndpoint {
  readonly url: string
  readonly transport: 'http' | 'webSocket'
  /** `localhost:8545`: what it is called in the page. */
  readonly host: string
}

export type ParsedEndpoint =
  | { readonly ok: true; readonly endpoint: RemoteEndpoint }
  /** A sentence that says what is wrong and what to write instead. */
  | { readonly ok: false; readonly why: string }

const TRANSPORTS: Readonly<Record<string, RemoteEndpoint['transport']>> = {
  'http:': 'http',
  'https:': 'http',
  'ws:': 'webSocket',
  'wss:': 'webSocket',
}

/** Reads the address of a JSON-RPC endpoint as a person typed it. */
export function parseEndpoint(text: string): ParsedEndpoint {
  const trimmed = text.trim()
  if (trimmed === '') return { ok: false, why: 'Enter an address, such as http://127.0.0.1:8545.' }
  let url: URL
  try {
    url = new URL(trimmed)
  } catch {
    // `URL` says nothing but that it is none.
    return { ok: false, why: 'Not an address. It begins with http://, https://, ws:// or wss://.' }
  }
  const transport = Object.hasOwn(TRANSPORTS, url.protocol) ? TRANSPORTS[url.protocol] : undefined
  if (!transport) return { ok: false, why: 'An address begins with http://, https://, ws:// or wss://.' }
  if (url.username !== '' || url.password !== '') {
    return { ok: false, why: 'Browsers refuse a name and a password in an address. Leave them out.' }
  }
  url.hash = ''
  return { ok: true, endpoint: { url: url.href, transport, host: url.host } }
}

/** Hosts that a browser trusts without TLS: they are this machine. */
const LOCAL_HOST = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/

/** Whether a page that came over HTTPS may not speak with the endpoint: it is plain, and not on this machine. */
export function isMixedContent({ url }: RemoteEndpoint, pageProtocol: string): boolean {
  const { protocol, hostname } = new URL(url)
  return pageProtocol === 'https:' && (protocol === 'http:' || protocol === 'ws:') && !LOCAL_HOST.test(hostname)
}
