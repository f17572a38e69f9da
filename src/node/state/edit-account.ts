import { trimLeadingZeros } from '#primitives/bytes.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import { type Account, EMPTY_CODE_HASH } from './state-reader.ts'
import type { WorldState } from './world-state.ts'

const MAX_UINT256 = 2n ** 256n - 1n
const NO_ACCOUNT: Account = { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH }

/** Sets an account's wei. */
export function setBalance(state: WorldState, address: Address, wei: bigint): void {
  write(state, address, { balance: wei })
}

/** Adds wei to an account, up to the largest balance. @returns The new balance. */
export function addBalance(state: WorldState, address: Address, wei: bigint): bigint {
  const sum = (state.account(address)?.balance ?? 0n) + wei
  const balance = sum < MAX_UINT256 ? sum : MAX_UINT256
  write(state, address, { balance })
  return balance
}

/** Sets an account's nonce, below 2^64. */
export function setNonce(state: WorldState, address: Address, nonce: bigint): void {
  write(state, address, { nonce })
}

/** Takes an account's code away; its storage stays. */
export function removeCode(state: WorldState, address: Address): void {
  write(state, address, { codeHash: EMPTY_CODE_HASH })
}

/** Sets a slot. @param value - Big-endian, at most 32 bytes. */
export function setSlot(state: WorldState, address: Address, slot: Hash, value: Uint8Array): void {
  state.setStorage(address, slot, trimLeadingZeros(value))
}

/** An account's full content, as in a state dump. */
export interface AccountContent {
  readonly nonce: bigint
  /** Wei. */
  readonly balance: bigint
  readonly code: Uint8Array
  /** Values big-endian, at most 32 bytes. */
  readonly storage: ReadonlyMap<Hash, Uint8Array>
}

/** Replaces an account, including its code. It has no storage then. */
export function putAccount(
  state: WorldState,
  address: Address,
  { nonce, balance, code }: Omit<AccountContent, 'storage'>,
): void {
  state.setAccount(address, undefined)
  state.setAccount(address, { nonce, balance, codeHash: EMPTY_CODE_HASH })
  if (code.length > 0) state.setCode(address, code)
}

function write(state: WorldState, address: Address, change: Partial<Account>): void {
  const account = state.account(address)
  const changed = { ...(account ?? NO_ACCOUNT), ...change }
  // An empty account is not created (EIP-161).
  if (!account && changed.nonce === 0n && changed.balance === 0n) return
  state.setAccount(address, changed)
}
