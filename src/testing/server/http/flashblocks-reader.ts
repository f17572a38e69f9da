import { createMPT } from '@ethereumjs/mpt'
import { concatHex, type Hex, hexToBytes, keccak256, parseTransaction, type TransactionSerialized, toRlp } from 'viem'
import { expect } from 'vitest'
import type { Flashblock, FlashblockReceipt } from '#rpc-types/subscriptions.ts'

const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]*)$/
const DATA = /^0x(?:[0-9a-f]{2})*$/
const HASH = /^0x[0-9a-f]{64}$/
const ADDRESS = /^0x[0-9a-f]{40}$/
const EMPTY_UNCLES: Hex = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'
/** sha256 of nothing (EIP-7685). */
const NO_REQUESTS: Hex = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

const DIFF = {
  state_root: HASH,
  receipts_root: HASH,
  logs_bloom: /^0x[0-9a-f]{512}$/,
  gas_used: QUANTITY,
  block_hash: HASH,
  transactions: /^/,
  withdrawals: /^/,
  withdrawals_root: HASH,
  blob_gas_used: QUANTITY,
}

const BASE = {
  parent_beacon_block_root: HASH,
  parent_hash: HASH,
  fee_recipient: ADDRESS,
  prev_randao: HASH,
  block_number: QUANTITY,
  gas_limit: QUANTITY,
  timestamp: QUANTITY,
  extra_data: DATA,
  base_fee_per_gas: QUANTITY,
}

/** What Base's `FlashblockSequenceValidator` makes of a message. */
export type Sequel = 'first' | 'next' | 'next block' | 'duplicate' | 'gap' | 'another block'

/** A block as its messages make it. */
export interface ReadBlock {
  readonly number: number
  readonly payloadId: string
  readonly base: NonNullable<Flashblock['base']>
  /** As the newest message has it. */
  hash: Hex
  receiptsRoot: Hex
  readonly transactions: Hex[]
  readonly receipts: FlashblockReceipt[]
  /** What its transactions make of it. */
  derived: Derived
}

interface Derived {
  readonly transactionsRoot: Hex
  readonly receiptsRoot: Hex
  readonly bloom: Hex
}

/** The root of a trie without anything. */
const EMPTY_ROOT: Hex = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
const NOTHING: Derived = { transactionsRoot: EMPTY_ROOT, receiptsRoot: EMPTY_ROOT, bloom: `0x${'00'.repeat(256)}` }

/**
 * Reads a stream as Base's nodes do, by its specification and with none of Blinknet's code. Rebuilds each block from its
 * base and differences, and holds every hash and root of each message to it.
 */
export class FlashblocksReader {
  /** The block at hand; `undefined` until one begins, and after a gap. */
  block: ReadBlock | undefined
  /** The newest state of each block that began, by its number. */
  readonly blocks = new Map<number, ReadBlock>()
  readonly sequels: Sequel[] = []
  #last: { readonly number: number; readonly index: number } | undefined

  async read(text: string): Promise<Flashblock> {
    const message = JSON.parse(text) as Flashblock
    checkForm(message)
    const { index, payload_id, base, diff, metadata } = message
    const number = metadata.block_number
    this.sequels.push(this.#sequel(number, index))
    this.#last = { number, index }
    if (base) {
      expect(Number(base.block_number)).toBe(number)
      const block = { number, payloadId: payload_id, base, transactions: [], receipts: [], derived: NOTHING }
      this.block = { ...block, hash: diff.block_hash, receiptsRoot: diff.receipts_root }
      this.blocks.set(number, this.block)
    }
    const { block } = this
    if (!block) return message
    expect(payload_id, 'an index above 0 belongs to the block at hand').toBe(block.payloadId)
    expect(Object.keys(metadata.receipts)).toEqual(diff.transactions.map((raw) => keccak256(raw)))
    for (const raw of diff.transactions) {
      const receipt = metadata.receipts[keccak256(raw)]
      if (!receipt) throw new Error('a transaction has no receipt')
      expect(parseTransaction(raw as TransactionSerialized).type).toBe(TYPES[Number(receipt.type)])
      block.transactions.push(raw)
      block.receipts.push(receipt)
    }
    block.hash = diff.block_hash
    block.receiptsRoot = diff.receipts_root
    if (diff.transactions.length > 0) block.derived = await derive(block)
    checkRoots(block, message)
    return message
  }

  #sequel(number: number, index: number): Sequel {
    const last = this.#last
    if (!last) return 'first'
    if (number === last.number && index === last.index + 1) return 'next'
    if (number === last.number + 1 && index === 0) return 'next block'
    if (number !== last.number) return 'another block'
    return index === last.index ? 'duplicate' : 'gap'
  }
}

const TYPES = ['legacy', 'eip2930', 'eip1559', undefined, 'eip7702']

