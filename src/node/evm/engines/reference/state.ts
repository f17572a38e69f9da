import type { AccountFields, StateManagerInterface } from '@ethereumjs/common'
import { Account, type Address as EthereumjsAddress } from '@ethereumjs/util'
import { type Address, bytesToHex, hexToBytes } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { EMPTY_CODE_HASH } from '../../../state/state-snapshot.ts'
import type { WorldState } from '../../../state/world-state.ts'
import type { ExecutionGuard } from '../../../turns/guard.ts'

/** Anything but the root of an empty trie. */
const SOME_STORAGE_ROOT = new Uint8Array(32)
const EMPTY_CODE_HASH_BYTES = hexToBytes(EMPTY_CODE_HASH)

const key = (address: EthereumjsAddress): Address => bytesToHex(address.bytes)

/** The state manager for @ethereumjs/evm on a {@link WorldState}. Attached for one message, detached after it. */
export class EthereumjsState implements StateManagerInterface {
  #state: WorldState | undefined
  #guard: ExecutionGuard | undefined
  #onCode: ((code: Uint8Array) => void) | undefined
  #depth = 0

  readonly originalStorageCache = {
    get: async (address: EthereumjsAddress, slot: Uint8Array): Promise<Uint8Array> =>
      this.#world.originalStorage(key(address), bytesToHex(slot)),
    clear: () => {},
  }

  /** @param onCode - Called with each code before it runs. */
  attach(state: WorldState, guard: ExecutionGuard, onCode: (code: Uint8Array) => void): void {
    invariant(this.#state === undefined, 'the engine runs one message at a time')
    this.#state = state
    this.#guard = guard
    this.#onCode = onCode
    this.#depth = 0
  }

  /** Releases the state, and reverts what an aborted execution left open. */
  detach(): void {
    for (; this.#depth > 0; this.#depth--) this.#world.revert()
    this.#state = undefined
    this.#guard = undefined
    this.#onCode = undefined
  }

  get #world(): WorldState {
    invariant(this.#state, 'the engine has no state')
    return this.#state
  }

  async getAccount(address: EthereumjsAddress): Promise<Account | undefined> {
    const account = this.#world.account(key(address))
    if (!account) return undefined
    // The EVM only uses the root to check whether a new contract's account has storage (EIP-7610).
    const mayBeMade = account.nonce === 0n && account.codeHash === EMPTY_CODE_HASH
    const storageRoot = mayBeMade && this.#world.hasStorage(key(address)) ? SOME_STORAGE_ROOT : undefined
    const codeHash = account.codeHash === EMPTY_CODE_HASH ? EMPTY_CODE_HASH_BYTES : hexToBytes(account.codeHash)
    return new Account(account.nonce, account.balance, storageRoot, codeHash)
  }

  async putAccount(address: EthereumjsAddress, account?: Account): Promise<void> {
    this.#world.setAccount(
      key(address),
      account && {
        nonce: account.nonce,
        balance: account.balance,
        codeHash: account.codeHash === EMPTY_CODE_HASH_BYTES ? EMPTY_CODE_HASH : bytesToHex(account.codeHash),
      },
    )
  }

  async deleteAccount(address: EthereumjsAddress): Promise<void> {
    this.#world.setAccount(key(address), undefined)
  }

  async modifyAccountFields(address: EthereumjsAddress, fields: AccountFields): Promise<void> {
    const account = this.#world.account(key(address))
    this.#world.setAccount(key(address), {
      nonce: fields.nonce ?? account?.nonce ?? 0n,
      balance: fields.balance ?? account?.balance ?? 0n,
      codeHash: fields.codeHash ? bytesToHex(fields.codeHash) : (account?.codeHash ?? EMPTY_CODE_HASH),
    })
  }

  async putCode(address: EthereumjsAddress, code: Uint8Array): Promise<void> {
    this.#world.setCode(key(address), code)
  }

  async getCode(address: EthereumjsAddress): Promise<Uint8Array> {
    const code = this.#world.code(key(address))
    this.#onCode?.(code)
    // The EVM analyses the code again for each call, however little gas that takes.
    await this.#guard?.checkpoint()
    return code
  }

  async getCodeSize(address: EthereumjsAddress): Promise<number> {
    return this.#world.code(key(address)).length
  }

  async getStorage(address: EthereumjsAddress, slot: Uint8Array): Promise<Uint8Array> {
    return this.#world.storage(key(address), bytesToHex(slot))
  }

  async putStorage(address: EthereumjsAddress, slot: Uint8Array, value: Uint8Array): Promise<void> {
    this.#world.setStorage(key(address), bytesToHex(slot), value)
  }

  async clearStorage(address: EthereumjsAddress): Promise<void> {
    this.#world.clearStorage(key(address))
  }

  async checkpoint(): Promise<void> {
    this.#world.checkpoint()
    this.#depth++
    await this.#guard?.checkpoint()
  }

  async commit(): Promise<void> {
    this.#world.commit()
    this.#depth--
  }

  async revert(): Promise<void> {
    this.#world.revert()
    this.#depth--
  }

  async getStateRoot(): Promise<Uint8Array> {
    return unsupported('getStateRoot')
  }

  async setStateRoot(): Promise<void> {
    return unsupported('setStateRoot')
  }

  async hasStateRoot(): Promise<boolean> {
    return unsupported('hasStateRoot')
  }

  clearCaches(): void {}

  shallowCopy(): StateManagerInterface {
    return unsupported('shallowCopy')
  }
}

/** Roots are computed by Blinknet; the EVM must not ask for them. */
function unsupported(name: string): never {
  throw new Error(`${name} is not the engine's to call`)
}
