import { afterAll, beforeAll, expect } from 'vitest'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import { type StartedNode, startAnvil, startBlinknet } from './running-node.ts'

/** Seconds between the genesis and block 1, and between any two blocks. */
const SECONDS = 12
/** How many ticks a transaction may wait for its inclusion; a block has 100. */
const MAX_TICKS = 20
const BASE_FEE = 1_000_000_000
const COINBASE: Address = '0x00000000000000000000000000000000000c01ba'

/** Blinknet and anvil, each mining only on request. Headers are equal in all fields that options or methods can set. */
export interface NodePair {
  readonly blinknet: StartedNode
  readonly anvil: StartedNode
  /**
   * The result of a call on each.
   *
   * @throws {Error} If one of them refuses it.
   */
  both(method: string, ...params: readonly unknown[]): Promise<readonly [blinknet: unknown, anvil: unknown]>
  /** The result of a call, or its error, on each. */
  outcomes(method: string, ...params: readonly unknown[]): Promise<readonly [blinknet: NodeOutcome, anvil: NodeOutcome]>
  /** Mines one block on each chain with the transactions, in order. All have the same sender. */
  mine(raws: readonly Hex[]): Promise<MinedBlock>
}

export interface MinedBlock {
  readonly number: Hex
  readonly hashes: readonly Hash[]
}

/** An error has a `code`. */
export type NodeOutcome =
  | { readonly result: unknown }
  | { readonly code: number; readonly message: string; readonly data?: unknown }

/** Starts both before the tests of the enclosing describe block, and stops them afterwards. */
export function useNodePair(anvilBinary: string): () => NodePair {
  let pair: NodePair | undefined
  const nodes: StartedNode[] = []
  beforeAll(async () => {
    const blinknet = await startBlinknet({ mode: 'manual', minBaseFee: BASE_FEE, partialsPerBlock: 100 })
    nodes.push(blinknet)
    const args = ['--no-mining', '--order', 'fifo', '--base-fee', String(BASE_FEE), '--steps-tracing']
    const anvil = await startAnvil(anvilBinary, args)
    nodes.push(anvil)
    pair = await nodePair(blinknet, anvil)
  })
  afterAll(async () => {
    for (const node of nodes) await node.close()
  })
  return () => pair ?? expect.fail('the nodes are there only while tests run')
}

async function nodePair(blinknet: StartedNode, anvil: StartedNode): Promise<NodePair> {
  const both: NodePair['both'] = (method, ...params) =>
    Promise.all([blinknet.rpc(method, ...params), anvil.rpc(method, ...params)])
  const geneses = await both('eth_getBlockByNumber', '0x0', false)
  let timestamp = Math.max(...geneses.map((block) => Number((block as { timestamp: Hex }).timestamp)))
  await both('anvil_setCoinbase', COINBASE)
  // Each goes into a partial block with at most a few others, because gas and time of one tick are limited.
  const preConfirm = async (hash: Hash) => {
    for (let ticks = 0; (await blinknet.rpc('eth_getTransactionReceipt', hash)) === null; ticks++) {
      expect(ticks, `${hash} is not pre-confirmed`).toBeLessThan(MAX_TICKS)
      await blinknet.rpc('devnet_tick')
    }
  }
  return {
    blinknet,
    anvil,
    both,
    outcomes: (method, ...params) =>
      Promise.all([outcome(blinknet.rpc(method, ...params)), outcome(anvil.rpc(method, ...params))]),
    async mine(raws) {
      timestamp += SECONDS
      await both('evm_setNextBlockTimestamp', timestamp)
      await both('anvil_setNextBlockBaseFeePerGas', `0x${BASE_FEE.toString(16)}`)
      const hashes: Hash[] = []
      for (const raw of raws) {
        const [mine, theirs] = (await both('eth_sendRawTransaction', raw)) as [Hash, Hash]
        expect(mine).toBe(theirs)
        hashes.push(mine)
        await preConfirm(mine)
      }
      await both('evm_mine')
      const [mine, theirs] = (await both('eth_blockNumber')) as [Hex, Hex]
      expect(mine).toBe(theirs)
      return { number: mine, hashes }
    },
  }
}

async function outcome(promise: Promise<unknown>): Promise<NodeOutcome> {
  try {
    return { result: await promise }
  } catch (error) {
    const { code, message, data } = error as { code?: unknown; message: string; data?: unknown }
    if (typeof code !== 'number') throw error
    return { code, message, ...(data !== undefined && { data }) }
  }
}
