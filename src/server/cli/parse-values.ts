import type { Address } from '#primitives/hex.ts'

// Arguments of flags as values; `undefined` for invalid text.

/** ETH; a round number far below 2^128 wei. */
export const MAX_BALANCE_ETH = 1_000_000_000_000n
const WEI_DIGITS = 18
/** Characters of an address that a phone can read from a QR code across a room. */
const MAX_URL = 200

/** An origin as browsers send it, in lower case; a slash at its end is forgiven. */
export function parseOrigin(text: string): string | undefined {
  const origin = text.toLowerCase().replace(/\/$/, '')
  return origin === '*' || origin === 'null' || /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s,]+$/.test(origin) ? origin : undefined
}

/** The address of a page at the root of its host, with a slash at its end. */
export function parseRootUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, pathname, search, hash, username, password, href } = new URL(text)
  const isRoot = pathname === '/' && search === '' && hash === '' && username === '' && password === ''
  return isRoot && /^https?:$/.test(protocol) && href.length <= MAX_URL ? href : undefined
}

/** Hosts separated by commas; `undefined` if one is empty. */
export function parseHosts(text: string): readonly string[] | undefined {
  const hosts = text.split(',').map((host) => host.trim())
  return hosts.includes('') ? undefined : hosts
}

/** Milliseconds. */
export function parseSecondsAsMs(text: string): number | undefined {
  return /^\d{1,4}(?:\.\d{1,3})?$/.test(text) ? Math.round(Number(text) * 1000) : undefined
}

/** 64 bits. */
export function parseSeed(text: string): bigint | undefined {
  const seed = /^\d{1,20}$/.test(text) ? BigInt(text) : -1n
  return seed >= 0n && seed < 2n ** 64n ? seed : undefined
}

/** A path without the slash at its end. */
export function parsePath(text: string): string | undefined {
  const path = text.replace(/\/$/, '')
  const isPath = /^m(?:\/\d{1,10}'?)*$/.test(path)
  return isPath && path.split('/').every((part) => part === 'm' || Number.parseInt(part, 10) < 2 ** 31)
    ? path
    : undefined
}

export function parseHost(text: string): string | undefined {
  const host = text.toLowerCase()
  return /^(?:[a-z0-9_.-]+|\[?[0-9a-f:.]+\]?)$/.test(host) ? host : undefined
}

export const wordsOf = (words: readonly string[]) => words.map((word) => `"${word}"`).join(' or ')

export function oneOf<Word extends string>(words: readonly Word[]): (text: string) => Word | undefined {
  return (text) => words.find((word) => word === text)
}

export function nonEmpty(text: string): string | undefined {
  return text === '' ? undefined : text
}

export function parseWithin(text: string, min: number, max: number): number | undefined {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

export function parseAddress(text: string): Address | undefined {
  return /^0x[0-9a-f]{40}$/i.test(text) ? (text.toLowerCase() as Address) : undefined
}

/** Wei of a decimal number of ETH. */
export function parseEth(text: string): bigint | undefined {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d{1,18}))?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  const wei = BigInt(whole + fraction.padEnd(WEI_DIGITS, '0'))
  return wei <= MAX_BALANCE_ETH * 10n ** BigInt(WEI_DIGITS) ? wei : undefined
}

/** What {@link parseStreamPath} takes, in words. */
export const STREAM_PATH_RULE = 'a path such as /ws'

/** A path of up to four parts. */
export function parseStreamPath(text: string): string | undefined {
  return /^(?:\/[\w~-][\w.~-]{0,63}){1,4}$/.test(text) ? text : undefined
}
