import { JournalError } from '../storage/journal.ts'

/** Encodes JSON as one byte per character; everything outside ASCII is escaped. */
export function encodeJson(value: unknown): Uint8Array {
  const text = JSON.stringify(value).replace(
    /[^\0-~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

/** @throws {JournalError} `corrupt`, if the bytes are not JSON. */
export function decodeJson(bytes: Uint8Array, what: string): unknown {
  const pieces: string[] = []
  for (let start = 0; start < bytes.length; start += 8192) {
    pieces.push(String.fromCharCode(...bytes.subarray(start, start + 8192)))
  }
  try {
    return JSON.parse(pieces.join(''))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new JournalError('corrupt', `the stored ${what} cannot be read`, { cause: error })
  }
}
