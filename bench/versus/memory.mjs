import { readFileSync } from 'node:fs'
import { freePort, startAnvil, startBlinknet } from './chains.mjs'
import { inspectedAt, liveMb } from './live-memory.mjs'
import { addresses } from './transactions.mjs'

const PER_BLOCK = 1_000
/**
 * Warm-up before the measurement: compiled code must not count as growth, and neither must the tables for keys that sign often,
 * 8 MB that are reserved with the first of them.
 */
const WARM_UP_BLOCKS = 256
const WARM_UP_TRANSFERS = 1_000
const EMPTY_BLOCKS = 10_000
/** Limits for Blinknet, in MB. */
const MOST = { emptyBlocks: 10, tenThousand: 12, hundredThousand: 80 }

const mb = (/** @type {number} */ value) => `${value.toFixed(value < 10 ? 1 : 0)} MB`

/** Resident memory of a process in MB, as reported by the operating system. @param {number | undefined} pid */
const residentMb = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024

/**
 * Sends transfers one after the other from accounts that the chain signs for.
 *
 * @param {import('./chains.mjs').Chain} chain
 * @param {number} count
 * @param {(index: number) => number} receiver - The number that is the address.
 */
async function sendTransfers(chain, count, receiver) {
  for (let sent = 0; sent < count; sent += PER_BLOCK) {
    await Promise.all(
      addresses.map(async (from, sender) => {
        for (let i = sender; i < PER_BLOCK; i += addresses.length) {
          const to = `0x${receiver(sent + i)
            .toString(16)
            .padStart(40, '0')}`
          await chain.call('eth_sendTransaction', [{ from, to, value: '0x1', gas: '0x5208' }])
        }
      }),
    )
    await chain.call('evm_mine')
  }
}

/**
 * Measures how much memory a chain keeps: for Blinknet live memory, for anvil resident memory.
 *
 * @param {import('./figures.mjs').Report} report
 * @param {number} transfers - How many to send, each to another account.
 */
export async function reportMemory(report, transfers) {
  const port = await freePort()
  const node = await startBlinknet(['--clock', 'manual'], inspectedAt(port))
  const anvil = await startAnvil()
  try {
    const measure = async () => ({ node: await liveMb(port), anvil: residentMb(anvil.pid) })
    for (const chain of [node, anvil]) {
      await sendTransfers(chain, WARM_UP_TRANSFERS, () => 0x1000_0000)
      await chain.call('anvil_mine', [`0x${WARM_UP_BLOCKS.toString(16)}`])
    }
    const start = await measure()
    for (const chain of [node, anvil]) await chain.call('anvil_mine', [`0x${EMPTY_BLOCKS.toString(16)}`])
    const mined = await measure()
    for (const chain of [node, anvil]) await sendTransfers(chain, transfers, (index) => 0x1000_0001 + index)
    const sent = await measure()
    const blocks = { node: mined.node - start.node, anvil: mined.anvil - start.anvil }
    report.row(`memory of ${EMPTY_BLOCKS.toLocaleString('en')} empty blocks`, blocks, {
      format: mb,
      goal: `≤ ${MOST.emptyBlocks} MB`,
      met: blocks.node <= MOST.emptyBlocks,
    })
    const most = transfers > 10_000 ? MOST.hundredThousand : MOST.tenThousand
    const transferred = { node: sent.node - mined.node, anvil: sent.anvil - mined.anvil }
    report.row(`memory of ${transfers.toLocaleString('en')} transfers to as many accounts`, transferred, {
      format: mb,
      goal: `≤ ${most} MB`,
      met: transferred.node <= most,
    })
  } finally {
    await node.stop()
    await anvil.stop()
  }
}
