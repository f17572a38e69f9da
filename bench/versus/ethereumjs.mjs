import { createBlock } from '@ethereumjs/block'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { createTxFromRLP } from '@ethereumjs/tx'
import { createAccount, createAddressFromString, hexToBytes } from '@ethereumjs/util'
import { buildBlock, createVM } from '@ethereumjs/vm'
import { workloads } from './contracts.mjs'
import { median } from './figures.mjs'
import { addresses, workloadsAddress } from './transactions.mjs'

const GAS_LIMIT = 400_000_000n
/** A workload is repeated until this many milliseconds have passed, since the first run is cold. */
const ENOUGH_MS = 500

/** @typedef {Awaited<ReturnType<typeof createVM>>} Vm */

/**
 * Measures ethereumjs with its defaults, in this process.
 *
 * @param {readonly string[]} preparing - Sealed first.
 * @param {{ transfer: readonly (readonly string[])[], erc20: readonly (readonly string[])[] }} lanes
 */
export async function measureEthereumjs(preparing, { transfer, erc20 }) {
  const common = new Common({ chain: { ...Mainnet, chainId: 31337 }, hardfork: Hardfork.Prague })
  const vm = await createVM({ common })
  for (const address of addresses) {
    await vm.stateManager.putAccount(createAddressFromString(address), createAccount({ balance: 10n ** 22n }))
  }
  let parent = createBlock(
    { header: { gasLimit: GAS_LIMIT, baseFeePerGas: 1_000_000_000n, stateRoot: await vm.stateManager.getStateRoot() } },
    { common },
  )
  /** @param {readonly string[]} raws */
  async function seal(raws) {
    const began = performance.now()
    const builder = await buildBlock(vm, {
      parentBlock: parent,
      headerData: { gasLimit: GAS_LIMIT, timestamp: parent.header.timestamp + 2n },
      blockOpts: { putBlockIntoBlockchain: false },
    })
    for (const raw of raws) {
      const { receipt } = await builder.addTransaction(
        createTxFromRLP(hexToBytes(/** @type {`0x${string}`} */ (raw)), { common }),
      )
      if (!('status' in receipt) || receipt.status !== 1) throw new Error('a transaction failed in ethereumjs')
    }
    parent = (await builder.build()).block
    return (raws.length / (performance.now() - began)) * 1_000
  }
  await seal(preparing)
  const perSecond = { transfer: await seal(transfer.flat()), erc20: await seal(erc20.flat()) }
  return { perSecond, execution: await execute(vm) }
}

/** @param {Vm} vm */
async function execute(vm) {
  /** @type {Record<string, { gas: number, ms: number }>} */
  const measured = {}
  for (const { name, data } of workloads) {
    const taken = []
    let gas = 0
    const startedAt = performance.now()
    do {
      await vm.stateManager.checkpoint()
      const began = performance.now()
      const { execResult } = await vm.evm.runCall({
        to: createAddressFromString(workloadsAddress),
        data: hexToBytes(data),
        gasLimit: GAS_LIMIT,
      })
      taken.push(performance.now() - began)
      await vm.stateManager.revert()
      if (execResult.exceptionError) throw new Error(`${name} failed in ethereumjs: ${execResult.exceptionError.error}`)
      gas = Number(execResult.executionGasUsed)
    } while (performance.now() - startedAt < ENOUGH_MS)
    measured[name] = { gas, ms: median(taken) }
  }
  return measured
}
