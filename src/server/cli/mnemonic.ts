import type { Address, Hash } from '#primitives/hex.ts'
import { DEV_KEYS, DEV_MNEMONIC, type DevKey } from '#rpc-types/dev-keys.ts'
import { NEXT_DEV_KEYS } from '#rpc-types/next-dev-keys.ts'
import { seededBytes } from './seeded-random.ts'
import { UsageError } from './usage-error.ts'

/** Words of a mnemonic. */
const LENGTHS = [12, 15, 18, 21, 24]
/** Bits of a word. */
const WORD_BITS = 11

/** Where the accounts of a mnemonic are, without their number. */
export const USUAL_PATH = "m/44'/60'/0'/0"

/** A new mnemonic. @param words - 12, 15, 18, 21 or 24. */
export async function createMnemonic(words: number): Promise<string> {
  const { english, generateMnemonic } = await import('viem/accounts')
  return generateMnemonic(english, (words / 3) * 32)
}

/** The mnemonic of twelve words that anvil makes of a seed. @param seed - 64 bits. */
export async function seedMnemonic(seed: bigint): Promise<string> {
  const { english } = await import('viem/accounts')
  const entropy = seededBytes(seed, 16)
  const bits = [...entropy].map((byte) => bitsOf(byte)).join('') + checksumOf(entropy, 4)
  const numbers = bits.match(/.{11}/gu) ?? []
  return numbers.map((number) => english[Number.parseInt(number, 2)]).join(' ')
}

/**
 * The first accounts of a mnemonic.
 *
 * @param path - Where they are, without their number and the slash before it.
 * @param mnemonic - Words with single spaces between them, as {@link normalizeMnemonic} returns them.
 * @throws {UsageError} If it is no English mnemonic of BIP-39.
 */
export async function deriveKeys(mnemonic: string, count: number, path = USUAL_PATH): Promise<readonly DevKey[]> {
  const known = [...DEV_KEYS, ...NEXT_DEV_KEYS]
  if (mnemonic === DEV_MNEMONIC && path === USUAL_PATH && count <= known.length) return known.slice(0, count)
  // Loaded on demand: most nodes start without it, also with twenty accounts as Hardhat has, and twice as fast.
  const { english, HDKey, mnemonicToAccount, privateKeyToAddress } = await import('viem/accounts')
  checkMnemonic(mnemonic, english)
  const { privateExtendedKey } = mnemonicToAccount(mnemonic, { path: path as typeof USUAL_PATH }).getHdKey()
  const parent = HDKey.fromExtendedKey(privateExtendedKey)
  return Array.from({ length: count }, (_, index) => {
    const { privateKey } = parent.deriveChild(index)
    if (!privateKey) throw new TypeError('an account derived from a mnemonic has no private key')
    const key: Hash = `0x${Buffer.from(privateKey).toString('hex')}`
    return { address: privateKeyToAddress(key).toLowerCase() as Address, privateKey: key }
  })
}

/** The words in lower case with single spaces between them. */
export function normalizeMnemonic(text: string): string {
  return text.normalize('NFKD').trim().toLowerCase().split(/\s+/).join(' ')
}

/** @see {@link https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki | BIP-39} */
function checkMnemonic(mnemonic: string, wordList: readonly string[]): void {
  const words = mnemonic.split(' ')
  if (!LENGTHS.includes(words.length)) {
    throw new UsageError(`--mnemonic takes ${LENGTHS.slice(0, -1).join(', ')} or 24 words, not ${words.length}.`)
  }
  let bits = ''
  for (const [index, word] of words.entries()) {
    const number = wordList.indexOf(word)
    // Do not repeat the word: it may be a mistyped secret.
    if (number < 0) throw new UsageError(`Word ${index + 1} of --mnemonic is not in the English list of BIP-39.`)
    bits += number.toString(2).padStart(WORD_BITS, '0')
  }
  const checksumBits = bits.length / 33
  const entropy = bits.slice(0, -checksumBits)
  const bytes = Uint8Array.from({ length: entropy.length / 8 }, (_, i) =>
    Number.parseInt(entropy.slice(8 * i, 8 * i + 8), 2),
  )
  if (checksumOf(bytes, checksumBits) !== bits.slice(-checksumBits)) {
    throw new UsageError('The words of --mnemonic do not fit together: the last one is a checksum of the others.')
  }
}

const bitsOf = (byte: number) => byte.toString(2).padStart(8, '0')

/** The bits that follow the entropy. */
function checksumOf(entropy: Uint8Array, length: number): string {
  // Not imported: a server with the usual accounts starts without it.
  const [first = 0] = process.getBuiltinModule('node:crypto').createHash('sha256').update(entropy).digest()
  return bitsOf(first).slice(0, length)
}
