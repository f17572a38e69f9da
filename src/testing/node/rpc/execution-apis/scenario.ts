import { type Hash, type Hex, toQuantity, toWord } from '#primitives/hex.ts'
import type { MethodName, ResultOf } from '#rpc-types/methods.ts'
import { signLogger } from '#testing/node/rpc/log-contract.ts'
import { createTestNode, devAccount } from '#testing/node/test-node.ts'
import type { RecordedResult } from './amendments.ts'

const UNKNOWN = toWord(0xdead)
const TOPIC = toWord(7)
const ABOVE_HEAD = '0xffff'
const OTHER = devAccount(9).address
const FEES = { maxFeePerGas: 10_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }

type Call = <Name extends MethodName>(method: Name, params?: readonly unknown[]) => Promise<ResultOf<Name>>

/**
 * Builds a chain with transactions of each type, creations, logs and failures, and asks about everything while it is in
 * the mempool, pre-confirmed and sealed.
 *
 * @returns All results, in the order of the calls.
 */
export async function recordScenario(): Promise<readonly RecordedResult[]> {
  const node = await createTestNode({ mode: 'manual', partialsPerBlock: 2 })
  const results: RecordedResult[] = []
  const call: Call = async (method, params = []) => {
    const result = await node.request(method, params)
    results.push({ method, result })
    return result
  }
  await askAboutNode(call)
  const filters = await openFilters(call)
  const hashes: Hash[] = []
  for (const raw of await signTransactions()) hashes.push(await call('eth_sendRawTransaction', [raw]))
  hashes.push(await call('eth_sendTransaction', [{ from: devAccount(6).address, to: OTHER, value: '0x1' }]))
  await askAboutTransactions(call, hashes)
  await node.request('devnet_tick')
  await askAboutTransactions(call, hashes)
  await askAboutBlock(call, 'pending')
  await node.request('devnet_tick', [2])
  await askAboutTransactions(call, hashes)
  await askAboutBlock(call, '0x1')
  await askAboutBlock(call, 'earliest')
  await askAboutBlock(call, ABOVE_HEAD)
  await askByHash(call, (await call('eth_getBlockByNumber', ['0x1', false]))?.hash ?? UNKNOWN)
  await askByHash(call, UNKNOWN)
  await askAboutTransactions(call, [UNKNOWN])
  await askAboutState(call)
  for (const id of filters) {
    await call('eth_getFilterChanges', [id])
    await call('eth_getFilterChanges', [id])
  }
  await call('eth_getFilterLogs', [filters[0]])
  await call('eth_uninstallFilter', [filters[0]])
  await call('eth_uninstallFilter', [filters[0]])
  return results
}

/** Types 0, 1, 2 and 4; a creation with logs; a revert; one that waits behind a nonce gap. */
async function signTransactions(): Promise<readonly Hex[]> {
  const common = { chainId: 31_337, nonce: 0, to: OTHER, gas: 100_000n, value: 1n } as const
  const accessList = [{ address: OTHER, storageKeys: [TOPIC] }]
  const authorization = await devAccount(5).signAuthorization({ contractAddress: OTHER, chainId: 0, nonce: 0 })
  return Promise.all([
    devAccount(0).signTransaction({ ...common, type: 'legacy', gasPrice: FEES.maxFeePerGas }),
    devAccount(1).signTransaction({ ...common, type: 'eip2930', gasPrice: FEES.maxFeePerGas, accessList }),
    devAccount(2).signTransaction({ ...common, type: 'eip1559', ...FEES, accessList, data: '0x00ff' }),
    devAccount(3).signTransaction({ ...common, type: 'eip7702', ...FEES, authorizationList: [authorization] }),
    signLogger(4, 0, TOPIC, toWord(8)),
    devAccount(5).signTransaction({ ...common, ...FEES, to: null, value: 0n, data: '0x60006000fd' }),
    devAccount(7).signTransaction({ ...common, ...FEES, nonce: 1 }),
  ])
}

async function askAboutNode(call: Call): Promise<void> {
  await call('web3_clientVersion')
  await call('eth_chainId')
  await call('eth_blockNumber')
  await call('eth_accounts')
  await call('eth_requestAccounts')
  await call('eth_coinbase')
  await call('eth_syncing')
  await call('eth_gasPrice')
  const subscription = await call('eth_subscribe', ['newHeads'])
  await call('eth_unsubscribe', [subscription])
  await call('eth_unsubscribe', [subscription])
  const typedData = { types: { EIP712Domain: [], Note: [{ name: 'text', type: 'string' }] }, primaryType: 'Note' }
  const message = { text: 'x' }
  await call('eth_signTypedData_v4', [devAccount(0).address, JSON.stringify({ ...typedData, domain: {}, message })])
}

async function openFilters(call: Call): Promise<readonly Hex[]> {
  return [
    await call('eth_newFilter', [{ fromBlock: 'earliest', toBlock: 'latest', topics: [TOPIC] }]),
    await call('eth_newBlockFilter'),
    await call('eth_newPendingTransactionFilter'),
  ]
}

async function askAboutTransactions(call: Call, hashes: readonly Hash[]): Promise<void> {
  for (const hash of hashes) {
    await call('eth_getTransactionByHash', [hash])
    await call('eth_getTransactionReceipt', [hash])
  }
}

async function askAboutBlock(call: Call, block: string): Promise<void> {
  await call('eth_getBlockByNumber', [block, false])
  await call('eth_getBlockByNumber', [block, true])
  await call('eth_getBlockTransactionCountByNumber', [block])
  await call('eth_getUncleCountByBlockNumber', [block])
  for (let index = 0; index < 9; index++) {
    await call('eth_getTransactionByBlockNumberAndIndex', [block, toQuantity(index)])
  }
  if (block === ABOVE_HEAD) return
  await call('eth_getLogs', [{ fromBlock: block, toBlock: block }])
  await call('eth_feeHistory', [4, block, [10, 50]])
  await call('eth_feeHistory', [1, block])
}

async function askByHash(call: Call, hash: Hash): Promise<void> {
  await call('eth_getBlockByHash', [hash, false])
  await call('eth_getBlockByHash', [hash, true])
  await call('eth_getBlockTransactionCountByHash', [hash])
  await call('eth_getUncleCountByBlockHash', [hash])
  await call('eth_getTransactionByBlockHashAndIndex', [hash, '0x0'])
}

async function askAboutState(call: Call): Promise<void> {
  const history = '0x0000f90827f1c53a10cb7a02335b175320002935'
  for (const block of ['latest', 'pending', 'earliest']) {
    for (const account of [devAccount(0).address, history, UNKNOWN.slice(0, 42)]) {
      await call('eth_getBalance', [account, block])
      await call('eth_getTransactionCount', [account, block])
      await call('eth_getCode', [account, block])
      await call('eth_getStorageAt', [account, '0x0', block])
      await call('eth_getProof', [account, ['0x0', TOPIC], block])
    }
    await call('eth_call', [{ to: history, input: toWord(0) }, 'pending'])
    await call('eth_call', [{ to: OTHER }, block])
    await call('eth_estimateGas', [{ from: OTHER, to: history, input: toWord(0) }, 'pending'])
  }
}
