import { type Address, type Hash, hexToBytes } from '#primitives/hex.ts'
import { wasm } from './assembly/evm/index.ts?wasm'
import { type EngineExports, FORK } from './engine-exports.ts'
import { LinearMemory } from './linear-memory.ts'
import { compileWasm, instantiateWasm, type WasmModule } from './web-assembly.ts'

/** What a message can see of the world before it changes any of it; asked at most once a message for each name. */
export interface EngineHost {
  /** `undefined` where no account exists. */
  account(address: Address): HostAccount | undefined
  /** Whether any slot is set; asked of accounts that have neither nonce nor code. */
  hasStorage(address: Address): boolean
  code(address: Address): Uint8Array
  /** Big-endian without leading zeros. */
  storage(address: Address, slot: Hash): Uint8Array
  /** `undefined` where nobody knows. */
  blockHash(number: number): Hash | undefined
  /** The number of the precompile that answers at an address, 0 for none. */
  precompileAt(address: Address): number
}

interface HostAccount {
  readonly nonce: bigint
  readonly balance: bigint
  readonly codeHash: Hash
}

/** What all messages of a block see; wei, gas, seconds. */
export interface EngineBlock {
  readonly coinbase: Address
  readonly timestamp: number
  readonly number: number
  readonly prevRandao: Hash
  readonly gasLimit: bigint
  readonly chainId: number
  readonly baseFee: bigint
  readonly blobBaseFee: bigint
}

/** What the same message sees wherever it is; wei. */
export interface EngineMessage {
  readonly origin: Address
  readonly gasPrice: bigint
  /** Versioned hashes of the transaction's blobs. */
  readonly blobHashes: readonly Hash[]
  /** That comes with the message. */
  readonly value: bigint
}

const EMPTY_CODE_HASH: Hash = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'

/** Flags of what the host answers for an account; see `assembly/evm/host.ts`. */
const EXISTS = 1
const HAS_CODE = 2
const HAS_STORAGE = 4
const PRECOMPILE_SHIFT = 3
const BALANCE_OFFSET = 8
const CODE_HASH_OFFSET = 40

const WORD_BYTES = 32

/** What an instance that is watched tells of: see `assembly/evm/tracing.ts`. Places and sizes are in bytes. */
export interface EngineWatcher {
  /** @returns 1 to pause before the step. */
  step(
    opcode: number,
    pc: number,
    gas: bigint,
    stackTop: number,
    stackBottom: number,
    account: number,
    memory: number,
    memorySize: number,
    returned: number,
    returnedSize: number,
  ): number
  settle(gas: bigint, reason: number): void
  enter(opcode: number, from: number, to: number, value: number, gas: bigint, input: number, inputSize: number): void
  exit(status: number, reason: number, gas: bigint, output: number, outputSize: number): void
  log(at: number): void
}

let compiled: Promise<WasmModule> | undefined
let compiledWatched: Promise<WasmModule> | undefined

/** The compiled engine with a memory of its own, for one message at a time. */
export class EngineInstance {
  readonly exports: EngineExports
  readonly memory: LinearMemory
  #host: EngineHost | undefined
  #watcher: EngineWatcher | undefined
  /** Asked for by its size, and then for itself. */
  #code: Uint8Array | undefined
  readonly #fieldsAt: number
  /** What was asked for in this message, in order. */
  readonly #addresses: Address[] = []
  readonly #slots: Hash[] = []

