import type { Hash } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import type { ConnectOptions } from '#rpc-types/connection.ts'
import type { BlockTag } from '#rpc-types/objects.ts'
import type { Block } from '../../payload/block.ts'
import type { ChainReader } from '../../storage/chain-reader.ts'
import type { NodeContext } from '../context.ts'
import { RpcRefusedError } from '../errors.ts'
import { byteDigits, HexTextError, parseHash, quantityValue } from './hex-params.ts'
import { cannotUnmarshal, jsonType, type Param, ParamError } from './param.ts'

/** A block by tag or number. */
export type BlockByNumber = BlockTag | number
/** A block as in EIP-1898. */
export type BlockRef = BlockByNumber | { readonly hash: Hash }

const TAGS: readonly string[] = ['latest', 'pending', 'safe', 'finalized', 'earliest'] satisfies readonly BlockTag[]
const MAX_INT64 = 2n ** 63n - 1n
/** Length of a hash with its prefix, which distinguishes it from a number. */
const HASH_LENGTH = 66

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

const isTag = (text: string): text is BlockTag => TAGS.includes(text)

function hexReading<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof HexTextError) throw new ParamError(error.message, { cause: error })
    throw error
  }
}

function parseText(text: string): BlockByNumber {
  if (isTag(text)) return text
  const number = hexReading(() => quantityValue(text, 64))
  if (number > MAX_INT64) throw new ParamError('block number larger than int64')
  // Exact for any real chain; larger numbers are above every head.
  return Number(number)
}

/** A tag or a hexadecimal number; also a JSON number, as in Hardhat and anvil. */
export const blockNumber: Param<BlockByNumber> = {
  parse(value) {
    if (isWhole(value)) return value
    if (typeof value !== 'string') throw new ParamError('hex string without 0x prefix')
    return parseText(value)
  },
}

/** A tag, a number, a hash, or an object of EIP-1898. */
export const blockRef: Param<BlockRef> = {
  parse(value) {
    if (isObject(value)) return parseObject(value)
    if (isWhole(value)) return value
    if (typeof value !== 'string') throw cannotUnmarshal(jsonType(value), 'value of type string')
    if (value.length !== HASH_LENGTH || isTag(value)) return parseText(value)
    return { hash: `0x${hexReading(() => byteDigits(value))}` }
  },
}

/** `requireCanonical` has no effect: only canonical blocks are kept. */
function parseObject(value: Readonly<Record<string, unknown>>): BlockRef {
  const { blockNumber: number, blockHash, requireCanonical } = value
  if (requireCanonical !== undefined && typeof requireCanonical !== 'boolean') {
    throw cannotUnmarshal(jsonType(requireCanonical), 'struct field erased.requireCanonical of type bool')
  }
  const hasNumber = number !== undefined && number !== null
  const hasHash = blockHash !== undefined && blockHash !== null
  if (hasNumber && hasHash) {
    throw new ParamError('cannot specify both BlockHash and BlockNumber, choose one or the other')
  }
  if (hasHash) return { hash: parseHash(blockHash, 'erased.blockHash') }
  if (hasNumber) return blockNumber.parse(number)
  throw new ParamError('neither block nor hash specified')
}

/** What a block is found in; its `preview` is as in `CallerContext`. */
export type BlockContext = Pick<NodeContext, 'chain' | 'spec'> &
  ConnectOptions & { readonly preview?: Block | undefined }

/**
 * The block that a caller named; `undefined` if it does not exist (yet). The live block is `pending`, and also its
 * number if the connection reads `latest` as pre-confirmed: receipts name it by that.
 */
export function findBlock(context: BlockContext, ref: BlockRef): Block | undefined {
  const { chain, spec, latest } = context
  if (typeof ref === 'number') {
    return chain.blockByNumber(ref) ?? (latest === 'preconfirmed' ? liveBlock(chain, ref) : undefined)
  }
  if (typeof ref === 'object') return chain.blockByHash(ref.hash)
  if (ref === 'pending') return pendingBlock(context)
  const head = chain.head()
  if (ref === 'latest') return head
  if (ref === 'earliest') return chain.first()
  const distance = ref === 'safe' ? spec.safeDistance : spec.finalizedDistance
  return chain.blockByNumber(Math.max(chain.first().header.number, head.header.number - distance))
}

/** The block `pending`. */
export function pendingBlock({ chain, preview }: Pick<BlockContext, 'chain' | 'preview'>): Block {
  return preview ?? chain.pending()
}

function liveBlock(chain: ChainReader, number: number): Block | undefined {
  const live = chain.pending()
  return live.header.number === number ? live : undefined
}

/**
 * The block whose state or logs a caller names. At `latest` it is the live block, as far as it is pre-confirmed, if the
 * connection says so.
 */
export function findStateBlock(context: BlockContext, ref: BlockRef): Block | undefined {
  return ref === 'latest' && context.latest === 'preconfirmed' ? context.chain.pending() : findBlock(context, ref)
}

/**
 * The block whose state a caller wants to read.
 *
 * @throws {RpcRefusedError} `header not found` or, by hash, `header for hash not found`, if it does not exist.
 */
export function requireStateBlock(context: BlockContext, ref: BlockRef): Block {
  return required(findStateBlock(context, ref), ref)
}

/**
 * The block that a caller wants to read.
 *
 * @throws {RpcRefusedError} As in {@link requireStateBlock}.
 */
export function requireBlock(context: BlockContext, ref: BlockRef): Block {
  return required(findBlock(context, ref), ref)
}

function required(block: Block | undefined, ref: BlockRef): Block {
  if (!block)
    throw new RpcRefusedError('server', typeof ref === 'object' ? 'header for hash not found' : 'header not found')
  return block
}
