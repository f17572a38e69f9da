import type { Address, Hash, Hex } from '#primitives/hex.ts'
import type { RpcPrestate } from '#rpc-types/methods/debug.ts'
import type { MinedBlock, NodePair } from './node-pair.ts'
import {
  comparableAccount,
  comparableBlock,
  comparableCalls,
  comparableReceipt,
  comparableSteps,
  comparableTransaction,
} from './normalise.ts'
import type { RunningNode } from './running-node.ts'

/** What a node tells of a block, normalised. */
export interface Observation {
  /** The roots of transactions and receipts are among it. */
  readonly block: unknown
  readonly transactions: readonly unknown[]
  /** The accounts that one of the two nodes says were touched. */
  readonly accounts: readonly unknown[]
}

/** What each node tells of a block, its transactions and the accounts that these touched. */
export async function observeBlock(
  { blinknet, anvil }: NodePair,
  mined: MinedBlock,
): Promise<{ readonly blinknet: Observation; readonly anvil: Observation }> {
  const touched = new Map<Address, Set<Hash>>()
  for (const node of [blinknet, anvil]) await addTouched(node, mined, touched)
  return { blinknet: await observe(blinknet, mined, touched), anvil: await observe(anvil, mined, touched) }
}

type Touched = Map<Address, Set<Hash>>

async function addTouched(node: RunningNode, { hashes }: MinedBlock, touched: Touched): Promise<void> {
  for (const hash of hashes) {
    const prestate = (await node.rpc('debug_traceTransaction', hash, { tracer: 'prestateTracer' })) as RpcPrestate
    for (const [address, { storage = {} }] of Object.entries(prestate)) {
      const slots = touched.get(address as Address) ?? new Set()
      touched.set(address as Address, slots)
      for (const slot of Object.keys(storage)) slots.add(slot as Hash)
    }
  }
}

async function observe(node: RunningNode, { number, hashes }: MinedBlock, touched: Touched): Promise<Observation> {
  const block = comparableBlock(await node.rpc('eth_getBlockByNumber', number, false))
  const transactions: unknown[] = []
  for (const hash of hashes) transactions.push(await observeTransaction(node, hash))
  const accounts: unknown[] = []
  for (const address of [...touched.keys()].sort()) {
    accounts.push(await observeAccount(node, address, [...(touched.get(address) ?? [])].sort(), number))
  }
  return { block, transactions, accounts }
}

async function observeTransaction(node: RunningNode, hash: Hash): Promise<unknown> {
  const withLog = { tracer: 'callTracer', tracerConfig: { withLog: true } }
  return {
    receipt: comparableReceipt(await node.rpc('eth_getTransactionReceipt', hash)),
    transaction: comparableTransaction(await node.rpc('eth_getTransactionByHash', hash)),
    calls: comparableCalls(await node.rpc('debug_traceTransaction', hash, withLog)),
    steps: comparableSteps(await node.rpc('debug_traceTransaction', hash, {})),
  }
}

/** Slots one by one: anvil computes the root of a storage with those of its slots that are 0. */
async function observeAccount(
  node: RunningNode,
  address: Address,
  slots: readonly Hash[],
  block: Hex,
): Promise<unknown> {
  const storage: Record<Hash, unknown> = {}
  for (const slot of slots) storage[slot] = await node.rpc('eth_getStorageAt', address, slot, block)
  return comparableAccount({
    address,
    balance: await node.rpc('eth_getBalance', address, block),
    nonce: await node.rpc('eth_getTransactionCount', address, block),
    code: await node.rpc('eth_getCode', address, block),
    storage,
  })
}
