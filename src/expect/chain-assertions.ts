import type { Address, Hash } from '#primitives/hex.ts'
import type { StorageKey } from '#solidity/storage/read-variable.ts'
import type { AbiLike, AbiNames, ErrorNames } from './abi-types.ts'
import type { BalanceOptions, ExpectedEvent, ExpectedRevert, MatcherOptions, TokenAllowance } from './matchers.ts'
import type { LayoutSource, StoragePlace, StorageValueOf, VariableNames } from './storage-types.ts'

/**
 * What `expect(chain)` can check. Each waits for the transaction that it is about, and a failure shows what was there
 * instead.
 */
export interface ChainMatchers<Result = Promise<void>> {
  /** The transaction is pre-confirmed, or sealed already. */
  toHavePreconfirmed(hash: Hash, options?: MatcherOptions): Result
  /** The transaction is in a sealed block. */
  toHaveSealed(hash: Hash, options?: MatcherOptions): Result
  /** The transaction reverted, for that reason if one is given: a text, or a pattern of it. */
  toHaveReverted(hash: Hash, reason?: string | RegExp, options?: MatcherOptions): Result
  /** The transaction reverted with that custom error. */
  toHaveRevertedWith<const Abi extends AbiLike, Name extends ErrorNames<Abi>>(
    hash: Hash,
    revert: ExpectedRevert<Abi, Name>,
  ): Result
  /** The transaction has emitted that event. */
  toHaveEmitted<const Abi extends AbiLike, Name extends AbiNames<Abi, 'event'>>(
    hash: Hash,
    event: ExpectedEvent<Abi, Name>,
  ): Result
  /** The transaction used less gas than that. */
  toUseLessGasThan(hash: Hash, gas: bigint | number, options?: MatcherOptions): Result
  /**
   * An account has that much more in the pending block after the action than before; a negative amount is that much less.
   * What it pays for gas counts as well.
   */
  toChangeBalance(
    account: Address,
    amount: bigint | number,
    action: () => Promise<unknown>,
    options?: BalanceOptions,
  ): Result
  /** As `toChangeBalance`, of several accounts by one action. */
  toChangeBalances(
    changes: Readonly<Record<Address, bigint | number>>,
    action: () => Promise<unknown>,
    options?: BalanceOptions,
  ): Result
  /** In the pending block a spender may take that much of an owner's token. */
  toHaveAllowance(allowance: TokenAllowance, amount: bigint | number): Result
  /**
   * In the pending block a variable of a contract, or the part of it that the keys lead to, has that value: of a struct the
   * members that are given, of an array all items.
   */
  toHaveStorage<
    const Source extends LayoutSource,
    const Name extends VariableNames<Source>,
    const Keys extends readonly StorageKey[] = readonly [],
  >(
    address: Address,
    place: StoragePlace<Source, Name, Keys>,
    value: NoInfer<StorageValueOf<Source, Name, Keys>>,
  ): Result
}

/** The matchers, and their contraries. */
export interface ChainAssertions extends ChainMatchers {
  readonly not: ChainMatchers
}
