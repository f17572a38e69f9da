import { bytesToBigInt } from '#primitives/bytes.ts'
import { type Address, bytesToHex, type Hash, toQuantity, toWord } from '#primitives/hex.ts'
import type { RpcPrestate, RpcPrestateDiff, RpcTracedAccount } from '#rpc-types/methods/debug.ts'
import { createdAddress } from '../../evm/contract-address.ts'
import { callsAccount, looksAtAccount, OP, usesSlot, usesState } from '../../evm/opcodes.ts'
import { stackAddress, stackWord } from '../../evm/trace-step.ts'
import type { FrameStart, TraceStart, TraceStep, TransactionTracer } from '../../evm/tracer.ts'
import { delegateOf, recoverAuthority } from '../../evm/transactions/authorization.ts'
import { EMPTY_CODE_HASH, type StateReader } from '../../state/state-reader.ts'
import type { ResultTracer } from './result-tracer.ts'
import type { TraceBudget } from './trace-budget.ts'

export interface PrestateTracerConfig {
  /** Returns the changes, before and after. */
  readonly diffMode: boolean
  readonly disableCode: boolean
  readonly disableStorage: boolean
  /** Shows accounts that do not exist. */
  readonly includeEmpty: boolean
}

/** Approximate characters of an account without code and storage, and of a slot. */
const ACCOUNT_CHARACTERS = 200
const SLOT_CHARACTERS = 140

/** An account before the transaction. */
interface Before {
  readonly balance: bigint
  readonly nonce: bigint
  readonly codeHash: Hash
  readonly code: Uint8Array
  readonly storage: Map<Hash, Hash>
}

/** Geth's `prestateTracer`: the accounts and slots that a transaction uses, as they were before. */
export function createPrestateTracer(
  config: PrestateTracerConfig,
  budget: TraceBudget,
): ResultTracer<RpcPrestate | RpcPrestateDiff> {
  return new PrestateTracer(config, budget)
}

class PrestateTracer implements TransactionTracer, ResultTracer<RpcPrestate | RpcPrestateDiff> {
  readonly needsStep = usesState
  readonly withoutMemory = true
  readonly withoutReturnData = true
  readonly #config: PrestateTracerConfig
  readonly #budget: TraceBudget
  readonly #accounts = new Map<Address, Before>()
  readonly #created = new Set<Address>()
  readonly #deleted = new Set<Address>()
  #state: StateReader | undefined
  #result: RpcPrestate | RpcPrestateDiff = {}

  constructor(config: PrestateTracerConfig, budget: TraceBudget) {
    this.#config = config
    this.#budget = budget
  }

  begin({ state, env, message }: TraceStart): void {
    this.#state = state
    const { from, to, authorizationList } = message
    const target = to ?? createdAddress(from, state.account(from)?.nonce ?? 0n)
    if (to === null) this.#created.add(target)
    else this.#lookUpDelegate(state, to)
    for (const address of [from, target, env.coinbase]) this.#lookUp(state, address)
    for (const authorization of authorizationList) {
      const authority = recoverAuthority(authorization)
      if (authority) this.#lookUp(state, authority)
    }
  }

  step(step: TraceStep): void {
    const { opcode, address, fails } = step
    const state = this.#state
    if (fails || !state) return
    if (usesSlot(opcode)) {
      this.#lookUpSlot(state, address, toWord(stackWord(step, 0)))
    } else if (looksAtAccount(opcode)) {
      this.#lookUp(state, stackAddress(step, 0))
      if (opcode === OP.SELFDESTRUCT && this.#created.has(address)) this.#deleted.add(address)
    } else if (callsAccount(opcode)) {
      this.#lookUp(state, stackAddress(step, 1))
      this.#lookUpDelegate(state, stackAddress(step, 1))
    }
  }

  enter({ type, to }: FrameStart): void {
    if (!this.#state || (type !== 'CREATE' && type !== 'CREATE2')) return
    this.#lookUp(this.#state, to)
    this.#created.add(to)
  }

  end(): void {
    this.#result = this.#config.diffMode && this.#state ? this.#diff(this.#state) : this.#prestate()
  }

  result(): RpcPrestate | RpcPrestateDiff {
    return this.#result
  }

  #lookUp(state: StateReader, address: Address): Before {
    const known = this.#accounts.get(address)
    if (known) return known
    const account = state.account(address)
    const before = {
      balance: account?.balance ?? 0n,
      nonce: account?.nonce ?? 0n,
      codeHash: account?.codeHash ?? EMPTY_CODE_HASH,
      code: state.code(address),
      storage: new Map<Hash, Hash>(),
    }
    this.#budget.spend(ACCOUNT_CHARACTERS + this.#textOf(before.code))
    this.#accounts.set(address, before)
    return before
  }

  /** Characters of the shown code. */
  #textOf(code: Uint8Array): number {
    return this.#config.disableCode ? 0 : 2 * code.length
  }

