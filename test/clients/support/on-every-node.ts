import { afterAll, beforeAll, describe } from 'vitest'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { describeWith } from './describe-with.ts'
import { type StartedNode, startAnvil, startBlinknet } from './running-node.ts'

/** Ticks of 20 ms and blocks of 200 ms, with the header timestamps of a chain of the usual pace. */
const SPEED = 10

/**
 * Runs the same flows against Blinknet and against anvil, each on a fresh node of its own. The anvil half is skipped on
 * platforms that npm has no anvil for.
 */
export function onEveryNode(client: string, flows: (node: () => StartedNode) => void): void {
  onEveryNodeWith([], client, flows)
}

/** Runs on every node, with arguments for anvil. */
export function onEveryNodeWith(
  anvilArgs: readonly string[],
  client: string,
  flows: (node: () => StartedNode) => void,
): void {
  describe(`${client} against Blinknet`, () => {
    flows(useNode(() => startBlinknet({ speed: SPEED })))
  })
  describeWith('anvil', `${client} against anvil`, (binary) => {
    flows(useNode(() => startAnvil(binary, anvilArgs)))
  })
}

/** Flows for Blinknet alone, by default with the timing of `onEveryNode`. */
export function onBlinknet(
  client: string,
  flows: (node: () => StartedNode) => void,
  options: NodeOptions = { speed: SPEED },
): void {
  describe(`${client} against Blinknet`, () => {
    flows(useNode(() => startBlinknet(options)))
  })
}

/** Starts a node before the tests of the enclosing describe block, and stops it afterwards. */
function useNode(start: () => Promise<StartedNode>): () => StartedNode {
  let node: StartedNode | undefined
  beforeAll(async () => {
    node = await start()
  })
  afterAll(() => node?.close())
  return () => {
    if (!node) throw new Error('the node is there only while tests run')
    return node
  }
}
