import { type Address, bytesToHex, type Hash, type Hex } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { applyTransaction } from '../evm/transactions/apply-transaction.ts'
import { applySystemCalls } from '../evm/transactions/system-calls.ts'
import { BlockReplayError, type ReplayDeps, type ReplayedBlock } from '../payload/replay-block.ts'
import { addressOf, slotOf, storageOf } from '../state/account-trie.ts'
import { type MissingState, MissingStateError } from '../state/missing-state.ts'
import type { StateSnapshot } from '../state/state-snapshot.ts'
import { addressKey } from '../state/trie-keys.ts'
import { WorldState } from '../state/world-state.ts'
import type { ExecutionGuard } from '../turns/guard.ts'
import { ForkState } from './fork-state.ts'

/** What a block's execution needs of what was before it. */
export interface ExecutionWitness {
  /** RLP of nodes of the parent's tries, each once. */
  readonly nodes: ReadonlySet<Hex>
  /** Codes of the accounts that were used, each once. */
  readonly codes: ReadonlySet<Hex>
  /** Accounts that were used, with slots of each. */
  readonly used: ReadonlyMap<Address, ReadonlySet<Hash>>
  /** Number of the oldest block whose hash was asked for; the parent's, if no older one was. */
  readonly oldest: number
}

/** The input of a witness. */
export interface WitnessDeps extends ReplayDeps {
  /** Accounts and slots that are needed as far as is known. */
  readonly expected: Iterable<readonly [Address, Iterable<Hash>]>
  /** Called with the characters of each part before it is kept. */
  readonly spend: (characters: number) => void
}

/**
 * Executes a block as somebody does who has nothing of the state before it but its root: what is missing is taken from the
 * parent with its proof, and the step is tried again. So what was taken is enough, also for who updates the tries after each
 * transaction.
 *
 * @throws {BlockReplayError} If an outcome differs from the first execution.
 * @throws {ExecutionTimeoutError} From the guard.
 */
export async function executionWitness(
  { engine, chainId, guard, expected, spend }: WitnessDeps,
  { block, parent, env }: ReplayedBlock,
): Promise<ExecutionWitness> {
  const { header, transactions } = block
  const partial = new PartialState(parent.state, spend)
  for (const [address, slots] of expected) {
    for (const slot of slots) partial.addSlot(address, slot)
    partial.addAccount(address)
    await guard.checkpoint()
  }
  let oldest = parent.header.number
  const blockHash = (number: number) => {
    const hash = env.blockHash(number)
    if (hash !== undefined) oldest = Math.min(oldest, number)
    return hash
  }
  const watched = { ...env, blockHash }
  const state = new WorldState(partial.snapshot)
  await partial.complete(() => applySystemCalls(engine, state, watched, header, guard), guard)
  for (const { tx, receipt } of transactions) {
    const execution = await partial.complete(
      async () => applyTransaction(engine, state, watched, tx, chainId, guard),
      guard,
    )
    if (execution.gasUsed !== receipt.gasUsed) {
      throw new BlockReplayError(block, `transaction ${tx.hash} used ${execution.gasUsed} gas, not ${receipt.gasUsed}`)
    }
    // Some update the tries with each transaction: what one clears and a later one sets again moves a node up for them.
    await partial.complete(async () => state.snapshot().stateRoot(), guard)
    await guard.checkpoint()
  }
  const root = await partial.complete(async () => state.snapshot().stateRoot(), guard)
  if (root !== header.stateRoot) throw new BlockReplayError(block, `its state root is ${root}, not ${header.stateRoot}`)
  return { nodes: partial.nodes, codes: partial.codes, used: partial.used, oldest }
}

/** A state of which only the root is known, and what was taken of the whole one since. */
class PartialState {
  readonly nodes = new Set<Hex>()
  readonly codes = new Set<Hex>()
  readonly used = new Map<Address, Set<Hash>>()
  readonly #whole: StateSnapshot
  readonly #state: ForkState
  readonly #spend: (characters: number) => void

  constructor(whole: StateSnapshot, spend: (characters: number) => void) {
    this.#whole = whole
    this.#spend = spend
    this.#state = new ForkState(whole.stateRoot(), (row) => {
      if ('nodes' in row) for (const node of row.nodes) this.#keep(this.nodes, node)
    })
  }

  get snapshot(): StateSnapshot {
    return this.#state.snapshot
  }

  /** Takes a step, and again each time that something was missing. */
  async complete<Result>(step: () => Promise<Result>, guard: ExecutionGuard): Promise<Result> {
    for (;;) {
      try {
        return await step()
      } catch (error) {
        if (!(error instanceof MissingStateError)) throw error
        this.#add(error.missing)
      }
      await guard.checkpoint()
    }
  }

  #add(missing: MissingState): void {
    switch (missing.kind) {
      case 'account':
        return this.addAccount(missing.address)
      case 'slot':
        return this.addSlot(missing.address, missing.slot)
      case 'node':
        return this.#addNode(missing)
      case 'block-hash':
        throw new MissingStateError(missing)
      default:
        return missing satisfies never
    }
  }

  addAccount(address: Address): void {
    if (this.used.has(address)) return
    this.used.set(address, new Set())
    this.#accept(address)
    const code = this.#whole.code(address)
    if (code.length > 0) this.#keep(this.codes, code)
  }

  addSlot(address: Address, slot: Hash): void {
    this.addAccount(address)
    const slots = this.used.get(address)
    if (!slots || slots.has(slot)) return
    slots.add(slot)
    const { storageProof } = this.#whole.prove(address, [slot])
    const proof = { accountProof: [], storageProofs: storageProof.map((each) => each.proof), code: undefined }
    this.#state.accept(address, [slot], proof)
  }

  /** Takes the node that moves up in its trie, with the way to an entry below it. */
  #addNode({ address, key }: MissingState & { readonly kind: 'node' }): void {
    const accounts = this.#whole.branchAccounts()
    if (address === undefined) {
      const [entry] = accounts.entriesAfter(key)
      invariant(entry, 'there is an account below a node')
      return this.#accept(addressOf(entry[1]))
    }
    const [entry] = storageOf(accounts.get(addressKey(address), address))?.entriesAfter(key) ?? []
    invariant(entry, 'there is a slot below a node')
    const slot = slotOf(entry[1])
    const [proven] = this.#whole.prove(address, [slot]).storageProof
    this.#state.acceptNodes(address, slot, proven?.proof ?? [])
  }

  #accept(address: Address): void {
    const { accountProof } = this.#whole.prove(address, [])
    this.#state.accept(address, [], { accountProof, storageProofs: [], code: this.#whole.code(address) })
  }

  #keep(parts: Set<Hex>, bytes: Uint8Array): void {
    const part = bytesToHex(bytes)
    if (parts.has(part)) return
    this.#spend(part.length)
    parts.add(part)
  }
}
