import { isObject } from '#primitives/json-object.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { OPTION_RANGES, rangeInWords } from '#rpc-types/option-ranges.ts'
import type { Header } from '../payload/block.ts'
import { MAX_CHAIN_TIME_S } from '../sequencer/chain-time.ts'
import { blockMs } from '../sequencer/schedule.ts'
import { quote } from '../spec/parse-option.ts'
import { JournalError } from '../storage/journal.ts'
import type {
  LiveRecord,
  PresentRecord,
  ProductionRecord,
  SnapshotRecord,
  TakenRecord,
  TimeRecord,
} from './present-record.ts'
import type { BaseRecord, BundleRecord, ChainRecord } from './records.ts'

// Stored JSON may come from a crafted file. So every field is first checked against what a node itself can write.
// Members that are not named here are never read.

/** Most bundles that a node stores, and most transactions of one. */
export const MAX_STORED_BUNDLES = 200
const MAX_BUNDLE_TRANSACTIONS = 256
/** The limit of the ids that callers give. */
const MAX_ID_LENGTH = 4_096

/** @throws {JournalError} `corrupt`; the message names `what`. */
type Check = (value: unknown, what: string) => void

type ChecksOf<Of extends object> = { readonly [Name in keyof Of]-?: Check }

const { partialMs, partialsPerBlock, speed, gasLimit, genesisTimestamp } = OPTION_RANGES
/** Twice the sequencer's limit, so that a chain can continue after reaching it. */
export const MAX_STORED_SECONDS = 2 * MAX_CHAIN_TIME_S
const MAX_MS = MAX_STORED_SECONDS * 1000
/** The limit of `devnet_delaySeal` and `devnet_stallPartialBlocks`. */
const MAX_SEAL_DELAY_MS = 600_000
const MAX_STALLED_TICKS = 1_000_000
/** Snapshot keys have eight hex digits. */
const MAX_SNAPSHOTS = 2 ** 32 - 1
const HASH_DIGITS = 64

const wholeNumber = (min: number, max: number) =>
  check(`a whole number from ${min} to ${max}`, (value) => Number.isSafeInteger(value) && isWithin(value, min, max))
const object = check('an object', isObject)
const timeMs = check(`a time from 0 to ${MAX_MS} ms`, (value) => isWithin(value, 0, MAX_MS))
const hash = text('a hash of 32 bytes', /^0x[0-9a-f]{64}$/)
const address = text('an address', /^0x[0-9a-f]{40}$/)
const bytes = check(
  'bytes as 0x hex',
  (value) => typeof value === 'string' && value.length % 2 === 0 && /^0x[0-9a-f]*$/.test(value),
)
const boolean = check('true or false', (value) => typeof value === 'boolean')
const quantity = (min: number, max: bigint) =>
  check(
    `a 0x quantity from ${min} to ${max}`,
    (value) => isQuantity(value) && BigInt(value) >= min && BigInt(value) <= max,
  )
const wei = quantity(0, 2n ** 256n - 1n)
const gas = quantity(gasLimit.min, BigInt(gasLimit.max))
const seconds = wholeNumber(0, MAX_STORED_SECONDS)

const timing = members<TimeRecord['timing']>({
  partialMs: wholeNumber(partialMs.min, partialMs.max),
  partialsPerBlock: wholeNumber(partialsPerBlock.min, partialsPerBlock.max),
})
const slot = members<TimeRecord['slot']>({
  openedAtMs: timeMs,
  index: wholeNumber(0, partialsPerBlock.max - 1),
  dueAtMs: timeMs,
})
const headerOverrides = members<LiveRecord['header']>({
  timestamp: optional(seconds),
  baseFeePerGas: optional(wei),
  coinbase: optional(address),
  gasLimit: optional(gas),
  mixHash: optional(hash),
})
const overrides = members<TimeRecord['wishes']>({
  next: headerOverrides,
  live: headerOverrides,
  lasting: headerOverrides,
  intervalSeconds: optional(wholeNumber(0, 2 ** 32)),
})
const time = {
  slot,
  timing,
  wishes: overrides,
  chainTimeMs: timeMs,
  offsetMs: optional(check(`from -${MAX_MS} to ${MAX_MS} ms`, (value) => isWithin(value, -MAX_MS, MAX_MS))),
  travelledMs: timeMs,
} satisfies ChecksOf<TimeRecord>

