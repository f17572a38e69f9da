import { createBlock } from '@ethereumjs/block'
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createMPT } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { MerkleStateManager } from '@ethereumjs/statemanager'
import { createTxFromRLP } from '@ethereumjs/tx'
import { createAddressFromString, MapDB } from '@ethereumjs/util'
import { createVM, runTx } from '@ethereumjs/vm'
import { keccak256Hex } from '#node/crypto/keccak.ts'
import { decodeBlock } from '#node/payload/decode-block.ts'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '#node/spec/system-contracts.ts'
import { bytesToBigInt, trimLeadingZeros } from '#primitives/bytes.ts'
import { bytesToHex, type Hash, type Hex, hexToBytes, toWord } from '#primitives/hex.ts'
import type { RpcExecutionWitness } from '#rpc-types/methods/debug.ts'

/** Where the state root and the number stand in a header. */
const [STATE_ROOT, NUMBER] = [3, 8] as const

/** Entries of the ring buffers of the system contracts. */
const RING = 8_191

/** The root of an empty trie, keccak-256 of an empty string’s RLP. */
const EMPTY_ROOT = keccak256Hex(Uint8Array.of(0x80)).slice(2)

/** Parts of a witness by their hashes. What is not there is told: @ethereumjs/statemanager waits for ever for a node that it lacks. */
class WitnessDb extends MapDB<string, string> {
  readonly missing: Promise<never>
  #miss: (error: Error) => void = () => {}

  constructor() {
    super()
    this.missing = new Promise((_resolve, reject) => {
      this.#miss = reject
    })
  }

  override async get(key: string): Promise<string | undefined> {
    const found = await super.get(key)
    // Nobody needs a node to know that a trie is empty.
    if (found !== undefined || key === EMPTY_ROOT) return found
    this.#miss(new Error(`the witness lacks ${key}`))
    return new Promise(() => {})
  }

  override shallowCopy(): this {
    return this
  }
}

/**
 * Executes a block with @ethereumjs/vm, which has nothing but the block's RLP and its witness.
 *
 * @returns The state root that it comes to, and the one that the block has.
 * @throws {Error} If anything is missing.
 */
export async function executeStateless(rlp: Hex, witness: RpcExecutionWitness, chainId = 31337) {
  const { header, transactions } = decodeBlock(hexToBytes(rlp))
  const ancestors = readHeaders(witness.headers, header.parentHash)
  const parent = ancestors.at(-1)
  if (!parent) throw new Error('the witness has no header')
  const common = createCustomCommon({ chainId }, Mainnet, { hardfork: Hardfork.Osaka })
  const known = new WitnessDb()
  const trie = await createMPT({ common, useKeyHashing: true, root: hexToBytes(parent.stateRoot), db: known })
  for (const bytes of [...witness.state, ...witness.codes]) {
    const value = hexToBytes(bytes)
    await trie.database().put(hexToBytes(keccak256Hex(value)), value)
  }
  const executing = execute()
  // An execution that lacks anything never ends.
  return Promise.race([executing, known.missing])

  async function execute() {
    const stateManager = new MerkleStateManager({ common, trie, prefixCodeHashes: false })
    const hashes = new Map(ancestors.map(({ number, hash }) => [number, hash]))
    const vm = await createVM({
      common,
      stateManager,
      blockchain: {
        getBlock: async (number: number) => {
          const hash = hashes.get(number)
          if (hash === undefined) throw new Error(`the witness has no header ${number}`)
          return { hash: () => hexToBytes(hash) }
        },
        putBlock: async () => {},
        shallowCopy() {
          return this
        },
      },
    })
    const block = createBlock(
      {
        header: {
          number: header.number,
          timestamp: header.timestamp,
          coinbase: createAddressFromString(header.coinbase),
          gasLimit: header.gasLimit,
          baseFeePerGas: header.baseFeePerGas,
          mixHash: hexToBytes(header.mixHash),
        },
      },
      { common, skipConsensusFormatValidation: true },
    )
    // What the system calls store: EIP-4788 and EIP-2935.
    const { timestamp, number, parentBeaconBlockRoot, parentHash } = header
    for (const [address, slot, value] of [
      [BEACON_ROOTS_ADDRESS, timestamp % RING, toWord(timestamp)],
      [BEACON_ROOTS_ADDRESS, (timestamp % RING) + RING, parentBeaconBlockRoot],
      [HISTORY_STORAGE_ADDRESS, (number - 1) % RING, parentHash],
    ] as const) {
      const account = createAddressFromString(address)
      await stateManager.putStorage(account, hexToBytes(toWord(slot)), trimLeadingZeros(hexToBytes(value)))
    }
    for (const raw of transactions) {
      await runTx(vm, { tx: createTxFromRLP(raw, { common }), block, skipHardForkValidation: true })
    }
    return { stateRoot: bytesToHex(await stateManager.getStateRoot()), wanted: header.stateRoot }
  }
}

/** The headers, oldest first, each the parent of the next, and the last that of a block. */
function readHeaders(headers: readonly Hex[], parentHash: Hash) {
  const read = headers.map((rlp) => {
    const fields = RLP.decode(hexToBytes(rlp)) as Uint8Array[]
    const field = (index: number) => fields[index] ?? new Uint8Array(0)
    return {
      hash: keccak256Hex(hexToBytes(rlp)),
      parentHash: bytesToHex(field(0)),
      stateRoot: bytesToHex(field(STATE_ROOT)),
      number: Number(bytesToBigInt(field(NUMBER))),
    }
  })
  const hashes = [...read.slice(1).map((header) => header.parentHash), parentHash]
  for (const [i, { hash }] of read.entries()) {
    if (hash !== hashes[i]) throw new Error(`header ${i} of the witness is no ancestor of the block`)
  }
  return read
}
