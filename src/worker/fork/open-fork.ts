import { keccak256Hex } from '#node/crypto/keccak.ts'
import { ForkError } from '#node/fork/fork-error.ts'
import type { Remote } from '#node/fork/state-source.ts'
import { createForkedNode } from '#node/forked-node.ts'
import type { Node, NodeDeps } from '#node/node.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { AskError, askOver } from '#transport/port/ask-port.ts'
import { gatherPort } from '#transport/port/gather-port.ts'
import type { BootRequest } from '#transport/port/serve-host.ts'
import { keepAnswers } from './keep-answers.ts'
import { openKeptTexts } from './kept-texts.ts'

/** Creates a node that stands still, on a journal if it is given one. */
export type CreateFork = (options: NodeOptions, deps: Omit<NodeDeps, 'fork'>) => Promise<Node>

/**
 * Continues a chain elsewhere. The page asks that chain's endpoint; what it proves is kept for the next time, also for
 * other forks of the same block.
 *
 * @returns Creates the node, once more after another tab has run it. It throws {@link ForkError} if the endpoint cannot be
 *   used, and `InvalidOptionError` if the other chain is none that this node can have.
 */
export function forkOf({ port, name, url, blockNumber }: NonNullable<BootRequest['fork']>): CreateFork {
  const ask = askOver(gatherPort(port))
  const endpoint: Remote = {
    name,
    async ask(method, params) {
      try {
        return await ask(method, params)
      } catch (error) {
        throw error instanceof AskError ? ForkError.of(error) : error
      }
    },
  }
  // The address may hold a key.
  const place = keccak256Hex(new TextEncoder().encode(url))
  return async (options, deps) => {
    const texts = await openKeptTexts(() => deps.clock.now())
    const remote = texts ? keepAnswers(endpoint, place, texts) : endpoint
    const { node } = await createForkedNode({ remote, blockNumber }, options, deps)
    return node
  }
}