  #lookUpDelegate(state: StateReader, address: Address): void {
    const delegate = delegateOf(state.code(address))
    if (delegate) this.#lookUp(state, delegate)
  }

  #lookUpSlot(state: StateReader, address: Address, slot: Hash): void {
    if (this.#config.disableStorage) return
    const { storage } = this.#lookUp(state, address)
    if (storage.has(slot)) return
    this.#budget.spend(SLOT_CHARACTERS)
    storage.set(slot, slotOf(state, address, slot))
  }

  #prestate(): RpcPrestate {
    const result: Record<Address, RpcTracedAccount> = {}
    for (const [address, before] of this.#accounts) {
      if (isEmpty(before) && !this.#config.includeEmpty) continue
      result[address] = this.#format(before, before.storage)
    }
    return result
  }

  #diff(state: StateReader): RpcPrestateDiff {
    const pre: Record<Address, RpcTracedAccount> = {}
    const post: Record<Address, RpcTracedAccount> = {}
    for (const [address, before] of this.#accounts) {
      const deleted = this.#deleted.has(address)
      const changed = deleted ? before.storage : changedSlots(state, address, before)
      const after = deleted ? undefined : this.#changes(state, address, before, changed)
      if (!deleted && !after) continue
      if (after) post[address] = after
      if (isEmpty(before)) continue
      const shown = deleted ? [...before.storage] : [...changed].filter(([, value]) => value !== ZERO_WORD)
      pre[address] = this.#format(before, new Map(shown))
    }
    return { post, pre }
  }

  /**
   * The fields that differ from `before`; `undefined` if none.
   *
   * @param changed - Changed slots with their former values.
   */
  #changes(
    state: StateReader,
    address: Address,
    before: Before,
    changed: ReadonlyMap<Hash, Hash>,
  ): RpcTracedAccount | undefined {
    const account = state.account(address)
    const balance = account?.balance ?? 0n
    const nonce = account?.nonce ?? 0n
    const codeHash = account?.codeHash ?? EMPTY_CODE_HASH
    const codeChanged = codeHash !== before.codeHash
    if (balance === before.balance && nonce === before.nonce && !codeChanged && changed.size === 0) return undefined
    const storage = [...changed.keys()]
      .map((slot) => [slot, slotOf(state, address, slot)] as const)
      .filter(([, value]) => value !== ZERO_WORD)
    return {
      ...(balance !== before.balance && { balance: toQuantity(balance) }),
      ...(codeChanged && !this.#config.disableCode && { code: bytesToHex(state.code(address)) }),
      ...(codeChanged && { codeHash }),
      ...(nonce !== before.nonce && nonce !== 0n && { nonce: Number(nonce) }),
      ...(storage.length > 0 && { storage: Object.fromEntries(storage) }),
    }
  }

  #format({ balance, nonce, codeHash, code }: Before, storage: ReadonlyMap<Hash, Hash>): RpcTracedAccount {
    return {
      balance: toQuantity(balance),
      ...(code.length > 0 && !this.#config.disableCode && { code: bytesToHex(code) }),
      ...(codeHash !== EMPTY_CODE_HASH && { codeHash }),
      ...(nonce !== 0n && { nonce: Number(nonce) }),
      ...(storage.size > 0 && { storage: Object.fromEntries(storage) }),
    }
  }
}

const ZERO_WORD = toWord(0)

function slotOf(state: StateReader, address: Address, slot: Hash): Hash {
  return toWord(bytesToBigInt(state.storage(address, slot)))
}

function changedSlots(state: StateReader, address: Address, { storage }: Before): ReadonlyMap<Hash, Hash> {
  return new Map([...storage].filter(([slot, value]) => slotOf(state, address, slot) !== value))
}

function isEmpty({ balance, nonce, code }: Before): boolean {
  return balance === 0n && nonce === 0n && code.length === 0
}
