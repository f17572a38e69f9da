import { EMPTY_BYTES } from '#primitives/bytes.ts'
import { type Address, bytesToHex, type Hash } from '#primitives/hex.ts'
import {
  type AccountLeaf,
  type AccountTrie,
  accountOf,
  addressOf,
  createAccountTrie,
  type StorageTrie,
  slotOf,
  storageOf,
  valueOf,
} from './account-trie.ts'
import { bytesOfText } from './byte-text.ts'
import { CodeStore } from './code-store.ts'
import { type NoteMissing, readOrNote } from './missing-state.ts'
import { type Account, EMPTY_TRIE_ROOT, type StateReader } from './state-reader.ts'
import { addressKey, slotKey } from './trie-keys.ts'

export { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from './state-reader.ts'

/** The result of `eth_getProof`, in bytes. */
export interface AccountProof {
  /** RLP of the nodes of the state trie, from the root; empty for an empty state. */
  readonly accountProof: Uint8Array[]
  /** `undefined` for a proof of absence. */
  readonly account: Account | undefined
  /** Root of the account's storage trie; `EMPTY_TRIE_ROOT` without an account or storage. */
  readonly storageHash: Hash
  /** One per requested slot, in the requested order. */
  readonly storageProof: SlotProof[]
}

export interface SlotProof {
  readonly slot: Hash
  /** Big-endian without leading zeros; empty for 0. */
  readonly value: Uint8Array
  /** RLP of the nodes of the storage trie, from the root; empty for an empty storage. */
  readonly proof: Uint8Array[]
}

/** The immutable world state at one moment. Later changes to the working state do not affect it. */
export class StateSnapshot implements StateReader {
  /** Shared by all snapshots of the chain. */
  readonly codes: CodeStore
  /** If given, reading goes on with a guess where a forked chain's state is missing. */
  readonly noteMissing: NoteMissing | undefined
  /** States that have the same one have the same slots; `undefined` where some are guessed. */
  readonly slotsVersion: symbol | undefined
  readonly #accounts: AccountTrie
  #stateRoot: Hash | undefined

  /** @param accounts - Becomes the snapshot's own: nobody may edit it from here on. */
  constructor(accounts: AccountTrie, codes: CodeStore, noteMissing?: NoteMissing, slotsVersion = Symbol('slots')) {
    this.#accounts = accounts
    this.codes = codes
    this.noteMissing = noteMissing
    this.slotsVersion = noteMissing ? undefined : slotsVersion
  }

  /** A state for readers that go on with a guess where something is missing. */
  guessing(noteMissing: NoteMissing): StateSnapshot {
    return new StateSnapshot(this.#accounts, this.codes, noteMissing)
  }

  account(address: Address): Account | undefined {
    return accountOf(this.#leaf(address))
  }

  #leaf(address: Address): AccountLeaf | undefined {
    const { noteMissing } = this
    if (!noteMissing) return this.#accounts.get(addressKey(address), address)
    return readOrNote(() => this.#accounts.get(addressKey(address), address), noteMissing)
  }

  code(address: Address): Uint8Array {
    const account = this.account(address)
    return account === undefined ? EMPTY_BYTES : this.codes.get(account.codeHash)
  }

  storage(address: Address, slot: Hash): Uint8Array {
    const storage = storageOf(this.#leaf(address))
    const { noteMissing } = this
    return noteMissing ? (readOrNote(() => valueAt(storage, slot), noteMissing) ?? EMPTY_BYTES) : valueAt(storage, slot)
  }

  /** Root of the state trie. The first call takes time proportional to the changes since the previous snapshot. */
  stateRoot(): Hash {
    this.#stateRoot ??= bytesToHex(this.#accounts.root())
    return this.#stateRoot
  }

  /**
   * Proves an account and some of its slots, present or absent, against {@link stateRoot}.
   *
   * @see {@link https://eips.ethereum.org/EIPS/eip-1186 | EIP-1186}
   */
  prove(address: Address, slots: readonly Hash[]): AccountProof {
    const key = addressKey(address)
    const leaf = this.#accounts.get(key, address)
    const storage = storageOf(leaf)
    return {
      accountProof: this.#accounts.prove(key, address),
      account: accountOf(leaf),
      storageHash: storage ? bytesToHex(storage.root()) : EMPTY_TRIE_ROOT,
      storageProof: slots.map((slot) => ({
        slot,
        value: valueAt(storage, slot),
        proof: storage?.prove(slotKey(slot), slot) ?? [],
      })),
    }
  }

  /** All accounts, ordered by trie key. */
  *accounts(): Generator<readonly [address: Address, account: Account], void> {
    for (const [, leaf] of this.#accounts.entries()) yield [addressOf(leaf), accountOf(leaf)]
  }

  /** The accounts whose trie keys come after that of `address`, in the same order; all without one. */
  *accountsAfter(address: Address | undefined): Generator<readonly [address: Address, account: Account], void> {
    const entries = address === undefined ? this.#accounts.entries() : this.#accounts.entriesAfter(addressKey(address))
    for (const [, leaf] of entries) yield [addressOf(leaf), accountOf(leaf)]
  }

  /** All nonzero slots of an account, ordered by trie key; values as in {@link storage}. */
  *slots(address: Address): Generator<readonly [slot: Hash, value: Uint8Array], void> {
    const storage = storageOf(this.#accounts.get(addressKey(address), address))
    if (storage) for (const [, leaf] of storage.entries()) yield [slotOf(leaf), bytesOfText(valueOf(leaf))]
  }

  /** Slots from a key of the trie on, each with its key. @param start - A key, or its first bytes. */
  *slotsFrom(
    address: Address,
    start: Uint8Array,
  ): Generator<readonly [key: Uint8Array, slot: Hash, value: Uint8Array], void> {
    const storage = storageOf(this.#accounts.get(addressKey(address), address))
    let isThere = start.length === 0
    for (const [keyText, leaf] of storage?.entries() ?? []) {
      const key = bytesOfText(keyText)
      isThere ||= isAtLeast(key, start)
      if (isThere) yield [key, slotOf(leaf), bytesOfText(valueOf(leaf))]
    }
  }

  /** A branch of the state trie, in O(1), for a working state to edit. */
  branchAccounts(): AccountTrie {
    return this.#accounts.branch()
  }
}

function valueAt(storage: StorageTrie | undefined, slot: Hash): Uint8Array {
  const leaf = storage?.get(slotKey(slot), slot)
  return leaf === undefined ? EMPTY_BYTES : bytesOfText(valueOf(leaf))
}

/** Whether `bytes` sort at or after `start`, which is at most as long. */
function isAtLeast(bytes: Uint8Array, start: Uint8Array): boolean {
  const differs = start.findIndex((byte, i) => byte !== bytes[i])
  return differs === -1 || (bytes[differs] ?? 0) > (start[differs] ?? 0)
}

/** A state without accounts, with its own code store: the start of a chain. */
export function emptyState(): StateSnapshot {
  return new StateSnapshot(createAccountTrie(), new CodeStore())
}
