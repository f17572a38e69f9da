import { gunzip, isGzip } from '#client/node/chain-file.ts'
import { isObject, type JsonObject } from '#primitives/json-object.ts'
import { isNestedDeeperThan, MAX_JSON_LEVELS } from '#primitives/json-text.ts'
import type { GenesisAccountOption } from '#rpc-types/node-options.ts'
import type { AnvilStateDump, StateDump } from '#rpc-types/state-dump.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'

/** A file and its kind. Only the kind is checked here; the node checks the rest. */
export type FoundFile =
  /** A chain exported by Blinknet. */
  | { readonly kind: 'chain'; readonly file: Uint8Array<ArrayBuffer> }
  /** A state from `devnet_exportState`. */
  | { readonly kind: 'state'; readonly state: StateDump }
  /** A state dumped by anvil. */
  | { readonly kind: 'anvil-state'; readonly state: AnvilStateDump }
  /** geth's genesis.json, or its accounts alone. */
  | {
      readonly kind: 'genesis'
      readonly genesis: Readonly<Record<string, GenesisAccountOption>>
      readonly chainId: number | undefined
      /** Members of the file that are not used. */
      readonly unused: readonly string[]
    }

const CHAIN_MAGIC = Uint8Array.from('BLINKNET', (character) => character.charCodeAt(0))
const CAN_READ =
  'Blinknet can import: a chain that it exported, a state from devnet_exportState or anvil (--dump-state), and geth’s genesis or alloc files, with or without gzip. Nothing was changed.'
/** The deepest layers of encoding that make sense. */
const MAX_LAYERS = 4
const NAMES_SHOWN = 5

/**
 * Detects the kind of a file, through gzip and hex.
 *
 * @throws {ExplainedError} If it cannot be imported; the message says what was found.
 * @throws {UnpackError} If it is packed and cannot be unpacked.
 */
export async function sniffFile(file: Uint8Array<ArrayBuffer>): Promise<FoundFile> {
  let bytes = file
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    if (isGzip(bytes)) bytes = await gunzip(bytes)
    if (bytes.length === 0) throw foundInstead('The file is empty.')
    if (startsWith(bytes, CHAIN_MAGIC)) return { kind: 'chain', file: bytes }
    const text = decodeText(bytes)
    const inner = fromHexText(text)
    if (!inner) return readJson(text)
    bytes = inner
  }
  throw foundInstead('The file is hexadecimal text that contains more hexadecimal text.')
}

function startsWith(bytes: Uint8Array, magic: Uint8Array): boolean {
  return magic.every((byte, i) => bytes[i] === byte)
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim()
  } catch (error) {
    throw foundInstead('The file is neither text nor a Blinknet chain.', error)
  }
}

/**
 * The bytes of hex text such as the result of `anvil_dumpState`, with or without quotes; `undefined` for any other
 * text.
 */
function fromHexText(text: string): Uint8Array<ArrayBuffer> | undefined {
  const digits = /^"?0x((?:[0-9a-f]{2})+)"?$/i.exec(text)?.[1]
  if (digits === undefined) return undefined
  const bytes = new Uint8Array(digits.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16)
  return bytes
}

function readJson(text: string): FoundFile {
  const value = parseJson(text)
  if (!isObject(value)) throw foundInstead(`The file is JSON, but it is ${inWords(value)}, not an object.`)
  if (value['format'] !== undefined) return readOwnState(value)
  if (isObject(value['alloc'])) return readGenesis(value, value['alloc'])
  // anvil's dump also has blocks and more, which are ignored.
  if (isObject(value['accounts'])) return { kind: 'anvil-state', state: value as unknown as AnvilStateDump }
  const keys = Object.keys(value)
  if (keys.length > 0 && keys.every((key) => /^(0x)?[0-9a-f]{40}$/i.test(key))) return readGenesis({}, value)
  throw foundInstead(`The file is a JSON object with ${namesOf(keys)}.`)
}

function parseJson(text: string): unknown {
  // What passes it on is recursive.
  if (isNestedDeeperThan(text, MAX_JSON_LEVELS)) {
    throw foundInstead(`The file has more than ${MAX_JSON_LEVELS} levels of lists and objects within each other.`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw foundInstead('The file is text, but not JSON.', error)
  }
}

function readOwnState(value: JsonObject): FoundFile {
  const { format, version } = value
  if (format !== 'blinknet-state') throw foundInstead(`The file has the format ${JSON.stringify(format)}.`)
  if (version !== 1) {
    throw foundInstead(`The file is a state of version ${JSON.stringify(version)}. This Blinknet reads version 1.`)
  }
  return { kind: 'state', state: value as unknown as StateDump }
}

function readGenesis({ alloc: _alloc, config, ...rest }: JsonObject, accounts: JsonObject): FoundFile {
  const chainId = isObject(config) ? config['chainId'] : undefined
  if (chainId !== undefined && typeof chainId !== 'number') {
    throw foundInstead('The file is a genesis, but its "config.chainId" is not a number.')
  }
  return {
    kind: 'genesis',
    genesis: accounts as Readonly<Record<string, GenesisAccountOption>>,
    chainId,
    unused: Object.keys(rest),
  }
}

function namesOf(keys: readonly string[]): string {
  if (keys.length === 0) return 'nothing in it'
  const shown = keys.slice(0, NAMES_SHOWN).map((key) => JSON.stringify(key.length > 24 ? `${key.slice(0, 24)}…` : key))
  const rest = keys.length - shown.length
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

function inWords(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}

function foundInstead(what: string, cause?: unknown): ExplainedError {
  return new ExplainedError(what, CAN_READ, { cause })
}
