import type { Clock } from '#primitives/clock.ts'
import { Emitter } from '#primitives/emitter.ts'
import { readTaken } from '../persistence/taken-back.ts'
import type { ChainEvents } from '../sequencer/events.ts'
import type { Journal } from '../storage/journal.ts'
import { Film, type FilmDeps } from './film.ts'

/** How a node lives with its chain. */
export interface NodeRole {
  /** The events that become the chain's history. */
  readonly recorded: (events: Emitter<ChainEvents>) => Emitter<ChainEvents>
  /** The journal that is written, of the one that the chain was read from. */
  readonly written: (journal: Journal | undefined) => Journal | undefined
  /** When the chain goes on, in milliseconds since the Unix epoch. */
  readonly openedAtMs: (clock: Clock) => number
  readonly film: (journal: Journal | undefined, deps: Omit<FilmDeps, 'taken'>) => Promise<Film> | undefined
  /** Whether chain time runs. */
  readonly runs: boolean
}

/** The chain goes on. */
export const RUNNING: NodeRole = {
  recorded: (events) => events,
  written: (journal) => journal,
  openedAtMs: (clock) => clock.wallNow(),
  film: () => undefined,
  runs: true,
}

/**
 * The chain is shown: it stands still, nothing changes it, and nothing is written. The same moments are shown again and
 * again, and going back is no withdrawal, so neither is recorded.
 */
export const SHOWN: NodeRole = {
  recorded: () => new Emitter(),
  written: () => undefined,
  openedAtMs: () => 0,
  film: async (journal, deps) => Film.open({ ...deps, taken: journal ? await readTaken(journal) : [] }),
  runs: false,
}
