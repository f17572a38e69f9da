import { RLP } from '@ethereumjs/rlp'
import { bigIntToBytes, bytesToBigInt } from '#primitives/bytes.ts'
import type { Hash } from '#primitives/hex.ts'
import type { JsonObject } from '#primitives/json-object.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import type { Header } from '../payload/block.ts'
import { type BaseFeeParams, encodeExtraData } from '../spec/extra-data.ts'
import { AnswerError, bytesOf, hexOf, membersOf, numberOf, quantityOf } from './answers.ts'

/** A header of another chain, checked by its hash. */
export interface ForkHeader {
  readonly hash: Hash
  /** Bytes of the block, as the endpoint says. */
  readonly size: number
  /** The header, whose `extraData` holds the base fee rule in our encoding, for {@link Header}'s other readers. */
  readonly header: Header
  /** The rule for the base fee of its child. */
  readonly baseFee: BaseFeeParams
  /** What {@link readForkHeader} has read, which it reads again. */
  readonly json: Readonly<Record<string, unknown>>
}

const HASH = 32
const ZERO: Hash = `0x${'0'.repeat(64)}`

/** The fields that every header has, in their order. */
const FIELDS = [
  ['parentHash', HASH],
  ['sha3Uncles', HASH],
  ['miner', 20],
  ['stateRoot', HASH],
  ['transactionsRoot', HASH],
  ['receiptsRoot', HASH],
  ['logsBloom', 256],
  ['difficulty', 'quantity'],
  ['number', 'quantity'],
  ['gasLimit', 'quantity'],
  ['gasUsed', 'quantity'],
  ['timestamp', 'quantity'],
  ['extraData', 'bytes'],
  ['mixHash', HASH],
  ['nonce', 8],
] as const
/** The fields that upgrades have added, in their order. A header that has one has all before it. */
const LATER_FIELDS = [
  ['baseFeePerGas', 'quantity'],
  ['withdrawalsRoot', HASH],
  ['blobGasUsed', 'quantity'],
  ['excessBlobGas', 'quantity'],
  ['parentBeaconBlockRoot', HASH],
  ['requestsHash', HASH],
] as const

/** What a header may say at most, so that the blocks after it can still be counted: a chain for which all is far below. */
const MAX_NUMBER = 2n ** 48n
/** Seconds: as late as a chain's first block may be, here and in `--timestamp`. */
const MAX_TIMESTAMP = BigInt(OPTION_RANGES.genesisTimestamp.max)
/** As in geth. */
const MAX_GAS_LIMIT = 2n ** 63n - 1n
/** Wei per gas. */
const MAX_BASE_FEE = 2n ** 128n

/** Ethereum's rule (EIP-1559). */
const ETHEREUM: BaseFeeParams = { denominator: 8n, elasticity: 2n, minBaseFee: 0n }
/** What the OP Stack's chains have where their headers name no rule of their own. */
const OP_STACK: BaseFeeParams = { denominator: 250n, elasticity: 6n, minBaseFee: 0n }

/**
 * Reads a block as JSON-RPC has it.
 *
 * @throws {AnswerError} If it is none, or its hash is not that of its header.
 */
export function readForkHeader(block: unknown): ForkHeader {
  const members = membersOf(block, 'the block')
  const hash = hexOf(members['hash'], 'hash', HASH)
  const computed = keccak256Hex(encode(members))
  if (computed !== hash) {
    throw new AnswerError(`its header has the hash ${computed}, not ${hash}: it was changed, or has fields of its own`)
  }
  const baseFee = paramsIn(bytesOf(members['extraData'], 'extraData'))
  const within = (name: string, most: bigint): bigint => {
    const value = quantityOf(members[name] ?? '0x0', name)
    if (value > most) throw new AnswerError(`${name} is ${value}, more than ${most}`)
    return value
  }
  const gasLimit = within('gasLimit', MAX_GAS_LIMIT)
  if (gasLimit === 0n) throw new AnswerError('gasLimit is 0')
  const hashIn = (name: string) => hexOf(members[name] ?? ZERO, name, HASH)
  return {
    hash,
    json: pick(members, [...[...FIELDS, ...LATER_FIELDS].map(([name]) => name), 'hash', 'size']),
    size: numberOf(members['size'] ?? '0x0', 'size'),
    baseFee,
    header: {
      parentHash: hashIn('parentHash'),
      coinbase: hexOf(members['miner'], 'miner', 20),
      stateRoot: hashIn('stateRoot'),
      transactionsRoot: hashIn('transactionsRoot'),
      receiptsRoot: hashIn('receiptsRoot'),
      logsBloom: bytesOf(members['logsBloom'], 'logsBloom', 256),
      number: Number(within('number', MAX_NUMBER)),
      gasLimit,
      gasUsed: within('gasUsed', gasLimit),
      timestamp: Number(within('timestamp', MAX_TIMESTAMP)),
      extraData: encodeExtraData(baseFee),
      mixHash: hashIn('mixHash'),
      baseFeePerGas: within('baseFeePerGas', MAX_BASE_FEE),
      parentBeaconBlockRoot: hashIn('parentBeaconBlockRoot'),
    },
  }
}

function pick(members: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (members[name] === undefined ? [] : [[name, members[name]]])))
}

function encode(members: JsonObject): Uint8Array {
  const later = LATER_FIELDS.filter(([name]) => members[name] !== undefined && members[name] !== null)
  return RLP.encode(
    [...FIELDS, ...later].map(([name, kind]) => {
      if (kind === 'quantity') return bigIntToBytes(quantityOf(members[name], name))
      return bytesOf(members[name], name, kind === 'bytes' ? undefined : kind)
    }),
  )
}

/**
 * The rule that a header's `extraData` names: Holocene's 9 bytes (version 0), or Jovian's 17 with a minimum (version 1),
 * which are also ours. Any other text there is Ethereum's, and names none.
 */
function paramsIn(extraData: Uint8Array): BaseFeeParams {
  const isHolocene = extraData.length === 9 && extraData[0] === 0
  const isJovian = extraData.length === 17 && extraData[0] === 1
  if (!isHolocene && !isJovian) return ETHEREUM
  const minBaseFee = isJovian ? bytesToBigInt(extraData, 9, 17) : 0n
  const [denominator, elasticity] = [bytesToBigInt(extraData, 1, 5), bytesToBigInt(extraData, 5, 9)]
  return denominator === 0n || elasticity === 0n ? { ...OP_STACK, minBaseFee } : { denominator, elasticity, minBaseFee }
}
