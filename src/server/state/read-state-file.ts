import { constants } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { fromBase64, isBase64 } from '#primitives/base64.ts'
import { harmlessLine } from '#primitives/harmless-line.ts'
import { isNestedDeeperThan, MAX_JSON_LEVELS } from '#primitives/json-text.ts'

/** Longest chain file that is read, packed or not, in bytes. */
const MAX_CHAIN_BYTES = 256 * 1024 * 1024
/** Longest JSON that is read, in bytes; parsing that much takes less than 2 GB of memory, whatever it contains. */
const MAX_JSON_BYTES = 32 * 1024 * 1024
/** The first bytes of a chain file, as text and in Base64. */
const MAGIC = 'BLINKNET'
const MAGIC_IN_BASE64 = 'QkxJTktORV'
const GZIP = [0x1f, 0x8b]

/** A chain file, or the JSON that `anvil_loadState` takes. Neither has been checked yet. */
export type StateFile =
  | { readonly kind: 'chain'; readonly file: Uint8Array }
  | { readonly kind: 'accounts'; readonly state: object }

/** Longest error message, in characters: it may quote the file, whose characters a terminal must not obey. */
const LONGEST_REASON = 300

/** A state file cannot be read, loaded or written. `message` says why, without naming the file. */
export class StateFileError extends Error {
  override readonly name = 'StateFileError'

  constructor(reason: string, options?: ErrorOptions) {
    super(harmlessLine(reason, LONGEST_REASON), options)
  }
}

/** Names of a state file in a directory: Blinknet's, which is also the one that is written, and anvil's. */
export const NAMES_IN_DIRECTORY = ['state.blinknet', 'state.json'] as const

/** Whether bytes begin as a chain file does. */
export function isChainFile(bytes: Uint8Array): boolean {
  return latin1(bytes.subarray(0, MAGIC.length)) === MAGIC
}

/**
 * Reads a state file, or the one in a directory: a chain file (plain, compressed with gzip, or in Base64 as returned by
 * `devnet_exportChain`), or a state in JSON, Blinknet's or anvil's.
 *
 * @returns `undefined` if there is no such file.
 * @throws {StateFileError} If it is none of these, or too large.
 */
export async function readStateFile(name: string): Promise<StateFile | undefined> {
  const bytes = await readWhole(name)
  if (!bytes) return undefined
  const unpacked = GZIP.every((byte, i) => bytes[i] === byte) ? await unpack(bytes) : bytes
  if (isChainFile(unpacked)) return { kind: 'chain', file: unpacked }
  const spelt = fromText(unpacked)
  if (spelt) return { kind: 'chain', file: spelt }
  return { kind: 'accounts', state: parseState(unpacked) }
}

/** Why {@link readStateFile} has found nothing. */
export async function whyMissing(name: string): Promise<string> {
  const found = await stat(name).catch(() => undefined)
  return found?.isDirectory() ? `it is a folder, without ${NAMES_IN_DIRECTORY.join(' or ')}` : 'there is no such file'
}

async function readWhole(name: string): Promise<Uint8Array | undefined> {
  for (const candidate of await candidatesOf(name)) {
    let handle: FileHandle
    try {
      // Opening a pipe would wait for somebody to write to it; it is refused instead.
      handle = await open(candidate, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue
      throw new StateFileError((error as Error).message, { cause: error })
    }
    try {
      return await readBounded(handle)
    } catch (error) {
      if (error instanceof StateFileError) throw error
      throw new StateFileError((error as Error).message, { cause: error })
    } finally {
      await handle.close()
    }
  }
  return undefined
}

async function candidatesOf(name: string): Promise<readonly string[]> {
  const found = await stat(name).catch(() => undefined)
  return found?.isDirectory() ? NAMES_IN_DIRECTORY.map((each) => path.join(name, each)) : [name]
}

async function readBounded(handle: FileHandle): Promise<Uint8Array> {
  const found = await handle.stat()
  if (!found.isFile()) throw new StateFileError('it is not a regular file')
  if (found.size > MAX_CHAIN_BYTES) {
    throw new StateFileError(`it has ${found.size} bytes, and at most ${MAX_CHAIN_BYTES} are read`)
  }
  const bytes = new Uint8Array(found.size)
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

async function unpack(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: MAX_CHAIN_BYTES })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason =
      code === 'ERR_BUFFER_TOO_LARGE' ? `it has more than ${MAX_CHAIN_BYTES} bytes` : (error as Error).message
    throw new StateFileError(`it cannot be unpacked: ${reason}`, { cause: error })
  }
}

/** Decodes a chain file in Base64, with or without quotation marks. */
function fromText(bytes: Uint8Array): Uint8Array | undefined {
  if (!latin1(bytes.subarray(0, MAGIC_IN_BASE64.length + 1)).includes(MAGIC_IN_BASE64)) return undefined
  const text = latin1(bytes)
    .trim()
    .replace(/^"(.*)"$/u, '$1')
  return isBase64(text) ? fromBase64(text) : undefined
}

/** Keeps only what `anvil_loadState` reads; blocks and transactions are left out. */
function parseState(bytes: Uint8Array): object {
  const neither = `it is neither a chain file nor a state in JSON`
  if (!/^\uFEFF?\s*\{/u.test(Buffer.from(bytes.subarray(0, 100)).toString())) throw new StateFileError(neither)
  if (bytes.length > MAX_JSON_BYTES) {
    throw new StateFileError(`its JSON has ${bytes.length} bytes, and at most ${MAX_JSON_BYTES} are read`)
  }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
  if (isNestedDeeperThan(text, MAX_JSON_LEVELS)) {
    throw new StateFileError(`its JSON has more than ${MAX_JSON_LEVELS} levels of arrays and objects`)
  }
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/u, ''))
  } catch (error) {
    throw new StateFileError(`${neither}: ${(error as Error).message}`, { cause: error })
  }
  const { format, version, accounts } = value as Readonly<Record<string, unknown>>
  if (accounts === undefined) throw new StateFileError('its JSON has no "accounts"')
  return { ...(format !== undefined && { format, version }), accounts }
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
