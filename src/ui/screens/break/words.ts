import { describeFate, type Fault, type FaultName, factsOf, parseFate, type Schedule } from '#fates/fault.ts'
import { formatDuration } from '#ui/format/numbers.ts'
import { TICK_MS } from './scenario/judge-run.ts'
import type { PaymentPlace } from './scenario/run-dapp.ts'
import type { ScenarioHistory } from './scenario/scenario.ts'

/** What a fault does, in one or two words. */
const NAMES: Readonly<Record<FaultName, string>> = {
  withdraw: 'Withdrawn',
  lose: 'Lost',
  replace: 'Replaced',
  late: 'Taken late',
  reorg: 'Reorg',
  refuse: 'Send rejected',
  'late-answer': 'Answer late',
  'lost-answer': 'Answer lost',
  lag: 'Node lags behind',
  'no-pending': 'No pending reads',
  'lost-event': 'Event lost',
  'double-event': 'Event twice',
  'silent-stream': 'Stream stalls',
  'broken-stream': 'Stream breaks',
}

export const KEPT = 'Promise kept'

/** Where a payment is, in words. */
export const PLACES: Readonly<Record<PaymentPlace, string>> = {
  unsent: 'Not sent',
  mempool: 'Mempool',
  preconfirmed: 'Pre-confirmed',
  sealed: 'Sealed',
  replaced: 'Replaced',
  gone: 'Lost',
}

/** The tick at which a fault strikes. */
export const tickOf = ({ kind, at }: Fault): number => (factsOf(kind).moment === 'send' ? 0 : at)

/** A moment of the scenario's clock. */
export const timeOf = (tick: number): string => formatDuration(tick * TICK_MS)

export const nameOf = ({ kind }: Fault): string => NAMES[kind]

/** When a fault strikes. */
export function momentOf(fault: Fault): string {
  return factsOf(fault.kind).moment === 'send' ? 'at the send' : timeOf(tickOf(fault))
}

/** A history in a few words: `Withdrawn after 200 ms, then lost after 400 ms`. */
export function titleOf(schedule: Schedule): string {
  if (schedule.length === 0) return KEPT
  const parts = schedule.map((fault, i) => {
    const { moment } = factsOf(fault.kind)
    const name = i === 0 ? nameOf(fault) : `${nameOf(fault).charAt(0).toLowerCase()}${nameOf(fault).slice(1)}`
    return moment === 'send' || fault.at === 0 ? name : `${name} after ${timeOf(fault.at)}`
  })
  return parts.join(', then ')
}

/** A history in one sentence. */
export const sentenceOf = (schedule: Schedule): string =>
  schedule.length === 0
    ? 'Nothing goes wrong: pre-confirmed with the next partial block, sealed with its block.'
    : describeFate(schedule)

/** The word for the kept promise in an address; a fate has a moment in its text. */
const KEPT_IN_ADDRESS = 'kept'

/** The address of a history's screen. */
export const addressOf = (way: string, fate: string): string => `/break/${way}/${fate || KEPT_IN_ADDRESS}`

/**
 * The history that an address names.
 *
 * @throws {TypeError} If it names none; the message says why.
 */
export function readFate(text: string): Schedule {
  return text === KEPT_IN_ADDRESS ? [] : parseFate(text)
}

/** What becomes of a payment, and how the careless dapp fares, for a screen reader. */
export function describeNode({ schedule, careless }: ScenarioHistory): string {
  const places = careless.truths
    .filter(({ place }) => place !== 'unsent')
    .map(({ place }) => PLACES[place].toLowerCase())
  return `${titleOf(schedule)}: ${places.join(', ')}. The careless dapp: ${careless.verdict.words}`
}
