import { formatFate, type Schedule } from '#fates/fault.ts'
import { findHistories } from '#fates/histories.ts'
import type { ReplayedChain } from '#fates/replay.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { carefulPolling, carefulSubscribing } from './careful.ts'
import { carelessPolling, carelessSubscribing } from './careless.ts'
import type { Dapp, Order } from './dapp-tools.ts'
import { type DappVerdict, judgeRun, TICK_MS } from './judge-run.ts'
import { type DappOutcome, runDapp } from './run-dapp.ts'

/** How a dapp learns of its payment. */
export const WAYS = ['polling', 'subscribing'] as const
export type Way = (typeof WAYS)[number]
/** Whether a dapp believes the first answer. */
export const CARES = ['careless', 'careful'] as const
export type Care = (typeof CARES)[number]

const DAPPS: Readonly<Record<Way, Readonly<Record<Care, Dapp>>>> = {
  polling: { careless: carelessPolling, careful: carefulPolling },
  subscribing: { careless: carelessSubscribing, careful: carefulSubscribing },
}

/** The scenario's chain: in memory, its ticks come from the scenario alone. */
export const CHAIN_OPTIONS = {
  mode: 'manual',
  seed: 42,
  partialMs: TICK_MS,
  partialsPerBlock: 10,
} as const satisfies NodeOptions

/** One ether from one development account to another. */
export const ORDER: Order = {
  from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  value: '0xde0b6b3a7640000',
}

/** A dapp's run, judged. */
export interface JudgedDapp extends DappOutcome {
  readonly verdict: DappVerdict
}

/** One history, as both dapps have lived through it. */
export interface ScenarioHistory extends Readonly<Record<Care, JudgedDapp>> {
  readonly fate: string
  readonly schedule: Schedule
}

/** How far a search is. */
export type ScenarioProgress =
  /** Schedules are played, to find those that differ to a client. */
  | { readonly phase: 'looking'; readonly played: number; readonly found: number }
  | { readonly phase: 'running'; readonly done: number; readonly of: number }

export interface ScenarioResult {
  /** The first is the one without faults. */
  readonly histories: readonly ScenarioHistory[]
  /** How many schedules of faults they stand for. */
  readonly schedules: number
  /** In words; empty if nothing was left out. */
  readonly leftOut: readonly string[]
}

export interface ScenarioOptions {
  readonly way: Way
  /** Most faults of a history. */
  readonly depth: 1 | 2
  /** Fates that are run besides those that are found. */
  readonly also?: readonly Schedule[]
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: ScenarioProgress) => void
}

/** Most histories that are run. */
const MOST_HISTORIES = 200
/** How long histories are looked for at most. */
const LOOK_MS = 60_000

/**
 * Runs both dapps under every history that schedules of faults can make of the payment.
 *
 * @throws If the signal is aborted, or the chain is gone.
 */
export async function runScenario(
  chain: ReplayedChain,
  { way, depth, also = [], signal, onProgress }: ScenarioOptions,
): Promise<ScenarioResult> {
  onProgress?.({ phase: 'looking', played: 0, found: 1 })
  const { recording } = await runDapp(chain, [], DAPPS[way].careful, ORDER, signal)
  const found = await findHistories([chain], recording, {
    depth,
    most: MOST_HISTORIES,
    withinMs: LOOK_MS,
    ...(signal && { signal }),
    onPlayed: (played, number) => onProgress?.({ phase: 'looking', played, found: number }),
  })
  const schedules = found.histories.map(({ fate }) => fate)
  const known = new Set(schedules.map((schedule) => formatFate(schedule)))
  schedules.push(...also.filter((schedule) => !known.has(formatFate(schedule))))
  const histories: ScenarioHistory[] = []
  for (const schedule of schedules) {
    onProgress?.({ phase: 'running', done: histories.length, of: schedules.length })
    histories.push(await runHistory(chain, way, schedule, signal))
  }
  return { histories, schedules: found.schedules, leftOut: found.leftOut }
}

/** Runs both dapps under one fate. */
export async function runHistory(
  chain: ReplayedChain,
  way: Way,
  schedule: Schedule,
  signal?: AbortSignal,
): Promise<ScenarioHistory> {
  const judged = async (care: Care): Promise<JudgedDapp> => {
    const outcome = await runDapp(chain, schedule, DAPPS[way][care], ORDER, signal)
    return { ...outcome, verdict: judgeRun(outcome) }
  }
  const careless = await judged('careless')
  return { fate: formatFate(schedule), schedule, careless, careful: await judged('careful') }
}
