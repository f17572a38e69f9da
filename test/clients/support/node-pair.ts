import { afterAll, beforeAll, expect } from 'vitest'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import { type RunningNode, startAnvil, startBlinknet } from './running-node.ts'

/** Both chains: block 1 follows this much later than their geneses, and each block its parent. */
const SECONDS = 12
/** Ticks that a transaction may wait for; a block has 100 of them. */
const MAX_TICKS = 20
const BASE_FEE = 1_000_000_000
const COINBASE: Address = '0x00000000000000000000000000000000000c01ba'

/** Blinknet and anvil, each mining only when told to, with equal headers as far as the caller can see. */
export interface NodePair {
  readonly blinknet: RunningNode
  readonly anvil: RunningNode
  /** The result of a call at each. @throws {Error} If one refuses it. */
  both(method: string, ...params: readonly unknown[]): Promise<readonly [blinknet: unknown, anvil: unknown]>
  /** The result of a call, or its error, at each. */
  outcomes(method: string, ...params: readonly unknown[]): Promise<readonly [blinknet: Outcome, anvil: Outcome]>
  /** Puts the transactions into one block of each chain, in their order. They have one sender. */
  mine(raws: readonly Hex[]): Promise<MinedBlock>
}

export interface MinedBlock {
  readonly number: Hex
  readonly hashes: readonly Hash[]
}

/** An error has a `code`. */
export type Outcome =
  | { readonly result: unknown }
  | { readonly code: number; readonly message: string; readonly data?: unknown }

/** Starts both before the tests of the describe block in which it is called, and ends them after. */
export function useNodePair(anvilBinary: string): () => NodePair {
  let pair: NodePair | undefined
  const nodes: RunningNode[] = []
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

async function nodePair(blinknet: RunningNode, anvil: RunningNode): Promise<NodePair> {
  const both: NodePair['both'] = (method, ...params) =>
    Promise.all([blinknet.rpc(method, ...params), anvil.rpc(method, ...params)])
  const geneses = await both('eth_getBlockByNumber', '0x0', false)
  let timestamp = Math.max(...geneses.map((block) => Number((block as { timestamp: Hex }).timestamp)))
  await both('anvil_setCoinbase', COINBASE)
  // Each comes with a partial block of its own, or a few of them: one tick has so much gas and time and no more.
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

async function outcome(promise: Promise<unknown>): Promise<Outcome> {
  try {
    return { result: await promise }
  } catch (error) {
    const { code, message, data } = error as { code?: unknown; message: string; data?: unknown }
    if (typeof code !== 'number') throw error
    return { code, message, ...(data !== undefined && { data }) }
  }
}
