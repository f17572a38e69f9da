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
import type { StartedNode } from './running-node.ts'

/** A node's answers about a block, normalised. */
export interface Observation {
  /** The block, with the roots of its transactions and receipts. */
  readonly block: unknown
  readonly transactions: readonly unknown[]
  /** The accounts that either node reports as touched. */
  readonly accounts: readonly unknown[]
}

/** Each node's answers about a block, its transactions and the accounts that they touched. */
export async function observeBlock(
  { blinknet, anvil }: NodePair,
  mined: MinedBlock,
): Promise<{ readonly blinknet: Observation; readonly anvil: Observation }> {
  const touched = new Map<Address, Set<Hash>>()
  for (const node of [blinknet, anvil]) await addTouched(node, mined, touched)
  return { blinknet: await observe(blinknet, mined, touched), anvil: await observe(anvil, mined, touched) }
}

type Touched = Map<Address, Set<Hash>>

async function addTouched(node: StartedNode, { hashes }: MinedBlock, touched: Touched): Promise<void> {
  for (const hash of hashes) {
    const prestate = (await node.rpc('debug_traceTransaction', hash, { tracer: 'prestateTracer' })) as RpcPrestate
    for (const [address, { storage = {} }] of Object.entries(prestate)) {
      const slots = touched.get(address as Address) ?? new Set()
      touched.set(address as Address, slots)
      for (const slot of Object.keys(storage)) slots.add(slot as Hash)
    }
  }
}

async function observe(node: StartedNode, { number, hashes }: MinedBlock, touched: Touched): Promise<Observation> {
  const block = comparableBlock(await node.rpc('eth_getBlockByNumber', number, false))
  const transactions: unknown[] = []
  for (const hash of hashes) transactions.push(await observeTransaction(node, hash))
  const accounts: unknown[] = []
  for (const address of [...touched.keys()].sort()) {
    accounts.push(await observeAccount(node, address, [...(touched.get(address) ?? [])].sort(), number))
  }
  return { block, transactions, accounts }
}

async function observeTransaction(node: StartedNode, hash: Hash): Promise<unknown> {
  const withLog = { tracer: 'callTracer', tracerConfig: { withLog: true } }
  return {
    receipt: comparableReceipt(await node.rpc('eth_getTransactionReceipt', hash)),
    transaction: comparableTransaction(await node.rpc('eth_getTransactionByHash', hash)),
    calls: comparableCalls(await node.rpc('debug_traceTransaction', hash, withLog)),
    steps: comparableSteps(await node.rpc('debug_traceTransaction', hash, {})),
  }
}

/** Reads slots one by one: in anvil's storage roots, cleared slots count too. */
async function observeAccount(
  node: StartedNode,
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
