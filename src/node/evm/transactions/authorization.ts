import { RLP } from '@ethereumjs/rlp'
import { bigIntToBytes, concatBytes } from '#primitives/bytes.ts'
import { type Address, bytesToHex, hexToBytes } from '#primitives/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { recoverAddress } from '../../crypto/recovery.ts'
import { SECP256K1_HALF_ORDER, SECP256K1_ORDER } from '../../crypto/secp256k1.ts'
import { EMPTY_CODE_HASH } from '../../state/state-snapshot.ts'
import type { WorldState } from '../../state/world-state.ts'
import { type Authorization, MAX_NONCE } from '../../tx/transaction.ts'

const MAGIC = Uint8Array.of(0x05)
const DESIGNATOR = Uint8Array.of(0xef, 0x01, 0x00)
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
/** PER_EMPTY_ACCOUNT_COST − PER_AUTH_BASE_COST, gas. */
const EXISTING_ACCOUNT_REFUND = 12_500n

/** Whether the code is a delegation designator: 0xef0100 ‖ address. */
export function isDelegation(code: Uint8Array): boolean {
  return code.length === 23 && code[0] === 0xef && code[1] === 0x01 && code[2] === 0x00
}

/** The account whose code runs because of a delegation designator; `undefined` for any other code. */
export function delegateOf(code: Uint8Array): Address | undefined {
  return isDelegation(code) ? bytesToHex(code.subarray(3)) : undefined
}

/** The authority that signed the tuple; `undefined` if its signature is invalid. */
export function recoverAuthority(tuple: Authorization): Address | undefined {
  const { yParity, r, s } = tuple
  if (yParity > 1n || s > SECP256K1_HALF_ORDER || s === 0n || r === 0n || r >= SECP256K1_ORDER) return undefined
  return recoverAddress(authorizationDigest(tuple), { r, s, yParity: yParity === 1n ? 1 : 0 })
}

/** The 32 bytes that the authority signs. */
export function authorizationDigest({
  chainId,
  address,
  nonce,
}: Pick<Authorization, 'chainId' | 'address' | 'nonce'>): Uint8Array {
  return keccak256(MAGIC, RLP.encode([bigIntToBytes(chainId), hexToBytes(address), bigIntToBytes(nonce)]))
}

export interface AppliedAuthorizations {
  /** Gas refund for authorities that already existed. */
  readonly refund: bigint
  /** All recovered authorities, which are warm from now on. */
  readonly warm: readonly Address[]
}

const NONE_APPLIED: AppliedAuthorizations = { refund: 0n, warm: [] }

/**
 * Applies the delegations of an EIP-7702 transaction; tuples that do not apply are skipped.
 *
 * @see {@link https://eips.ethereum.org/EIPS/eip-7702 | EIP-7702}
 */
export function applyAuthorizations(
  state: WorldState,
  authorizations: readonly Authorization[],
  chainId: number,
): AppliedAuthorizations {
  if (authorizations.length === 0) return NONE_APPLIED
  let refund = 0n
  const warm: Address[] = []
  for (const authorization of authorizations) {
    if (authorization.chainId !== 0n && authorization.chainId !== BigInt(chainId)) continue
    if (authorization.nonce >= MAX_NONCE) continue
    const authority = recoverAuthority(authorization)
    if (!authority) continue
    warm.push(authority)
    const account = state.account(authority)
    const code = state.code(authority)
    if (code.length > 0 && !isDelegation(code)) continue
    if ((account?.nonce ?? 0n) !== authorization.nonce) continue
    if (account) refund += EXISTING_ACCOUNT_REFUND
    state.setAccount(authority, {
      balance: account?.balance ?? 0n,
      codeHash: account?.codeHash ?? EMPTY_CODE_HASH,
      nonce: authorization.nonce + 1n,
    })
    const clears = authorization.address === ZERO_ADDRESS
    state.setCode(authority, clears ? new Uint8Array(0) : concatBytes(DESIGNATOR, hexToBytes(authorization.address)))
  }
  return { refund, warm }
}
