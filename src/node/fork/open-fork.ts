import type { Address } from '#primitives/hex.ts'
import { Fork, type ForkOptions } from './fork.ts'
import { RunningFork, type RunningForkDeps } from './running-fork.ts'

/** A fork that was opened, for a node to run. */
export interface OpenedFork {
  readonly fork: Fork
  readonly run: (deps: RunningForkDeps) => RunningFork
}

/**
 * Opens a fork of another chain; parameters as in {@link Fork.open}.
 *
 * @throws {ForkError}
 */
export async function openFork(options: ForkOptions, first: readonly Address[]): Promise<OpenedFork> {
  const fork = await Fork.open(options, first)
  return { fork, run: (deps) => new RunningFork(fork, deps) }
}
