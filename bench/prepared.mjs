// Part of `npm run bench` that times a suite of tests, each of which begins with the same prepared chain: what going back
// takes, and a whole test. Blinknet in the process of the tests, as blinknet/playwright runs it, and over HTTP; anvil over
// HTTP; Hardhat in the process, going back as its loadFixture does. In turns, test by test. Needs `npm run build`.
// Usage: prepared.mjs [--tests 200]
import { createRequire } from 'node:module'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { encodeDeployData, encodeFunctionData, parseEther, toHex } from 'viem'
import { DUCAT } from '../examples/fork-holder/contracts/ducat.mjs'
import { hardhatFolder, startAnvil, startBlinknet } from './versus/chains.mjs'
import { median } from './versus/figures.mjs'

const { values } = parseArgs({ options: { tests: { type: 'string', default: '200' } } })
const TESTS = Number(values.tests)
/** Contracts and transfers that every test begins with. */
const CONTRACTS = 20
const TRANSFERS = 200
/** What a test does. */
const SENDS = 5
const READS = 10

/** @typedef {(method: string, params?: readonly unknown[]) => Promise<any>} Ask */

/** @param {Ask} ask */
async function prepare(ask) {
  const accounts = /** @type {`0x${string}`[]} */ (await ask('eth_accounts'))
  const [deployer = '0x', ...others] = accounts
  const tokens = []
  for (let i = 0; i < CONTRACTS; i++) {
    const data = encodeDeployData({ ...DUCAT, args: [deployer, parseEther('1000000')] })
    const hash = await ask('eth_sendTransaction', [{ from: deployer, data, gas: '0x100000' }])
    tokens.push((await receiptOf(ask, hash)).contractAddress)
  }
  for (let i = 0; i < TRANSFERS; i++) await transfer(ask, deployer, tokens[i % CONTRACTS], others[i % 9] ?? deployer)
  return { deployer, token: tokens[0], to: others[0] ?? deployer }
}

/** As a client waits for it: anvil answers a send before its block is there. @param {Ask} ask @param {string} hash */
async function receiptOf(ask, hash) {
  for (;;) {
    const receipt = await ask('eth_getTransactionReceipt', [hash])
    if (receipt) return receipt
  }
}

/** @param {Ask} ask @param {string} from @param {string} token @param {`0x${string}`} to */
async function transfer(ask, from, token, to) {
  const data = encodeFunctionData({ abi: DUCAT.abi, functionName: 'transfer', args: [to, 1n] })
  const hash = await ask('eth_sendTransaction', [{ from, to: token, data, gas: '0x20000' }])
  const receipt = await receiptOf(ask, hash)
  if (receipt.status !== '0x1') throw new Error('a transfer of the bench failed')
}

/** @param {Ask} ask @param {Awaited<ReturnType<typeof prepare>>} world */
async function runTest(ask, { deployer, token, to }) {
  for (let i = 0; i < SENDS; i++) await transfer(ask, deployer, token, to)
  const data = encodeFunctionData({ abi: DUCAT.abi, functionName: 'balanceOf', args: [to] })
  for (let i = 0; i < READS; i++) await ask('eth_call', [{ to: token, data }, 'latest'])
  const block = await ask('eth_blockNumber')
  await ask('eth_getLogs', [{ address: token, fromBlock: toHex(Number(block) - SENDS), toBlock: 'latest' }])
}

/** A chain that goes back by a snapshot, which that uses up. @param {string} name @param {Ask} ask*/
async function bySnapshots(name, ask) {
  const world = await prepare(ask)
  let snapshot = await ask('evm_snapshot')
  const back = async () => {
    if ((await ask('evm_revert', [snapshot])) !== true) throw new Error(`${name} did not go back`)
    snapshot = await ask('evm_snapshot')
  }
  return { name, ask, back, world }
}

/** A chain of which a snapshot stays. @param {string} name @param {Ask} ask*/
async function byName(name, ask) {
  const world = await prepare(ask)
  const snapshot = await ask('evm_snapshot')
  return { name, ask, back: () => ask('devnet_reset', [snapshot]), world }
}

/** Hardhat's provider, which runs in this process. @returns {Ask} */
function hardhat() {
  const folder = hardhatFolder()
  process.env['HARDHAT_CONFIG'] = path.join(folder, 'hardhat.config.cjs')
  process.env['HARDHAT_DISABLE_TELEMETRY_PROMPT'] = 'true'
  /** @type {{ network: { provider: { send: (method: string, params: readonly unknown[]) => Promise<any> } } }} */
  const { network } = createRequire(path.join(folder, 'package.json'))('hardhat')
  return (method, params = []) => network.provider.send(method, params)
}

/**
 * @typedef {{ request: (call: { method: string, params: readonly unknown[] }) => Promise<any>, close: () => Promise<unknown> }} OwnChain
 * @type {{ createChain: (options: object) => Promise<OwnChain> }}
 */
const { createChain } = await import(path.resolve('dist/server/index.mjs'))
const chain = await createChain({ clock: 'manual' })
/** @type {Ask} */
const inProcess = (method, params = []) => chain.request({ method, params })
await inProcess('evm_setAutomine', [true])
const node = await startBlinknet(['--clock', 'manual', '--automine'])
const anvil = await startAnvil([])
try {
  const inHardhat = hardhat()
  await inHardhat('evm_setAutomine', [true])
  const suites = [
    await byName('Blinknet, in the process', inProcess),
    await byName('Blinknet, HTTP', node.call),
    await bySnapshots('anvil, HTTP', anvil.call),
    await bySnapshots('Hardhat, in the process', inHardhat),
  ]
  /** @type {Map<string, { back: number[], whole: number[] }>} */
  const taken = new Map(suites.map(({ name }) => [name, { back: [], whole: [] }]))
  for (let test = 0; test < TESTS; test++) {
    for (const { name, ask, back, world } of suites) {
      const began = performance.now()
      await back()
      const went = performance.now()
      await runTest(ask, world)
      taken.get(name)?.back.push(went - began)
      taken.get(name)?.whole.push(performance.now() - began)
    }
  }
  console.log(
    `| ${TESTS} tests on ${CONTRACTS} contracts and ${TRANSFERS} transfers | going back: median | p99 | a test: median | the suite |`,
  )
  console.log('|---|---|---|---|---|')
  for (const [name, { back, whole }] of taken) {
    const p99 = back.toSorted((a, b) => a - b)[Math.floor(back.length * 0.99)] ?? Number.NaN
    const all = whole.reduce((sum, ms) => sum + ms, 0)
    console.log(
      `| ${name} | ${median(back).toFixed(2)} ms | ${p99.toFixed(1)} ms | ${median(whole).toFixed(1)} ms | ${(all / 1000).toFixed(2)} s |`,
    )
  }
} finally {
  await anvil.stop()
  await node.stop()
  await chain.close()
}
// Hardhat's provider would keep the process.
process.exit()
