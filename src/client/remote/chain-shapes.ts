import type { DevnetFaults, DevnetStatus, FilmMoments, FilmRun, TimelineEvent } from '#rpc-types/methods/devnet.ts'
import type { RpcBlock, RpcLog, RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import type { OptionKind } from '#rpc-types/option.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import { OPTION_KINDS } from '#rpc-types/option-tables.derived.ts'
import type { PartialBlockBase, PartialBlockDiff } from '#rpc-types/subscriptions.ts'
import {
  address,
  anything,
  blockNumber,
  bloom,
  count,
  data,
  either,
  flag,
  hash,
  listOf,
  matches,
  milliseconds,
  nullable,
  numberFrom,
  object,
  optional,
  partialIndex,
  quantity,
  recordOf,
  type Shape,
  text,
  timestamp,
  wholeFrom,
} from './shapes.ts'

export const transaction = object<RpcTransaction>({
  hash,
  from: address,
  to: optional(address),
  nonce: quantity,
  value: quantity,
  input: data,
  gas: optional(quantity),
  gasPrice: optional(quantity),
  maxFeePerGas: optional(quantity),
  maxPriorityFeePerGas: optional(quantity),
  type: optional(quantity),
  chainId: optional(quantity),
  blockHash: optional(hash),
  blockNumber: optional(blockNumber),
  transactionIndex: optional(blockNumber),
  blockTimestamp: optional(timestamp),
})

export const log = object<RpcLog>({
  address,
  topics: listOf(hash),
  data,
  blockHash: optional(hash),
  blockNumber: optional(blockNumber),
  blockTimestamp: optional(timestamp),
  transactionHash: optional(hash),
  transactionIndex: optional(blockNumber),
  logIndex: optional(blockNumber),
})

export const receipt = object<RpcReceipt>({
  transactionHash: hash,
  status: optional(quantity),
  type: optional(quantity),
  from: optional(address),
  to: optional(address),
  gasUsed: quantity,
  cumulativeGasUsed: quantity,
  effectiveGasPrice: optional(quantity),
  l1Fee: optional(quantity),
  contractAddress: optional(address),
  blockHash: optional(hash),
  blockNumber: optional(blockNumber),
  transactionIndex: optional(blockNumber),
  logs: listOf(log),
})

export const headerMembers = {
  number: blockNumber,
  hash,
  parentHash: optional(hash),
  timestamp,
  gasUsed: quantity,
  gasLimit: quantity,
  baseFeePerGas: optional(quantity),
  miner: optional(address),
  extraData: optional(data),
}
export const block = object<RpcBlock>({
  ...headerMembers,
  size: optional(quantity),
  transactions: listOf(either(hash, transaction)),
})
/** Some chains give the pending block no hash, no number or no bloom filter. */
export const pendingBlock = object<RpcBlock>({
  ...headerMembers,
  number: optional(blockNumber),
  hash: optional(hash),
  logsBloom: optional(bloom),
  transactions: listOf(either(hash, transaction)),
})

export const partialBlock = object<PartialBlockDiff>({
  index: partialIndex,
  payloadId: data,
  base: (value, path) =>
    value === undefined
      ? undefined
      : object<PartialBlockBase>({ number: blockNumber, gasLimit: quantity, baseFeePerGas: quantity, timestamp })(
          value,
          path,
        ),
  diff: object<PartialBlockDiff['diff']>({
    blockHash: hash,
    logsBloom: optional(bloom),
    gasUsed: quantity,
    transactions: listOf(transaction),
    receipts: listOf(receipt),
  }),
  metadata: object<PartialBlockDiff['metadata']>({
    blockNumber,
    transactionCount: count,
    cutAtMs: milliseconds,
    tookMs: milliseconds,
  }),
})

export const withdrawal = object<NonNullable<NonNullable<DevnetFaults['withdrawal']>['latest']>>({
  id: count,
  number: blockNumber,
  first: partialIndex,
  last: partialIndex,
  fate: matches(/^(?:requeue|lose)$/),
  count: optional(count),
  withdrawn: listOf(hash),
})

const clockMode = matches(/^(?:auto|manual)$/)

/** The values that this build knows of an option. */
function ofOption(kind: OptionKind): Shape {
  switch (kind.is) {
    case 'number':
      return kind.fractional ? numberFrom(kind.min, kind.max) : wholeFrom(kind.min, kind.max)
    case 'word': {
      const word: Shape = (value, path) => (kind.words.some((each) => each === value) ? undefined : path)
      return kind.orMoment ? either(word, count) : word
    }
    case 'switch':
      return flag
    case 'address':
      return address
    default:
      return anything
  }
}

const options = Object.entries<OptionKind>(OPTION_KINDS).map(
  ([name, kind]) => [name, optional(ofOption(kind))] as const,
)

export const status = object<DevnetStatus>({
  clientVersion: text,
  chainId: quantity,
  seed: count,
  mode: clockMode,
  options: optional(object(Object.fromEntries(options))),
  paused: flag,
  automine: optional(flag),
  film: optional(flag),
  atomic: optional(ofOption(OPTION_KINDS.atomic)),
  speed: numberFrom(Number.MIN_VALUE, Number.MAX_SAFE_INTEGER),
  partialMs: numberFrom(Number.MIN_VALUE, Number.MAX_SAFE_INTEGER),
  partialsPerBlock: wholeFrom(1, OPTION_RANGES.partialsPerBlock.max),
  chainTimeMs: milliseconds,
  head: object<DevnetStatus['head']>({ number: blockNumber, hash }),
  live: object<DevnetStatus['live']>({
    number: blockNumber,
    index: partialIndex,
    sealsAtMs: milliseconds,
    nextTickAtMs: milliseconds,
    transactionCount: count,
    transactionsByPartial: listOf(count),
    gasUsed: quantity,
    gasLimit: quantity,
  }),
  pool: object<DevnetStatus['pool']>({ pending: count, queued: count }),
  faults: object<DevnetFaults>({
    stalledTicks: count,
    sealDelayMs: milliseconds,
    failNext: listOf(object({ methods: listOf(text) })),
    withdrawal: optional(
      object({
        planned: nullable(matches(/^(?:requeue|lose)$/)),
        latest: nullable(withdrawal),
      }),
    ),
  }),
  accounts: listOf(address),
})

export const moments = object<FilmMoments>({
  count,
  shown: count,
  runs: listOf(
    object<FilmRun>({
      number: blockNumber,
      first: partialIndex,
      transactions: listOf(count),
      takenFrom: optional(partialIndex),
    }),
  ),
  hiddenBlocks: count,
})

export const timelineEvent = object<TimelineEvent>({
  kind: matches(/^(?:received|preconfirmed|sealed|withdrawn|dropped|replaced)$/),
  atMs: milliseconds,
  blockNumber: optional(blockNumber),
  index: optional(partialIndex),
  reason: optional(text),
  blockHash: optional(hash),
  by: optional(hash),
})

export const pooled = recordOf(recordOf(transaction))
