import { keccak256Hex } from '#node/crypto/keccak.ts'
import { ForkError } from '#node/fork/fork-error.ts'
import { createForkedNode } from '#node/forked-node.ts'
import type { Node, NodeDeps } from '#node/node.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { AskError, askOver } from '#transport/port/ask-port.ts'
import { gatherPort } from '#transport/port/gather-port.ts'
import type { BootRequest } from '#transport/port/serve-host.ts'
import { keepAnswers } from './keep-answers.ts'
import { openKeptTexts } from './kept-texts.ts'

/**
 * Continues a chain elsewhere, in memory. The page asks that chain's endpoint; what it proves is kept for the next time.
 *
 * @throws {ForkError} If the endpoint cannot be used; the message says why.
 * @throws {InvalidOptionError} If the other chain is none that this node can have.
 */
export async function openFork(
  options: NodeOptions,
  { port, name, url, blockNumber }: NonNullable<BootRequest['fork']>,
  deps: Omit<NodeDeps, 'journal' | 'fork'>,
): Promise<Node> {
  const ask = askOver(gatherPort(port))
  const remote = {
    name,
    async ask(method: string, params: readonly unknown[]) {
      try {
        return await ask(method, params)
      } catch (error) {
        throw error instanceof AskError ? ForkError.of(error) : error
      }
    },
  }
  const texts = await openKeptTexts(() => deps.clock.now())
  // The address may hold a key.
  const place = keccak256Hex(new TextEncoder().encode(url))
  const kept = texts ? keepAnswers(remote, place, texts) : remote
  const { node } = await createForkedNode({ remote: kept, blockNumber }, options, deps)
  node.start()
  return node
}
