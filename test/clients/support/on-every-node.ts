import { afterAll, beforeAll, describe } from 'vitest'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { describeWith } from './describe-with.ts'
import { type RunningNode, startAnvil, startBlinknet } from './running-node.ts'

/** Ticks of 20 ms, blocks of 200 ms, and the header timestamps of a chain that keeps its usual time. */
const SPEED = 10

/**
 * The same flows against Blinknet and against anvil, each node fresh and used by nobody else. Where npm has no anvil for
 * the platform, its half is skipped.
 */
export function onEveryNode(client: string, flows: (node: () => RunningNode) => void): void {
  describe(`${client} against Blinknet`, () => {
    flows(useNode(() => startBlinknet({ speed: SPEED })))
  })
  describeWith('anvil', `${client} against anvil`, (binary) => {
    flows(useNode(() => startAnvil(binary, [])))
  })
}

/** Flows that only Blinknet has, by default with the time of `onEveryNode`. */
export function onBlinknet(
  client: string,
  flows: (node: () => RunningNode) => void,
  options: NodeOptions = { speed: SPEED },
): void {
  describe(`${client} against Blinknet`, () => {
    flows(useNode(() => startBlinknet(options)))
  })
}

/** Starts a node before the tests of the describe block in which it is called, and ends it after them. */
function useNode(start: () => Promise<RunningNode>): () => RunningNode {
  let node: RunningNode | undefined
  beforeAll(async () => {
    node = await start()
  })
  afterAll(() => node?.close())
  return () => {
    if (!node) throw new Error('the node is there only while tests run')
    return node
  }
}
