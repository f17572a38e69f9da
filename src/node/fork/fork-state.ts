import { RLP } from '@ethereumjs/rlp'
import { bytesToBigInt } from '#primitives/bytes.ts'
import { type Address, bytesToHex, type Hash, type Hex } from '#primitives/hex.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import {
  type AccountLeaf,
  accountLeaf,
  encodeAccount,
  encodeSlot,
  type SlotLeaf,
  type StorageTrie,
  slotLeaf,
} from '../state/account-trie.ts'
import { byteText } from '../state/byte-text.ts'
import { CodeStore } from '../state/code-store.ts'
import { MissingStateError } from '../state/missing-state.ts'
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from '../state/state-reader.ts'
import { StateSnapshot } from '../state/state-snapshot.ts'
import { Trie } from '../state/trie.ts'
import { addressKey, slotKey } from '../state/trie-keys.ts'
import type { CellSource, Unknown } from '../state/trie-node.ts'
import { unlistable } from './fork-error.ts'
import type { KeptRow } from './kept-rows.ts'
import { type FindNode, ProofError, reveal, unknownRoot } from './reveal.ts'

/** An account's proof, as `eth_getProof` answers it, and its code. */
export interface ProvenAccount {
  readonly accountProof: readonly Uint8Array[] | FindNode
  /** In the order of the slots. */
  readonly storageProofs: readonly (readonly Uint8Array[])[] | FindNode
  /** Left out where the account is known. */
  readonly code: Uint8Array | undefined
}

/** A row without its nodes. */
type Proven =
  | Omit<Extract<KeptRow, { readonly kind: 'proof' }>, 'nodes'>
  | Omit<Extract<KeptRow, { readonly kind: 'path' }>, 'nodes'>

/**
 * The state of the block at which a chain is forked, known by its root and by what was proven so far. Every later state
 * of the chain shares its nodes, and so sees what is proven after it was made.
 */
