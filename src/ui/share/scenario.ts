import { bytesToHex, type Hash, type Hex, hexToBytes } from '#primitives/hex.ts'
import { packForLink, unpackFromLink } from '#ui/format/link-text.ts'

/** Everything done to a chain with a manual clock since block 0, in order. */
export interface Scenario {
  readonly steps: readonly ScenarioStep[]
  /** The recorded result, to compare after a replay. */
  readonly head: { readonly number: number; readonly hash: Hash }
}

export type ScenarioStep =
  | { readonly kind: 'ticks'; readonly count: number }
  /** Signed bytes for `eth_sendRawTransaction`. */
  | { readonly kind: 'send'; readonly raw: Hex }

/** The address has no valid scenario, or one of another version. `message` is for people. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
}

const VERSION = 1
const TICKS = 1
const SEND = 2
const HASH_BYTES = 32
const CUT_SHORT = 'it is cut short'

/** Longest unpacked scenario, in bytes. */
const MAX_BYTES = 64_000
export const MAX_TICKS = 20_000
/** Longest transaction, in bytes, as the node's limit. */
const MAX_RAW_BYTES = 131_072

/** Packs a scenario as text for an address; `undefined` if it is too long for one. */
export async function packScenario(scenario: Scenario): Promise<string | undefined> {
  return packForLink(toBytes(scenario))
}

/**
 * Unpacks a result of {@link packScenario} completely before anything runs.
 *
 * @throws {ScenarioError} If it is invalid or too long.
 */
export async function unpackScenario(text: string): Promise<Scenario> {
  return fromBytes(await unpackFromLink(text, MAX_BYTES, (why, options) => new ScenarioError(why, options)))
}

function toBytes({ steps, head }: Scenario): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [VERSION]
  putNumber(bytes, head.number)
  bytes.push(...hexToBytes(head.hash))
  for (const step of steps) {
    if (step.kind === 'ticks') {
      bytes.push(TICKS)
      putNumber(bytes, step.count)
    } else {
      bytes.push(SEND)
      const raw = hexToBytes(step.raw)
      putNumber(bytes, raw.length)
      for (const byte of raw) bytes.push(byte)
    }
  }
  return Uint8Array.from(bytes)
}

function fromBytes(bytes: Uint8Array): Scenario {
  const reader = readerOf(bytes)
  const version = reader.number()
  if (version !== VERSION) throw new ScenarioError(`it has version ${version}, and this page reads version ${VERSION}`)
  const number = reader.number()
  const hash = reader.hex(HASH_BYTES)
  const steps: ScenarioStep[] = []
  let ticks = 0
  while (!reader.atEnd()) {
    const kind = reader.number()
    if (kind === TICKS) {
      const count = reader.number()
      ticks += count
      if (count === 0 || ticks > MAX_TICKS) throw new ScenarioError(`it asks for ${ticks} ticks`)
      steps.push({ kind: 'ticks', count })
    } else if (kind === SEND) {
      const length = reader.number()
      if (length === 0 || length > MAX_RAW_BYTES) throw new ScenarioError('a transaction in it has an invalid length')
      steps.push({ kind: 'send', raw: reader.hex(length) })
    } else throw new ScenarioError('it has a step of an unknown kind')
  }
  return { steps, head: { number, hash } }
}

/** Writes seven bits per byte, lowest first; the high bit means that more follow. */
function putNumber(bytes: number[], value: number): void {
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80)
    rest = Math.floor(rest / 0x80)
  }
  bytes.push(rest)
}

function readerOf(bytes: Uint8Array) {
  let at = 0
  const byte = () => {
    const value = bytes[at++]
    if (value === undefined) throw new ScenarioError(CUT_SHORT)
    return value
  }
  return {
    atEnd: () => at >= bytes.length,
    number(): number {
      let value = 0
      for (let factor = 1; factor < 2 ** 32; factor *= 0x80) {
        const next = byte()
        value += (next & 0x7f) * factor
        if (next < 0x80) return value
      }
      throw new ScenarioError('a number in it is too large')
    },
    hex(length: number): Hex {
      if (at + length > bytes.length) throw new ScenarioError(CUT_SHORT)
      at += length
      return bytesToHex(bytes.subarray(at - length, at))
    },
  }
}
