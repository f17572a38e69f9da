import { shorten } from '#primitives/shorten.ts'

/** What is to know of a kind of fault. */
interface KindFacts {
  /** What happens, for people. */
  readonly sentence: string
  /** `tick`: it is due after a tick, counted from the dapp's first transaction. `send`: it meets one of the dapp's sends. */
  readonly moment: 'tick' | 'send'
  /** The earliest moment at which it can find anything. */
  readonly from: 0 | 1
  /** What it changes: the chain, the answers of calls, or the events of subscriptions. */
  readonly on: 'chain' | 'calls' | 'events'
  /** Ticks until it ends; `block`: as many as a block has. Without it the fault happens once. */
  readonly lasts?: number | 'block'
}

/** All kinds of faults. */
export const FAULT_KINDS = {
  withdraw: {
    sentence: 'the pre-confirmation is withdrawn, and the transaction waits again',
    moment: 'tick',
    from: 1,
    on: 'chain',
  },
  lose: {
    sentence: 'the transaction is lost: from the mempool, or with its partial or sealed block',
    moment: 'tick',
    from: 0,
    on: 'chain',
  },
  replace: {
    sentence: 'another transaction of the sender with the same nonce takes its place',
    moment: 'tick',
    from: 0,
    on: 'chain',
  },
  late: {
    sentence: 'waiting transactions are not taken for as long as a block takes',
    moment: 'tick',
    from: 0,
    on: 'chain',
    lasts: 'block',
  },
  reorg: {
    sentence: 'its sealed block is reverted, and the transaction waits again',
    moment: 'tick',
    from: 1,
    on: 'chain',
  },
  refuse: {
    sentence: 'the node refuses it: the pool is full',
    moment: 'send',
    from: 1,
    on: 'calls',
  },
  'late-answer': {
    sentence: 'the node takes it, and answers two ticks later',
    moment: 'send',
    from: 1,
    on: 'calls',
    lasts: 2,
  },
  'lost-answer': {
    sentence: 'the node takes it, and the answer is lost: the request times out',
    moment: 'send',
    from: 1,
    on: 'calls',
  },
  lag: {
    sentence: 'every second read is answered by a node that is a block behind, for as long as a block takes',
    moment: 'tick',
    from: 0,
    on: 'calls',
    lasts: 'block',
  },
  'no-pending': {
    sentence: 'reads at pending are answered as at latest, for as long as a block takes',
    moment: 'tick',
    from: 0,
    on: 'calls',
    lasts: 'block',
  },
  'lost-event': {
    sentence: 'the events of that tick are lost',
    moment: 'tick',
    from: 1,
    on: 'events',
  },
  'double-event': {
    sentence: 'the events of that tick come twice',
    moment: 'tick',
    from: 1,
    on: 'events',
  },
  'silent-stream': {
    sentence: 'subscriptions tell of no partial block, for as long as a block takes',
    moment: 'tick',
    from: 0,
    on: 'events',
    lasts: 'block',
  },
  'broken-stream': {
    sentence: 'all subscriptions end, and none can begin for as long as a block takes',
    moment: 'tick',
    from: 0,
    on: 'events',
    lasts: 'block',
  },
} as const satisfies Readonly<Record<string, KindFacts>>

export type FaultName = keyof typeof FAULT_KINDS

/** The names of all kinds, in the order of the table. */
export const FAULT_NAMES = Object.keys(FAULT_KINDS) as readonly FaultName[]

/** What is to know of a kind, without which one it is. */
export const factsOf = (kind: FaultName): KindFacts => FAULT_KINDS[kind]

/** A fault and its moment. */
export interface Fault {
  readonly kind: FaultName
  /**
   * A tick: 0 is after the dapp's first transaction was received and before the next tick, 2 is after the second tick. Or a
   * send: 1 is the first.
   */
  readonly at: number
  /** The name of the chain that it meets; by default the first one. */
  readonly chain?: string
}

