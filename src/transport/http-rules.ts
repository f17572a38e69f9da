import { isLatestReading, LATEST_READINGS, type LatestReading } from '#rpc-types/connection.ts'

/** Longest body of a request in bytes, over HTTP and WebSocket. */
export const MAX_BODY_BYTES = 5 * 1024 * 1024

/**
 * Most bytes of a compilation, which is larger than anything else that a caller says: the answer of a compiler for a whole
 * project. Over HTTP to the Node.js server.
 */
export const MAX_BUILD_BODY_BYTES = 32 * 1024 * 1024

/** How the body of a request with a compilation begins. Clients write the method before the parameters. */
const BUILD_REQUEST = /^\s*\{[^{[]{0,200}"method"\s{0,8}:\s{0,8}"hardhat_addCompilationResult"/

/** Characters of a body's beginning by which its method is told. */
export const BODY_START = 400

/** Whether a body that begins like this is a request with a compilation. */
export function beginsBuildRequest(start: string): boolean {
  return BUILD_REQUEST.test(start)
}

/** Methods of the JSON-RPC address, as the header `Allow` lists them. */
export const METHODS = 'POST, GET, HEAD, OPTIONS'

const CONTENT_TYPES = new Set(['application/json', 'application/json-rpc', 'application/jsonrequest'])

/** Why a request does not reach the node: text for people by HTTP status. JSON-RPC errors have status 200. */
export const REFUSALS = {
  400: `?latest= takes one of ${LATEST_READINGS.join(', ')}\n`,
  405: `method not allowed: ${METHODS} are\n`,
  408: 'the request did not arrive in time: send it faster, or in smaller parts\n',
  413: contentTooLarge(MAX_BODY_BYTES),
  503: 'the node receives too many large requests at a time: send fewer, or smaller ones\n',
  415: 'invalid content type, only application/json is supported\n',
} as const

/** Why a longer body is refused, in words. */
export function contentTooLarge(limit: number): string {
  return `content length too large: the limit is ${limit} bytes\n`
}

/**
 * Whether a body of this type is accepted as JSON-RPC.
 *
 * @param contentType - The header `Content-Type`, if there is one.
 */
export function isJsonRpcType(contentType: string | null | undefined): boolean {
  if (contentType === 'application/json') return true
  const mediaType = (contentType ?? '').split(';', 1)[0] ?? ''
  return CONTENT_TYPES.has(mediaType.trim().toLowerCase())
}

/** The parameter `latest` in an address. */
const LATEST_IN_QUERY = /^[^?#]*\?(?:[^#]*&)?latest=([^&#]*)/u

/**
 * What an address says `latest` means, as in `/?latest=preconfirmed`; `undefined` if it does not say.
 *
 * @param url - A whole URL, or its path and query.
 * @returns 400 for an unknown value.
 */
export function latestReadingOf(url: string): LatestReading | undefined | 400 {
  if (url === '/') return undefined
  const asked = LATEST_IN_QUERY.exec(url)?.[1]
  if (asked === undefined) return undefined
  return isLatestReading(asked) ? asked : 400
}
