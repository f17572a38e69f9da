import { bytesToHex, type Hash, type Hex } from '#primitives/hex.ts'
import { keep, readKept } from '#ui/page/kept-text.ts'

/** What a phone keeps of a room. The key never leaves it. */
export interface KeptGuest {
  readonly privateKey: Hash
  /** The name under which it joined last; empty before that. */
  readonly name: string
  /** By which the room knows the guest again; left out before it has joined. */
  readonly secret?: Hex
}

const KEY = /^0x[0-9a-f]{64}$/
const SECRET = /^0x[0-9a-f]{32}$/
const keyOf = (room: string) => `blinknet:guest:${room}`

/** The guest that this browser was in the room, or a new one. @param room - The room's address. */
export function readGuest(room: string): KeptGuest {
  const kept = parse(readKept(keyOf(room)))
  if (kept) return kept
  // `crypto.subtle` is missing on plain http. A number that is no valid key has a chance of 2⁻¹²⁸.
  const guest = { privateKey: bytesToHex(crypto.getRandomValues(new Uint8Array(32))), name: '' }
  keepGuest(room, guest)
  return guest
}

export function keepGuest(room: string, guest: KeptGuest): void {
  keep(keyOf(room), JSON.stringify(guest))
}

function parse(text: string | null): KeptGuest | undefined {
  if (text === null) return undefined
  try {
    const { privateKey, name, secret } = JSON.parse(text) as Partial<Record<string, unknown>>
    if (typeof privateKey !== 'string' || !KEY.test(privateKey) || typeof name !== 'string') return undefined
    const isKnown = typeof secret === 'string' && SECRET.test(secret)
    return { privateKey: privateKey as Hash, name, ...(isKnown && { secret: secret as Hex }) }
  } catch {
    // This page did not write it, so it counts as missing.
    return undefined
  }
}

/** Whether the browser still has the guest after a reload. */
export function isKept(room: string): boolean {
  return readKept(keyOf(room)) !== null
}