/** A fate: faults, in the order in which those of one moment happen. */
export type Schedule = readonly Fault[]

/** The latest moment. */
export const MAX_MOMENT = 9_999
/** Most faults of a fate. */
export const MAX_FAULTS = 1_000
/** Most characters of a fate's text. */
const MAX_CHARACTERS = 100_000

const CHAIN_NAME = /^[A-Za-z][\w-]{0,63}$/

/**
 * Reads a fate: `withdraw@2,late-answer@send1`, with several chains `base:withdraw@2`. An empty text has no faults.
 *
 * @throws {TypeError} That says what is wrong, and what there is.
 */
export function parseFate(text: string): Schedule {
  if (typeof text !== 'string') throw new TypeError('a fate is a text, such as withdraw@2,late-answer@send1')
  if (text.length > MAX_CHARACTERS) {
    throw new TypeError(`a fate has at most ${MAX_CHARACTERS} characters, this one has ${text.length}`)
  }
  if (text.trim() === '') return []
  const parts = text.split(',')
  if (parts.length > MAX_FAULTS) throw new TypeError(`a fate has at most ${MAX_FAULTS} faults, not ${parts.length}`)
  return parts.map((part) => parseFault(part.trim()))
}

function parseFault(text: string): Fault {
  const shown = JSON.stringify(shorten(text))
  const at = text.lastIndexOf('@')
  if (at === -1) throw new TypeError(`the fault ${shown} names no moment: write withdraw@2 or refuse@send1`)
  const named = text.slice(0, at)
  const colon = named.indexOf(':')
  const kind = named.slice(colon + 1)
  requireKind(kind)
  const { moment, from } = factsOf(kind)
  const match = /^(send)?(0|[1-9]\d{0,3})$/.exec(text.slice(at + 1))
  const number = Number(match?.[2])
  if (!match || (moment === 'send') !== (match[1] !== undefined) || number < from) {
    const [prefix, what] = moment === 'send' ? ['send', 'a send'] : ['', 'a tick']
    const range = `${kind}@${prefix}${from} to ${kind}@${prefix}${MAX_MOMENT}`
    throw new TypeError(`the fault ${shown} has no moment that ${kind} takes: ${what}, ${range}`)
  }
  if (colon === -1) return { kind, at: number }
  const chain = named.slice(0, colon)
  if (!CHAIN_NAME.test(chain)) {
    throw new TypeError(`the fault ${shown} names no chain: letters, digits, _ and - before the colon`)
  }
  return { kind, at: number, chain }
}

/** @throws {TypeError} If it is none, with all that there are. */
export function requireKind(kind: string): asserts kind is FaultName {
  if (Object.hasOwn(FAULT_KINDS, kind)) return
  throw new TypeError(`there is no fault ${JSON.stringify(shorten(kind))}, there are ${FAULT_NAMES.join(', ')}`)
}

/** The text of a fate: what {@link parseFate} reads. */
export function formatFate(schedule: Schedule): string {
  return schedule.map((fault) => formatFault(fault)).join(',')
}

/** The text of one fault. */
export function formatFault({ kind, at, chain }: Fault): string {
  const prefix = factsOf(kind).moment === 'send' ? 'send' : ''
  return `${chain === undefined ? '' : `${chain}:`}${kind}@${prefix}${at}`
}

/** A fate in plain words, one sentence. */
export function describeFate(schedule: Schedule): string {
  if (schedule.length === 0) return 'Nothing goes wrong.'
  const parts = schedule.map(({ kind, at, chain }) => {
    const { moment, sentence } = factsOf(kind)
    const where = chain === undefined ? '' : ` on ${chain}`
    return `${momentInWords(moment, at)}${where}: ${sentence}`
  })
  const text = parts.join('; ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function momentInWords(moment: 'tick' | 'send', at: number): string {
  if (moment === 'send') return `at the dapp’s send ${at}`
  if (at === 0) return 'before the first tick'
  return `after tick ${at}`
}
