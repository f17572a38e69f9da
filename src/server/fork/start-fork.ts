import type { ForkRecord } from '#node/fork/fork.ts'
import type { NodeDeps } from '#node/node.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { ForkCommand } from '#server/cli/fork-flags.ts'
import type { StartedFork } from './begin-fork.ts'

/**
 * Starts a fork: a new one, or the one that the journal has, with its endpoint or without.
 *
 * @param kept - What the record of the journal's chain says of a fork.
 * @returns `undefined` if neither is asked for or there.
 * @throws {ForkError} If the endpoint cannot be forked, or the journal's chain is no fork of it.
 */
export async function startFork(
  command: ForkCommand | undefined,
  kept: ForkRecord | undefined,
  options: NodeOptions,
  deps: Omit<NodeDeps, 'fork'>,
): Promise<StartedFork | undefined> {
  if (!command && !kept) return undefined
  const { beginFork, reopenWithoutEndpoint } = await import('./begin-fork.ts')
  if (command) return beginFork(command, options, deps)
  return kept && reopenWithoutEndpoint(kept, options, deps)
}
