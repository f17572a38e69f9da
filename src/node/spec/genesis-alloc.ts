import { type Address, bytesToHex, type Hash } from '#primitives/hex.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { DevAccount, GenesisAccount } from './chain-spec.ts'
import { InvalidOptionError } from './invalid-option-error.ts'
import {
  membersOf,
  parseAddressOption,
  parseBigOption,
  parseBytesOption,
  parseWordOption,
  quote,
} from './parse-option.ts'
import { PREINSTALLED_CONTRACTS } from './preinstalled-contracts.ts'
import {
  BEACON_ROOTS_ADDRESS,
  BEACON_ROOTS_CODE,
  HISTORY_STORAGE_ADDRESS,
  HISTORY_STORAGE_CODE,
} from './system-contracts.ts'

type Alloc = Record<Address, GenesisAccount>

const MAX_BALANCE = 2n ** 256n - 1n
/** Accounts that are funded besides; a fork fetches each. */
const MAX_FUNDED = 1_000
/** The highest balance that one of them has, in wei, as of a development account. */
const MAX_FUNDS = 2n ** 128n
/** EIP-2681. */
const MAX_NONCE = 2n ** 64n - 2n

/**
 * The accounts of block 0: system contracts, preinstalled contracts and development accounts, overridden by the entries
 * of `genesis`, whose balances in turn are overridden.
 *
 * @throws {InvalidOptionError} If an entry is invalid; the message names it.
 */
export function createGenesisAlloc(
  accounts: readonly DevAccount[],
  genesis: NonNullable<NodeOptions['genesis']> = {},
  funded: ReturnType<typeof parseFunds> = {},
): Readonly<Alloc> {
  const alloc: Alloc = {
    [HISTORY_STORAGE_ADDRESS]: { balance: 0n, nonce: 1n, code: HISTORY_STORAGE_CODE },
    [BEACON_ROOTS_ADDRESS]: { balance: 0n, nonce: 1n, code: BEACON_ROOTS_CODE },
  }
  // A contract starts with nonce 1 (EIP-161).
  for (const { address, code } of PREINSTALLED_CONTRACTS) alloc[address] = { balance: 0n, nonce: 1n, code }
  for (const { address, balance } of accounts) alloc[address] = { balance }
  const seen = new Set<Address>()
  for (const [key, entry] of membersOf(genesis, 'genesis')) {
    // geth writes addresses without 0x.
    const address = parseAddressOption(/^[0-9a-f]{40}$/i.test(key) ? `0x${key}` : key, 'genesis: a key')
    if (seen.has(address)) throw new InvalidOptionError(`genesis: ${address} is there twice`)
    seen.add(address)
    alloc[address] = { balance: 0n, ...alloc[address], ...parseEntry(entry, `genesis: ${key}`) }
  }
  for (const [address, balance] of Object.entries(funded) as [Address, bigint][]) {
    alloc[address] = { ...alloc[address], balance }
  }
  return alloc
}

/**
 * Balances by address, in wei.
 *
 * @throws {InvalidOptionError} If one is invalid, or an account is there twice.
 */
export function parseFunds(funds: NonNullable<NodeOptions['fundAccounts']> = {}): Readonly<Record<Address, bigint>> {
  const members = membersOf(funds, 'fundAccounts')
  if (members.length > MAX_FUNDED) {
    throw new InvalidOptionError(`fundAccounts must be at most ${MAX_FUNDED}, not ${members.length}`)
  }
  const funded: Record<Address, bigint> = {}
  for (const [key, wei] of members) {
    const address = parseAddressOption(key, 'fundAccounts: a key')
    if (funded[address] !== undefined) throw new InvalidOptionError(`fundAccounts: ${address} is there twice`)
    funded[address] = parseBigOption(wei, `fundAccounts: ${address}`, MAX_FUNDS)
  }
  return funded
}

function parseEntry(entry: unknown, what: string): Partial<GenesisAccount> {
  const parsed: { -readonly [Name in keyof GenesisAccount]?: GenesisAccount[Name] } = {}
  for (const [name, value] of membersOf(entry, what)) {
    switch (name) {
      case 'balance':
        parsed.balance = parseBigOption(value, `${what}: balance`, MAX_BALANCE)
        break
      case 'nonce':
        parsed.nonce = parseBigOption(value, `${what}: nonce`, MAX_NONCE)
        break
      case 'code':
        parsed.code = bytesToHex(parseBytesOption(value, `${what}: code`))
        break
      case 'storage':
        parsed.storage = parseStorage(value, what)
        break
      default:
        throw new InvalidOptionError(
          `${what}: there is no ${quote(name)}; an account has balance, nonce, code and storage`,
        )
    }
  }
  return parsed
}

function parseStorage(value: unknown, what: string): Record<Hash, Hash> {
  const storage: Record<Hash, Hash> = {}
  for (const [key, word] of membersOf(value, `${what}: storage`)) {
    const slot = parseWordOption(key, `${what}: storage: a key`)
    if (storage[slot] !== undefined) throw new InvalidOptionError(`${what}: storage: slot ${slot} is there twice`)
    storage[slot] = parseWordOption(word, `${what}: storage[${quote(key)}]`)
  }
  return storage
}
