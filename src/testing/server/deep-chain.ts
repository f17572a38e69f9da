import { type NestedUint8Array, RLP } from '@ethereumjs/rlp'
import { keccak256, keccak256Hex } from '#node/crypto/keccak.ts'
import type { Remote } from '#node/fork/state-source.ts'
import { bigIntToBytes } from '#primitives/bytes.ts'
import { type Address, bytesToHex, type Hash, type Hex, hexToBytes, toQuantity, toWord } from '#primitives/hex.ts'
import { utf8Bytes } from '#primitives/utf8.ts'

/** An account of a chain with as many others as the main net. */
export interface DeepAccount {
  readonly address: Address
  readonly code: Uint8Array
  /** Slots with their values. */
  readonly slots: ReadonlyMap<Hash, bigint>
  /** Full branches above each slot: 5 of a storage with a million slots. */
  readonly depth: number
}

/** Bytes that are the same each time, and that nothing packs. */
export function noise(name: string, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let at = 0, i = 0; at < length; at += 32, i++) {
    bytes.set(keccak256(utf8Bytes(`${name} ${i}`)).subarray(0, Math.min(32, length - at)), at)
  }
  return bytes
}

/** A trie of which some entries are known, and their neighbours by their hashes only. */
class DeepTrie {
  readonly root: Hash
  readonly #proofs = new Map<Hash, readonly Uint8Array[]>()
  readonly #entries: ReadonlyMap<Hash, Uint8Array>
  readonly #depth: number

  /** @param entries - Encoded values by their keys, which are hashed. @param depth - Full branches above each. */
  constructor(entries: ReadonlyMap<Hash, Uint8Array>, depth: number) {
    this.#entries = new Map([...entries].map(([key, value]) => [keccak256Hex(hexToBytes(key)), value]))
    this.#depth = depth
    this.root = keccak256Hex(this.#node([...this.#entries.keys()], 0, []))
  }

  proof(key: Hex): readonly Uint8Array[] {
    const proof = this.#proofs.get(keccak256Hex(hexToBytes(key)))
    if (!proof) throw new Error(`nothing was prepared for ${key}`)
    return proof
  }

  #node(keys: readonly Hash[], depth: number, above: readonly Uint8Array[]): Uint8Array {
    const [only] = keys
    if (only !== undefined && keys.length === 1 && depth >= this.#depth) {
      const path = only
        .slice(2 + depth)
        .split('')
        .map((digit) => Number.parseInt(digit, 16))
      const flagged = path.length % 2 === 0 ? [2, 0, ...path] : [3, ...path]
      const packed = Uint8Array.from(
        { length: flagged.length / 2 },
        (_, i) => (flagged[2 * i] ?? 0) * 16 + (flagged[2 * i + 1] ?? 0),
      )
      const leaf = RLP.encode([packed, this.#entries.get(only) ?? new Uint8Array()])
      this.#proofs.set(only, [leaf])
      return leaf
    }
    const children = Array.from({ length: 16 }, (_, nibble) => {
      const within = keys.filter((key) => Number.parseInt(key[2 + depth] ?? '', 16) === nibble)
      if (within.length > 0) return keccak256(this.#node(within, depth + 1, above))
      return noise(`${keys[0]} ${depth} ${nibble}`, 32)
    })
    const branch = RLP.encode([...children, new Uint8Array()])
    for (const key of keys) this.#proofs.set(key, [branch, ...(this.#proofs.get(key) ?? [])])
    return branch
  }
}

const HEADER: readonly (readonly [name: string, value: Hex])[] = [
  ['parentHash', toWord(1)],
  ['sha3Uncles', toWord(2)],
  ['miner', `0x${'11'.repeat(20)}`],
  ['stateRoot', toWord(0)],
  ['transactionsRoot', toWord(3)],
  ['receiptsRoot', toWord(4)],
  ['logsBloom', `0x${'00'.repeat(256)}`],
  ['difficulty', '0x0'],
  ['number', toQuantity(21_000_000)],
  ['gasLimit', toQuantity(30_000_000)],
  ['gasUsed', toQuantity(15_000_000)],
  ['timestamp', toQuantity(1_730_000_000)],
  ['extraData', '0x'],
  ['mixHash', toWord(5)],
  ['nonce', `0x${'00'.repeat(8)}`],
  ['baseFeePerGas', toQuantity(10n ** 9n)],
]
const QUANTITIES: readonly string[] = ['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas']

/** An endpoint of a chain whose tries are as deep as those of the main net, around these accounts. */
export function deepChain(accounts: readonly DeepAccount[]): Remote {
  const storages = new Map(
    accounts.map(({ address, slots, depth }) => {
      const values = new Map([...slots].map(([slot, value]) => [slot, RLP.encode(bigIntToBytes(value))]))
      return [address, slots.size === 0 ? undefined : new DeepTrie(values, depth)] as const
    }),
  )
  const state = new DeepTrie(
    new Map(
      accounts.map(({ address, code }) => {
        const root = storages.get(address)?.root ?? keccak256Hex(RLP.encode(new Uint8Array()))
        const fields: NestedUint8Array = [
          Uint8Array.of(1),
          bigIntToBytes(10n ** 18n),
          hexToBytes(root),
          keccak256(code),
        ]
        return [address, RLP.encode(fields)]
      }),
    ),
    8,
  )
  const header = new Map([...HEADER, ['stateRoot', state.root] as const])
  const encoded = RLP.encode(
    [...header].map(([name, value]) => (QUANTITIES.includes(name) ? bigIntToBytes(BigInt(value)) : hexToBytes(value))),
  )
  const block = { ...Object.fromEntries(header), hash: keccak256Hex(encoded), size: '0x400', transactions: [] }
  return {
    name: 'deep.example',
    async ask(method, [first, second]) {
      switch (method) {
        case 'eth_chainId':
          return '0x1'
        case 'eth_blockNumber':
          return header.get('number')
        case 'eth_getBlockByNumber':
          return first === '0x0' ? null : block
        case 'eth_getCode':
          return bytesToHex(accounts.find(({ address }) => address === first)?.code ?? new Uint8Array())
        case 'eth_getProof':
          return {
            accountProof: state.proof(first as Hex).map(bytesToHex),
            storageProof: (second as Hash[]).map((key) => ({
              key,
              proof:
                storages
                  .get(first as Address)
                  ?.proof(key)
                  .map(bytesToHex) ?? [],
            })),
          }
        default:
          throw new Error(`not prepared: ${method}`)
      }
    },
  }
}
