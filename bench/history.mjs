// Part of `npm run bench` that asks a chain with a past: logs, snapshots, access lists and struct logs, over HTTP, Blinknet
// beside anvil, in turns. Needs `npm run build`. Usage: history.mjs [--blocks 3000] [--rounds 15] [--row TEXT]
import { parseArgs } from 'node:util'
import { startAnvil, startBlinknet } from './versus/chains.mjs'
import { median, ms, Report } from './versus/figures.mjs'
import { inTurn } from './versus/in-turn.mjs'

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '15' },
    row: { type: 'string', default: '' },
  },
})
const BLOCKS = Number(values.blocks)
const ROUNDS = Number(values.rounds)
/** Logs in all, and in each transaction. */
const LOGS = 50_000
const LOGS_EACH = 1_000
/** Iterations that take about 140,000 steps. */
const ITERATIONS = 8_750

/** @param {number} value */
const word = (value) => value.toString(16).padStart(64, '0')
/** Init code that returns the code. @param {string} code */
const initcode = (code) => `0x61${(code.length / 2).toString(16).padStart(4, '0')}80600a5f395ff3${code}`

/** From `calldata[0]` on, `calldata[32]` logs with two topics, the second of which counts. */
const LOGGER = '6020355f35908101905b805f528060aa60205fa260010181811060095700'
/** Sixteen steps `calldata[0]` times, among them a read of one of the slots that `calldata[32]` is a mask of. */
const LOOP = '5f355b80602035165450805f52600190038060025700'

/** @param {import('./versus/chains.mjs').Chain} chain */
async function prepare(chain) {
  const [from] = await chain.call('eth_accounts')
  /** @param {Record<string, string>} tx @returns {Promise<{ contractAddress: string }>} */
  const send = async (tx) => {
    const hash = await chain.call('eth_sendTransaction', [{ from, gas: '0xf00000', ...tx }])
    await chain.call('evm_mine')
    const receipt = await chain.call('eth_getTransactionReceipt', [hash])
    if (receipt?.status !== '0x1') throw new Error(`${chain.name}: a transaction of the bench failed`)
    return receipt
  }
  const logger = (await send({ data: initcode(LOGGER) })).contractAddress
  const loop = (await send({ data: initcode(LOOP) })).contractAddress
  for (let first = 0; first < LOGS; first += LOGS_EACH) {
    await send({ to: logger, data: `0x${word(first)}${word(LOGS_EACH)}` })
  }
  return { from, send, logger, loop }
}

const node = await startBlinknet()
const anvil = await startAnvil(['--no-mining', '--steps-tracing'])
const chains = [node, anvil]
try {
  /** @type {Map<string, Awaited<ReturnType<typeof prepare>>>} */
  const worlds = new Map()
  const worldOf = (/** @type {string} */ name) => {
    const world = worlds.get(name)
    if (!world) throw new Error(`nothing was prepared on ${name}`)
    return world
  }
  for (const chain of chains) worlds.set(chain.name, await prepare(chain))
  const { logger, loop, from } = worldOf('node')
  if (worldOf('anvil').logger !== logger) throw new Error('the chains differ')
  const report = new Report(['node', 'anvil'])
  /** @param {string} row @param {string} method @param {readonly unknown[]} params @param {number} perRound @param {number} most */
  const compare = async (row, method, params, perRound, most) => {
    if (row.includes(values.row))
      report.compare(row, await inTurn(chains, method, params, ROUNDS, perRound), { format: ms, most })
  }
  const oneTopic = [{ fromBlock: '0x0', toBlock: 'latest', topics: [null, `0x${word(LOGS / 2)}`] }]
  await compare('`eth_getLogs`, one topic in 50,000 logs', 'eth_getLogs', oneTopic, 5, 1)
  const tenth = [{ fromBlock: '0x0', toBlock: '0xc', address: logger }]
  await compare('`eth_getLogs`, 10,000 logs of 50,000', 'eth_getLogs', tenth, 1, 1)
  const all = [{ fromBlock: '0x0', toBlock: 'latest', address: logger }]
  await compare('`eth_getLogs`, 50,000 logs', 'eth_getLogs', all, 1, 1).catch((error) => console.log(String(error)))
  const code = (/** @type {number} */ mask) => {
    return { from, to: loop, data: `0x${word(ITERATIONS)}${word(mask)}`, gas: '0xf00000' }
  }
  await compare('`eth_createAccessList`, 140,000 steps', 'eth_createAccessList', [code(63), 'latest'], 3, 1)
  await compare('`eth_call`, 140,000 steps', 'eth_call', [code(63), 'latest'], 3, 1)
  await compare('`debug_traceCall`, struct logs of 140,000 steps', 'debug_traceCall', [code(0), 'latest', {}], 1, 0.5)

  for (const chain of chains) {
    const { send } = worldOf(chain.name)
    for (let i = 0; i < BLOCKS; i++) {
      if (i % 60 === 0) await send({ to: logger, data: `0x${word(10 * LOGS + i)}${word(1)}` })
      else if (i % 60 < 50) await send({ to: `0x${word(1_000 + i).slice(24)}`, value: '0x1' })
      else await chain.call('evm_mine')
    }
  }
  await compare(`the same topic over ${BLOCKS} more blocks`, 'eth_getLogs', oneTopic, 5, 0.5)
  /** @type {{ readonly name: string, readonly take: number, readonly revert: number }[]} */
  const snapshots = []
  for (let round = 0; round < ROUNDS; round++) {
    for (const chain of chains) {
      const began = performance.now()
      const id = await chain.call('evm_snapshot')
      const between = performance.now()
      if ((await chain.call('evm_revert', [id])) !== true) throw new Error('not reverted')
      snapshots.push({ name: chain.name, take: between - began, revert: performance.now() - between })
    }
  }
  for (const step of /** @type {const} */ (['take', 'revert'])) {
    const of = (/** @type {string} */ name) =>
      median(snapshots.filter((each) => each.name === name).map((each) => each[step]))
    report.compare(
      `${step} a snapshot after ${BLOCKS} blocks`,
      { node: of('node'), anvil: of('anvil') },
      { format: ms, most: 1 },
    )
  }
} finally {
  for (const chain of chains) await chain.stop()
}