  private constructor(module: WasmModule) {
    this.exports = instantiateWasm(module, {
      tracing: {
        step: (...values) => this.#watching.step(...values),
        settle: (...values) => this.#watching.settle(...values),
        enter: (...values) => this.#watching.enter(...values),
        exit: (...values) => this.#watching.exit(...values),
        log: (...values) => this.#watching.log(...values),
      } satisfies EngineWatcher,
      host: {
        loadAccount: (address) => this.#loadAccount(address),
        loadSlot: (account, slot, to) => this.#loadSlot(account, slot, to),
        loadCode: (address) => this.#loadCode(address),
        copyCode: (to) => this.memory.bytes.set(this.#code as Uint8Array, to),
        loadBlockHash: (number, to) => this.#loadBlockHash(number, to),
      },
    }) as EngineExports
    this.memory = new LinearMemory(this.exports.memory)
    this.#fieldsAt = this.exports.accountFieldsAt()
  }

  /** @param fork - Whose rules hold. */
  static async create(fork: keyof typeof FORK): Promise<EngineInstance> {
    compiled ??= compileWasm(wasm)
    const instance = new EngineInstance(await compiled)
    instance.exports.setFork(FORK[fork])
    return instance
  }

  /** An instance that tells of what it does, to {@link watcher}; slower than one that does not. */
  static async createWatched(fork: keyof typeof FORK): Promise<EngineInstance> {
    compiledWatched ??= import('./assembly/evm/index.ts?traced-wasm').then((module) => compileWasm(module.wasm))
    const instance = new EngineInstance(await compiledWatched)
    instance.exports.setFork(FORK[fork])
    return instance
  }

  set watcher(watcher: EngineWatcher) {
    this.#watcher = watcher
  }

  /** Whom the engine asks in the message that begins. */
  set host(host: EngineHost) {
    this.#host = host
    this.#addresses.length = 0
    this.#slots.length = 0
  }

  /** The address of an account that was asked for, by its number. */
  addressOf(account: number): Address {
    return this.#addresses[account - 1] as Address
  }

  /** The key of a slot that was asked for, by its number; 0 where it was not. */
  slotOf(slot: number): Hash | undefined {
    return this.#slots[slot - 1]
  }

  /** Addresses that are warm in every message from the next on. */
  writePrecompiles(addresses: readonly Address[]): void {
    let at = this.exports.reservePrecompiles(addresses.length)
    for (const address of addresses) {
      this.memory.writeHex(at, address)
      at += 32
    }
  }

  /** For the messages from now on; what comes after gas price and before value in `assembly/evm/environment.ts`. */
  writeBlock(block: EngineBlock): void {
    const { memory } = this
    const at = this.exports.environmentAt()
    memory.writeHex(at + 2 * WORD_BYTES, block.coinbase)
    memory.writeWord(at + 3 * WORD_BYTES, BigInt(block.timestamp))
    memory.writeWord(at + 4 * WORD_BYTES, BigInt(block.number))
    memory.writeHex(at + 5 * WORD_BYTES, block.prevRandao)
    memory.writeWord(at + 6 * WORD_BYTES, block.gasLimit)
    memory.writeWord(at + 7 * WORD_BYTES, BigInt(block.chainId))
    memory.writeWord(at + 8 * WORD_BYTES, block.baseFee)
    memory.writeWord(at + 9 * WORD_BYTES, block.blobBaseFee)
  }

  /** For the message that begins. */
  writeMessage(message: EngineMessage): void {
    const { memory } = this
    const at = this.exports.environmentAt()
    memory.writeHex(at, message.origin)
    memory.writeWord(at + WORD_BYTES, message.gasPrice)
    memory.writeWord(at + 10 * WORD_BYTES, message.value)
    let hashAt = this.exports.reserveBlobHashes(message.blobHashes.length)
    for (const hash of message.blobHashes) {
      memory.writeHex(hashAt, hash)
      hashAt += WORD_BYTES
    }
  }

  get #watching(): EngineWatcher {
    if (!this.#watcher) throw new Error('nobody watches the engine')
    return this.#watcher
  }

  get #asked(): EngineHost {
    if (!this.#host) throw new Error('the engine has no host')
    return this.#host
  }

  #loadAccount(at: number): number {
    const { memory } = this
    const address = memory.readAddress(at)
    this.#addresses.push(address)
    const precompile = this.#asked.precompileAt(address) << PRECOMPILE_SHIFT
    const account = this.#asked.account(address)
    if (!account) return precompile
    memory.view.setBigUint64(this.#fieldsAt, account.nonce, true)
    memory.writeWord(this.#fieldsAt + BALANCE_OFFSET, account.balance)
    if (account.codeHash === EMPTY_CODE_HASH) {
      const hasStorage = account.nonce === 0n && this.#asked.hasStorage(address)
      return precompile | EXISTS | (hasStorage ? HAS_STORAGE : 0)
    }
    memory.bytes.set(hexToBytes(account.codeHash), this.#fieldsAt + CODE_HASH_OFFSET)
    return precompile | EXISTS | HAS_CODE
  }

  #loadSlot(account: number, slotAt: number, to: number): void {
    const { memory } = this
    const slot = memory.readKey(slotAt)
    this.#slots.push(slot)
    memory.writeBigEndian(to, this.#asked.storage(this.addressOf(account), slot))
  }

  #loadCode(at: number): number {
    this.#code = this.#asked.code(this.memory.readAddress(at))
    return this.#code.length
  }

  #loadBlockHash(number: number, to: number): void {
    this.memory.writeHex(to, this.#asked.blockHash(number) ?? '0x')
  }
}
