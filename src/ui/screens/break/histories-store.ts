import { create } from 'zustand'
import { formatFate, type Schedule } from '#fates/fault.ts'
import { withScenarioChain } from './scenario/open-chain.ts'
import {
  runScenario,
  type ScenarioHistory,
  type ScenarioProgress,
  type ScenarioResult,
  type Way,
} from './scenario/scenario.ts'

export type Depth = 1 | 2

/** What was asked for last. */
interface Asked {
  readonly way: Way
  readonly depth: Depth
}

export interface HistoriesState {
  /** What runs, or was run last. */
  readonly asked: Asked | undefined
  readonly progress: ScenarioProgress | undefined
  readonly result: (ScenarioResult & Asked) | undefined
  readonly error: unknown
}

/** The histories of this page, for as long as it is open. */
export const useHistories = create<HistoriesState>()(() => ({
  asked: undefined,
  progress: undefined,
  result: undefined,
  error: undefined,
}))

let running: AbortController | undefined

/**
 * Runs every history, in place of what runs.
 *
 * @param also - A fate that is run, too, wherever it stands.
 */
export async function runHistories(asked: Asked, also: Schedule = []): Promise<void> {
  running?.abort()
  const run = new AbortController()
  running = run
  const { signal } = run
  useHistories.setState({ asked, error: undefined, progress: { phase: 'looking', played: 0, found: 1 } })
  try {
    const result = await withScenarioChain((chain) =>
      runScenario(chain, {
        ...asked,
        also: also.length > 0 ? [also] : [],
        signal,
        onProgress: (progress) => {
          if (!signal.aborted) useHistories.setState({ progress })
        },
      }),
    )
    if (!signal.aborted) useHistories.setState({ result: { ...result, ...asked }, progress: undefined })
  } catch (error) {
    // What was cancelled has failed on purpose.
    if (!signal.aborted) useHistories.setState({ error, progress: undefined })
  }
}

/** Ends what runs; what was found before stays. */
export function cancelHistories(): void {
  running?.abort()
  running = undefined
  useHistories.setState(({ result }) => ({
    progress: undefined,
    asked: result && { way: result.way, depth: result.depth },
  }))
}

/** The history of a fate, if it was run. */
export function historyOf(histories: readonly ScenarioHistory[], schedule: Schedule): ScenarioHistory | undefined {
  const fate = formatFate(schedule)
  return histories.find((history) => history.fate === fate)
}
