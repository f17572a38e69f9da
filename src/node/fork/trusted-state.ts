import { bigIntToBytes } from '#primitives/bytes.ts'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import {
  type AccountLeaf,
  accountLeaf,
  accountOf,
  addressOf,
  encodeAccount,
  encodeSlot,
  isSameAccount,
  type SlotLeaf,
  slotLeaf,
  slotOf,
  storageOf,
} from '../state/account-trie.ts'
import { type ByteText, byteText } from '../state/byte-text.ts'
import { CodeStore } from '../state/code-store.ts'
import { MissingStateError } from '../state/missing-state.ts'
import { type Account, EMPTY_CODE_HASH } from '../state/state-reader.ts'
import { StateSnapshot } from '../state/state-snapshot.ts'
import { addressKey, slotKey } from '../state/trie-keys.ts'
import { AnswerError } from './answers.ts'
import { DifferenceTrie, type TrieBase } from './difference-trie.ts'
import { unlistable } from './fork-error.ts'
import type { KeptRow } from './kept-rows.ts'

/** An account as the endpoint tells of it. */
export interface ToldAccount {
  readonly nonce: bigint
  /** Wei. */
  readonly balance: bigint
  readonly code: Uint8Array
}

/** Bytes that an account or a slot is counted with. */
const BYTES_PER_ENTRY = 128

/** The entries of a trie as far as they were fetched. */
class FetchedEntries<V> implements TrieBase<V> {
  readonly encode: TrieBase<V>['encode']
  readonly preimageOf: (value: V) => Hex
  readonly isSame: (one: V, other: V) => boolean
  readonly #missing: (preimage: Hex) => MissingStateError
  /** `undefined` under a key that has no entry. */
  readonly #values = new Map<ByteText, V | undefined>()

  constructor({
    encode,
    preimageOf,
    isSame,
    missing,
  }: Omit<TrieBase<V>, 'get'> & { readonly missing: (preimage: Hex) => MissingStateError }) {
    this.encode = encode
    this.preimageOf = preimageOf
    this.isSame = isSame
    this.#missing = missing
  }

  has(key: ByteText): boolean {
    return this.#values.has(key)
  }

  set(key: ByteText, value: V | undefined): void {
    this.#values.set(key, value)
  }

  get(key: ByteText, preimage?: Hex): V | undefined {
    const value = this.#values.get(key)
    if (value !== undefined || this.#values.has(key)) return value
    throw preimage === undefined ? unlistable() : this.#missing(preimage)
  }
}

/**
 * The state of the block at which a chain is forked, as its endpoint tells it: nothing of it is proven, and its trie is not
 * known.
 */
export class TrustedState {
  readonly snapshot: StateSnapshot
  readonly #codes: CodeStore
  readonly #keep: (row: KeptRow) => void
  readonly #accounts = new FetchedEntries<AccountLeaf>({
    encode: encodeAccount,
    preimageOf: addressOf,
    isSame: isUnchanged,
    missing: (address) => new MissingStateError({ kind: 'account', address }),
  })
  /** The storage of each account that may have one. */
  readonly #storages = new Map<Address, FetchedEntries<SlotLeaf>>()
  #keptBytes = 0
  /** Hashes of the codes that are part of that: each is kept once, whoever has it. */
  readonly #countedCodes = new Set<Hash>()

  /**
   * @param keep - Called with what was told, from which {@link restore} makes the same state.
   * @param codes - Those that are known already.
   */
  constructor(keep: (row: KeptRow) => void = () => {}, codes = new CodeStore()) {
    this.#keep = keep
    this.#codes = codes
    this.snapshot = new StateSnapshot(new DifferenceTrie(this.#accounts), this.#codes)
  }

  /** Bytes of what is known, about. */
  get keptBytes(): number {
    return this.#keptBytes
  }

  /** Whether the account, or that there is none, is known, with its code. */
  knows(address: Address): boolean {
    return this.#accounts.has(addressKey(address))
  }

  /**
   * Takes what the endpoint has told of an account.
   *
   * @param told - Left out if the account is known.
   * @param slots - Of an account without storage they are 0.
   */
  accept(
    address: Address,
    told: ToldAccount | undefined,
    slots: readonly (readonly [slot: Hash, value: bigint])[],
  ): void {
    const account = told && !this.knows(address) ? this.#withCode(told) : undefined
    if (account) this.#putAccount(address, account)
    const fresh = slots.filter(([slot, value]) => this.#putSlot(address, slot, value))
    if (account || fresh.length > 0) this.#keep({ kind: 'told', address, account, slots: fresh })
  }

  /**
   * Makes a state out of what another one has kept; rows of other kinds are left out.
   *
   * @throws {AnswerError} If a code is not known.
   */
  restore(row: KeptRow): void {
    if (row.kind !== 'told') return
    const { address, account, slots } = row
    if (account && !this.#codes.has(account.codeHash)) throw new AnswerError(`the code of ${address} is missing`)
    if (account && !this.knows(address)) this.#putAccount(address, account)
    for (const [slot, value] of slots) this.#putSlot(address, slot, value)
  }

  #withCode({ nonce, balance, code }: ToldAccount): Account {
    const codeHash = code.length === 0 ? EMPTY_CODE_HASH : keccak256Hex(code)
    if (!this.#codes.has(codeHash)) {
      this.#codes.add(codeHash, code)
      this.#keep({ kind: 'code', hash: codeHash, code })
    }
    return { nonce, balance, codeHash }
  }

  #putAccount(address: Address, account: Account): void {
    const { nonce, balance, codeHash } = account
    this.#keptBytes += BYTES_PER_ENTRY
    if (!this.#countedCodes.has(codeHash)) {
      this.#countedCodes.add(codeHash)
      this.#keptBytes += this.#codes.get(codeHash).length
    }
    const isContract = codeHash !== EMPTY_CODE_HASH
    const isThere = nonce > 0n || balance > 0n || isContract
    // Only contracts, and accounts that were delegated to one, have written slots.
    const storage = nonce > 0n || isContract ? this.#storageOf(address) : undefined
    this.#accounts.set(addressKey(address), isThere ? accountLeaf(address, account, storage) : undefined)
  }

  /** @returns Whether it was not known. That of an account without storage, which has to be known, is 0. */
  #putSlot(address: Address, slot: Hash, value: bigint): boolean {
    const storage = this.#storages.get(address)
    const key = slotKey(slot)
    if (!storage || storage.has(key)) return false
    this.#keptBytes += BYTES_PER_ENTRY
    storage.set(key, value === 0n ? undefined : slotLeaf(slot, byteText(bigIntToBytes(value))))
    return true
  }

  #storageOf(address: Address): DifferenceTrie<SlotLeaf> {
    const entries = new FetchedEntries<SlotLeaf>({
      encode: encodeSlot,
      preimageOf: slotOf,
      isSame: (one, other) => one === other,
      missing: (slot) => new MissingStateError({ kind: 'slot', address, slot }),
    })
    this.#storages.set(address, entries)
    return new DifferenceTrie(entries)
  }
}

/** @param one - As it was fetched. */
function isUnchanged(one: AccountLeaf, other: AccountLeaf): boolean {
  const [storage, otherStorage] = [storageOf(one), storageOf(other)]
  if (!isSameAccount(accountOf(one), accountOf(other))) return false
  if (storage === otherStorage) return true
  return storage !== undefined && otherStorage instanceof DifferenceTrie && otherStorage.isUnchanged
}