const production = members<ProductionRecord>({
  ...time,
  nextTiming: timing,
  running: boolean,
  speed: check(rangeInWords('speed'), (value) => isWithin(value, Number.MIN_VALUE, speed.max)),
  sealDelayMs: wholeNumber(0, MAX_SEAL_DELAY_MS),
  stalledTicks: wholeNumber(0, MAX_STALLED_TICKS),
  plannedWithdrawal: optional(text('"requeue" or "lose"', /^(?:requeue|lose)$/)),
  timingAfterAutomine: optional(timing),
  sharesSeconds: optional(boolean),
  minesOnRequest: optional(boolean),
})
const live = members<LiveRecord>({
  hash,
  header: members<LiveRecord['header']>({
    timestamp: seconds,
    baseFeePerGas: wei,
    coinbase: address,
    gasLimit: gas,
    mixHash: hash,
  }),
  transactions: check(
    'a concatenation of hashes without 0x',
    (value) => typeof value === 'string' && value.length % HASH_DIGITS === 0 && /^[0-9a-f]*$/.test(value),
  ),
  counts: list(wholeNumber(0, Number.MAX_SAFE_INTEGER), partialsPerBlock.max),
  edits: list(
    members<LiveRecord['edits'][number]>({
      position: wholeNumber(0, Number.MAX_SAFE_INTEGER),
      partialIndex: wholeNumber(0, partialsPerBlock.max - 1),
      difference: bytes,
    }),
  ),
})
const present = members<PresentRecord>({
  head: hash,
  live,
  seals: optional(check('true', (value) => value === true)),
  production,
  savedAtMs: timeMs,
  snapshotsTaken: wholeNumber(0, MAX_SNAPSHOTS),
  impersonated: members<PresentRecord['impersonated']>({ accounts: list(address), auto: boolean }),
})
const format = members<Pick<ChainRecord, 'format' | 'version'>>({
  format: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  version: text('a version of at most 100 characters', /^[!-~]{1,100}$/),
})
const chain = members<Omit<ChainRecord, 'format' | 'version'>>({
  options: object,
  genesisTimestamp: wholeNumber(0, genesisTimestamp.max),
  genesisHash: hash,
  fork: optional(
    members<NonNullable<ChainRecord['fork']>>({
      endpoint: text('the name of a host', /^[!-~]{1,300}$/),
      chainId: wholeNumber(0, Number.MAX_SAFE_INTEGER),
      // Read as the endpoint's answer is.
      block: object,
      withoutProofs: optional(text('a line of at most 1000 characters', /^[^\p{Cc}\p{Cf}]{0,1000}$/u)),
    }),
  ),
})
const base = members<BaseRecord>({ number: wholeNumber(0, Number.MAX_SAFE_INTEGER), hash })
const transactionPair = check(
  'a transaction with its sender',
  (value) => Array.isArray(value) && value.length === 2 && passes(bytes, value[0]) && passes(address, value[1]),
)
const snapshot = members<SnapshotRecord>({
  id: text('the id of a snapshot', /^0x[1-9a-f][0-9a-f]{0,7}$/),
  head: hash,
  live,
  time: members<TimeRecord>(time),
  included: list(transactionPair),
  pooled: list(transactionPair),
})

const taken = list(
  members<TakenRecord>({
    number: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    parent: hash,
    kept: wholeNumber(-1, partialsPerBlock.max - 1),
    live,
    included: list(transactionPair),
  }),
  100,
)

/** @throws {JournalError} `corrupt`. */
export function checkTaken(records: unknown): asserts records is readonly TakenRecord[] {
  taken(records, 'taken')
  for (const [i, { kept, live: was }] of (records as readonly TakenRecord[]).entries()) {
    checkLive(was, `taken[${i}].live`)
    if (kept >= was.counts.length) throw corrupt(`taken[${i}].kept must be within the block`)
  }
}

const bundles = list(
  members<BundleRecord>({
    id: check('a text', (value) => typeof value === 'string' && value.length <= MAX_ID_LENGTH),
    transactions: list(hash, MAX_BUNDLE_TRANSACTIONS),
    isAtomic: boolean,
    deployment: optional(hash),
  }),
  MAX_STORED_BUNDLES,
)

/** @throws {JournalError} `corrupt`. */
export function checkBundles(records: unknown): asserts records is readonly BundleRecord[] {
  bundles(records, 'bundles')
}

/**
 * Checks the fields that every format has.
 *
 * @throws {JournalError} `corrupt`.
 */
export function checkFormat(record: unknown): asserts record is Pick<ChainRecord, 'format' | 'version'> {
  format(record, 'chain')
}

/**
 * Checks everything but the options, which are checked when a chain is made from them.
 *
 * @throws {JournalError} `corrupt`.
 */
export function checkChain(record: unknown): asserts record is ChainRecord {
  chain(record, 'chain')
}

/** @throws {JournalError} `corrupt`. */
export function checkPresent(record: unknown): asserts record is PresentRecord {
  present(record, 'present')
  const checked = record as PresentRecord
  checkLive(checked.live, 'present.live')
  checkTime(checked.production, 'present.production', checked.production.sealDelayMs)
}

