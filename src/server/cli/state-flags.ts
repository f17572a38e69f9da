import { nonEmpty, parseWithin } from './parse-values.ts'
import type { GivenFlags } from './read-arguments.ts'
import { read } from './read-flag.ts'
import { UsageError } from './usage-error.ts'

/** A day. */
const MAX_STATE_INTERVAL_S = 86_400

/** The files that a chain begins with and is written to. */
export interface StateFiles {
  /** The state file that the chain begins with. */
  readonly loadState?: { readonly name: string; readonly as: string; readonly mayBeMissing: boolean }
  /** The chain file that is written at the end, and each `intervalMs`. */
  readonly dumpState?: { readonly name: string; readonly as: string; readonly intervalMs?: number }
}

/** `--state` is both `--load-state`, of a file that may be missing, and `--dump-state`. */
export function parseStateFiles(given: GivenFlags): StateFiles {
  const takes = 'the name of a file or a directory'
  const state = read(given, 'state', takes, nonEmpty)
  const load = read(given, 'load-state', takes, nonEmpty)
  const dump = read(given, 'dump-state', takes, nonEmpty)
  const seconds = read(given, 'state-interval', `a whole number from 1 to ${MAX_STATE_INTERVAL_S}`, (text) =>
    parseWithin(text, 1, MAX_STATE_INTERVAL_S),
  )
  const from = state ?? load
  const to = state ?? dump
  if (seconds !== undefined && to === undefined) {
    throw new UsageError('--state-interval says how often the chain is written, and --state or --dump-state where.')
  }
  return {
    ...(from === undefined
      ? {}
      : {
          loadState: {
            name: from,
            as: load === undefined ? '--state' : '--load-state',
            mayBeMissing: load === undefined,
          },
        }),
    ...(to === undefined
      ? {}
      : {
          dumpState: {
            name: to,
            as: dump === undefined ? '--state' : '--dump-state',
            ...(seconds === undefined ? {} : { intervalMs: seconds * 1000 }),
          },
        }),
  }
}