export class ForkState {
  readonly snapshot: StateSnapshot
  readonly #root: Unknown<AccountLeaf>
  readonly #codes: CodeStore
  /** The storage of each account that is known and has one. */
  readonly #storages = new Map<Address, Unknown<SlotLeaf>>()
  readonly #known = new Set<Address>()
  #keptBytes = 0
  /** Hashes of the codes that are part of that: each is kept once, whoever has it. */
  readonly #countedCodes = new Set<Hash>()
  readonly #keep: (row: KeptRow) => void
  /** New nodes of the proof that is being checked. */
  #fresh: Uint8Array[] = []
  readonly #note = (rlp: Uint8Array) => {
    this.#keptBytes += rlp.length
    this.#fresh.push(rlp)
  }

  /**
   * @param keep - Called with what was proven, from which {@link restore} makes the same state.
   * @param codes - Those that are known already.
   */
  constructor(stateRoot: Hash, keep: (row: KeptRow) => void = () => {}, codes = new CodeStore()) {
    this.#keep = keep
    this.#codes = codes
    this.#root = unknownRoot(stateRoot, {
      missing(address) {
        throw address === undefined ? unlistable() : new MissingStateError({ kind: 'account', address })
      },
      missingNode(key, depth) {
        throw new MissingStateError({ kind: 'node', address: undefined, key, depth })
      },
    })
    this.snapshot = new StateSnapshot(Trie.from(this.#root, encodeAccount), this.#codes)
  }

  /** Bytes of the nodes and codes that are known. */
  get keptBytes(): number {
    return this.#keptBytes
  }

  /** Whether the account, or that there is none, is known, with its code. */
  knows(address: Address): boolean {
    return this.#known.has(address)
  }

  /**
   * Checks the proofs of an account and of some of its slots, and keeps what they show.
   *
   * @throws {ProofError} The message says what is wrong.
   */
  accept(address: Address, slots: readonly Hash[], { accountProof, storageProofs, code }: ProvenAccount): void {
    const proven: Hash[] = []
    let isNew = false
    try {
      if (!this.knows(address)) {
        const leafOf = (value: Uint8Array) => this.#accountOf(address, value, code)
        reveal(this.#root, addressKey(address), accountProof, leafOf, this.#note)
        this.#known.add(address)
        isNew = true
      }
      const storage = this.#storages.get(address)
      // Where there is no storage, every slot is known to be 0.
      if (!storage) return
      for (const [i, slot] of slots.entries()) {
        const proof = typeof storageProofs === 'function' ? storageProofs : (storageProofs[i] ?? [])
        this.#revealSlot(storage, slot, proof)
        proven.push(slot)
      }
    } finally {
      // What was proven before an error is known, and its nodes are not new a second time.
      this.#keepNodes(isNew || proven.length > 0 ? { kind: 'proof', address, slots: proven } : undefined)
    }
  }

  #revealSlot(storage: Unknown<SlotLeaf>, slot: Hash, proof: readonly Uint8Array[] | FindNode): void {
    try {
      reveal(storage, slotKey(slot), proof, slotOf(slot), this.#note)
    } catch (error) {
      if (!(error instanceof ProofError)) throw error
      throw new ProofError(`slot ${slot}: ${error.message}`, { cause: error })
    }
  }

  /** Checks the proof of any key, for the sake of the nodes on its way. @throws {ProofError} */
  acceptNodes(address: Address | undefined, preimage: Hex, proof: readonly Uint8Array[] | FindNode): void {
    let isDone = false
    try {
      if (address === undefined) {
        const found = (): never => {
          throw new ProofError('an account was found by chance')
        }
        reveal(this.#root, addressKey(preimage), proof, found, this.#note)
      } else {
        const storage = this.#storages.get(address)
        if (storage) reveal(storage, slotKey(preimage), proof, slotOf(preimage), this.#note)
      }
      isDone = true
    } finally {
      this.#keepNodes(isDone ? { kind: 'path', address, preimage } : undefined)
    }
  }

  /**
   * Makes a state out of what another one has kept; the rows of a kind that is not about a proof are left out.
   *
   * @param find - Finds the nodes, which are in any of the rows. The codes have to be known.
   * @throws {ProofError}
   */
  restore(row: KeptRow, find: FindNode): void {
    if (row.kind === 'proof') {
      this.accept(row.address, row.slots, { accountProof: find, storageProofs: find, code: undefined })
    } else if (row.kind === 'path') this.acceptNodes(row.address, row.preimage, find)
  }

  /** @param proven - What the new nodes prove; `undefined` if a proof failed below them: they are known all the same. */
  #keepNodes(proven: Proven | undefined): void {
    const nodes = this.#fresh
    this.#fresh = []
    if (proven) this.#keep({ ...proven, nodes })
    else if (nodes.length > 0) this.#keep({ kind: 'nodes', nodes })
  }

  #accountOf(address: Address, value: Uint8Array, code: Uint8Array | undefined): AccountLeaf {
    const [nonce, balance, storageRoot, codeHash, more] = listOf(value)
    if (!nonce || !balance || storageRoot?.length !== 32 || codeHash?.length !== 32 || more) {
      throw new ProofError('the account is malformed')
    }
    if (nonce.length > 8 || balance.length > 32) throw new ProofError('the account is malformed')
    const hash = bytesToHex(codeHash)
    if (!this.#codes.has(hash)) {
      if (!code || keccak256Hex(code) !== hash) throw new ProofError(`its code does not have the hash ${hash}`)
      this.#codes.add(hash, code)
      this.#keep({ kind: 'code', hash, code })
    }
    if (!this.#countedCodes.has(hash)) {
      this.#countedCodes.add(hash)
      this.#keptBytes += this.#codes.get(hash).length
    }
    const account = {
      nonce: bytesToBigInt(nonce),
      balance: bytesToBigInt(balance),
      codeHash: hash === EMPTY_CODE_HASH ? EMPTY_CODE_HASH : hash,
    }
    return accountLeaf(address, account, this.#storageOf(address, bytesToHex(storageRoot)))
  }

  #storageOf(address: Address, root: Hash): StorageTrie | undefined {
    if (root === EMPTY_TRIE_ROOT) return undefined
    const source: CellSource = {
      missing(slot) {
        throw slot === undefined ? unlistable() : new MissingStateError({ kind: 'slot', address, slot })
      },
      missingNode(key, depth) {
        throw new MissingStateError({ kind: 'node', address, key, depth })
      },
    }
    const node = unknownRoot<SlotLeaf>(root, source)
    this.#storages.set(address, node)
    return Trie.from(node, encodeSlot)
  }
}

/** Makes the leaf of a slot. */
function slotOf(slot: Hash): (value: Uint8Array) => SlotLeaf {
  return (value) => slotLeaf(slot, byteText(wordOf(value)))
}

/** The fields of an account. */
function listOf(rlp: Uint8Array): readonly (Uint8Array | undefined)[] {
  try {
    const items = RLP.decode(rlp)
    if (Array.isArray(items) && items.every((item) => item instanceof Uint8Array)) return items
  } catch (error) {
    throw new ProofError('the account is malformed', { cause: error })
  }
  throw new ProofError('the account is malformed')
}

/** The value of a slot. */
function wordOf(rlp: Uint8Array): Uint8Array {
  let word: unknown
  try {
    word = RLP.decode(rlp)
  } catch (error) {
    throw new ProofError('the value is malformed', { cause: error })
  }
  if (!(word instanceof Uint8Array) || word.length === 0 || word.length > 32 || word[0] === 0) {
    throw new ProofError('the value is malformed')
  }
  return word
}
