import type { Address } from '#primitives/hex.ts'
import type { Account } from '../../state/state-reader.ts'
import { EMPTY_CODE_HASH } from '../../state/state-snapshot.ts'
import type { WorldState } from '../../state/world-state.ts'

/** 2^256: balances are uint256, and wrap as in geth and the engine. */
const BALANCES = 2n ** 256n

/** Adds wei, even 0. An account that stays empty is not created, and is removed if it existed (EIP-161). */
export function credit(state: WorldState, address: Address, wei: bigint): void {
  const account = state.account(address)
  if (wei === 0n) {
    if (account && isEmpty(account)) state.setAccount(address, undefined)
    return
  }
  const sum = (account?.balance ?? 0n) + wei
  state.setAccount(address, {
    nonce: account?.nonce ?? 0n,
    balance: sum < BALANCES ? sum : sum - BALANCES,
    codeHash: account?.codeHash ?? EMPTY_CODE_HASH,
  })
}

function isEmpty({ nonce, balance, codeHash }: Account): boolean {
  return nonce === 0n && balance === 0n && codeHash === EMPTY_CODE_HASH
}