/** @throws {JournalError} `corrupt`. */
export function checkSnapshot(record: unknown): asserts record is SnapshotRecord {
  snapshot(record, 'snapshot')
  const checked = record as SnapshotRecord
  checkLive(checked.live, 'snapshot.live')
  // A snapshot does not record the seal's delay.
  checkTime(checked.time, 'snapshot.time', MAX_SEAL_DELAY_MS)
}

/** @throws {JournalError} `corrupt`. */
export function checkBase(record: unknown): asserts record is BaseRecord {
  base(record, 'base')
}

/** Checks that the parts of a live block agree. */
function checkLive({ transactions, counts, edits }: LiveRecord, what: string): void {
  const count = transactions.length / HASH_DIGITS
  const sum = counts.reduce((total, each) => total + each, 0)
  if (counts.length === 0 || sum !== count) {
    throw corrupt(`${what}.counts must add up to the ${count} transactions of the block, not to ${sum}`)
  }
  edits.forEach(({ position, partialIndex }, i) => {
    if (position > count || partialIndex >= counts.length) {
      throw corrupt(`${what}.edits[${i}].position must be within the block`)
    }
  })
}

/** Checks that the times agree: a block that is due in a thousand years would never be sealed. */
function checkTime(
  { slot: at, timing: of, chainTimeMs }: Pick<ProductionRecord, 'slot' | 'timing' | 'chainTimeMs'>,
  what: string,
  sealDelayMs: number,
): void {
  const whole = blockMs(of) + sealDelayMs
  // A stalled block may be overdue, but its grid starts where it was opened.
  if (at.dueAtMs < at.openedAtMs || at.dueAtMs > at.openedAtMs + whole) {
    throw corrupt(`${what}.slot.dueAtMs must be within the block that opened at ${at.openedAtMs}, not ${at.dueAtMs}`)
  }
  if (at.openedAtMs > chainTimeMs + whole) {
    throw corrupt(`${what}.slot.openedAtMs must not lie after chain time, which is ${chainTimeMs}`)
  }
}

function check(expected: string, holds: (value: unknown) => boolean): Check {
  return (value, what) => {
    if (!holds(value)) throw corrupt(`${what} must be ${expected}, not ${quote(value)}`)
  }
}

function passes(one: Check, value: unknown): boolean {
  try {
    one(value, '')
    return true
  } catch (error) {
    if (error instanceof JournalError) return false
    throw error
  }
}

function text(expected: string, pattern: RegExp): Check {
  return check(expected, (value) => typeof value === 'string' && pattern.test(value))
}

function optional(one: Check): Check {
  return (value, what) => {
    if (value !== undefined) one(value, what)
  }
}

/** An object. Does not compile while a member of the record has no check. */
function members<Of extends object>(checks: ChecksOf<Of>): Check {
  return (value, what) => {
    object(value, what)
    for (const [name, one] of Object.entries<Check>(checks)) {
      const isOwn = Object.hasOwn(value as object, name)
      one(isOwn ? (value as Record<string, unknown>)[name] : undefined, `${what}.${name}`)
    }
  }
}

function list(one: Check, most = Number.POSITIVE_INFINITY): Check {
  return (value, what) => {
    if (!Array.isArray(value)) throw corrupt(`${what} must be a list, not ${quote(value)}`)
    if (value.length > most) throw corrupt(`${what} must have at most ${most} entries, not ${value.length}`)
    value.forEach((item, i) => one(item, `${what}[${i}]`))
  }
}

function isQuantity(value: unknown): value is string {
  return typeof value === 'string' && /^0x(0|[1-9a-f][0-9a-f]{0,63})$/.test(value)
}

function isWithin(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && value >= min && value <= max
}

/**
 * What is wrong with a block's timestamp; `undefined` if it is above its parent's.
 *
 * @param mayRepeat - Whether it may be the same.
 */
export function wrongTimestamp(
  { timestamp }: Header,
  parent: Pick<Header, 'timestamp'>,
  mayRepeat: boolean,
): string | undefined {
  if (timestamp > parent.timestamp || (mayRepeat && timestamp === parent.timestamp)) return undefined
  const least = mayRepeat ? 'not be below' : 'be above'
  return `timestamp must ${least} its parent's, which is ${parent.timestamp}, not ${timestamp}`
}

/** Whether blocks of a stored chain may have their parent's timestamp: from its start, or since somebody allowed it. */
export function mayRepeatTimestamps(options: NodeOptions, { sharesSeconds }: Pick<ProductionRecord, 'sharesSeconds'>) {
  return options.allowSameTimestamp === true || sharesSeconds === true
}

/** The stored records do not make a chain. */
export function corrupt(problem: string, cause?: unknown): JournalError {
  return new JournalError('corrupt', `the stored chain is inconsistent: ${problem}`, { cause })
}

/** @throws {JournalError} `corrupt`, if there is no value. */
export function needed<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw corrupt(`${what} is missing`)
  return value
}