/** The names, their order and the forms of `FlashblocksPayloadV1`. */
function checkForm(message: Flashblock): void {
  const { payload_id, index, base, diff, metadata } = message
  const problems = [
    ...misnamed(message, base ? ['payload_id', 'index', 'base', 'diff', 'metadata'] : MEMBERS),
    ...(/^0x[0-9a-f]{16}$/.test(payload_id) ? [] : [`payload_id ${payload_id}`]),
    ...(Number.isSafeInteger(index) ? [] : ['index']),
    ...((base !== undefined) === (index === 0) ? [] : [`base at index ${index}`]),
    ...(base ? misformed(base, BASE) : []),
    ...misformed(diff, DIFF),
    ...diff.transactions.filter((raw) => !DATA.test(raw)),
    ...misnamed(metadata, ['block_number', 'new_account_balances', 'receipts']),
    ...(Number.isSafeInteger(metadata.block_number) ? [] : ['block_number']),
    ...Object.entries(metadata.new_account_balances)
      .filter(([address, balance]) => !ADDRESS.test(address) || !QUANTITY.test(balance))
      .map(([address]) => `balance of ${address}`),
  ]
  expect(problems).toEqual([])
  expect(diff.withdrawals).toEqual([])
}

const MEMBERS = ['payload_id', 'index', 'diff', 'metadata']

function misnamed(given: object, names: readonly string[]): readonly string[] {
  const own = Object.keys(given).join(' ')
  return own === names.join(' ') ? [] : [`members ${own}`]
}

function misformed(given: object, forms: Readonly<Record<string, RegExp>>): readonly string[] {
  const wrong = Object.entries(given).filter(([name, value]) => !forms[name]?.test(String(value)))
  return [...misnamed(given, Object.keys(forms)), ...wrong.map(([name]) => name)]
}

async function derive({ transactions, receipts }: ReadBlock): Promise<Derived> {
  const blooms = receipts.map(bloomOf)
  const bloom = blooms.reduce((one, other) => one.map((byte, i) => byte | (other[i] as number)))
  return {
    transactionsRoot: await rootOf(transactions),
    receiptsRoot: await rootOf(receipts.map((receipt, i) => encodeReceipt(receipt, blooms[i] as Uint8Array))),
    bloom: hex(bloom),
  }
}

function checkRoots({ base, receipts, derived }: ReadBlock, { diff }: Flashblock): void {
  expect(diff.logs_bloom).toBe(derived.bloom)
  expect(diff.receipts_root).toBe(derived.receiptsRoot)
  expect(diff.gas_used).toBe(receipts.at(-1)?.cumulativeGasUsed ?? '0x0')
  const header = toRlp([
    base.parent_hash,
    EMPTY_UNCLES,
    base.fee_recipient,
    diff.state_root,
    derived.transactionsRoot,
    diff.receipts_root,
    diff.logs_bloom,
    '0x',
    integer(base.block_number),
    integer(base.gas_limit),
    integer(diff.gas_used),
    integer(base.timestamp),
    base.extra_data,
    base.prev_randao,
    '0x0000000000000000',
    integer(base.base_fee_per_gas),
    diff.withdrawals_root,
    integer(diff.blob_gas_used),
    // No blobs, so nothing is in excess.
    '0x',
    base.parent_beacon_block_root,
    NO_REQUESTS,
  ])
  expect(keccak256(header), 'base and differences make the block').toBe(diff.block_hash)
}

function encodeReceipt({ type, status, cumulativeGasUsed, logs }: FlashblockReceipt, bloom: Uint8Array): Hex {
  const list = logs.map(({ address, topics, data }) => [address, [...topics], data] as [Hex, Hex[], Hex])
  const body = toRlp([integer(status), integer(cumulativeGasUsed), hex(bloom), list])
  return type === '0x0' ? body : concatHex([`0x0${type.slice(2)}`, body])
}

/** The bloom filter of the Yellow Paper, 4.3.1. */
function bloomOf({ logs }: FlashblockReceipt): Uint8Array {
  const bloom = new Uint8Array(256)
  for (const item of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    const hash = hexToBytes(keccak256(item))
    for (const at of [0, 2, 4]) {
      const bit = (((hash[at] as number) << 8) | (hash[at + 1] as number)) & 2047
      bloom[255 - (bit >> 3)] = (bloom[255 - (bit >> 3)] as number) | (1 << (bit & 7))
    }
  }
  return bloom
}

/** The root of the trie with these values by their RLP-encoded positions. */
async function rootOf(values: readonly Hex[]): Promise<Hex> {
  const trie = await createMPT()
  for (const [i, value] of values.entries()) {
    await trie.put(hexToBytes(toRlp(integer(`0x${i.toString(16)}`))), hexToBytes(value))
  }
  return hex(trie.root())
}

/** A quantity as RLP has integers. */
function integer(quantity: Hex): Hex {
  const digits = quantity.slice(2)
  if (digits === '0') return '0x'
  return `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`
}

const hex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
