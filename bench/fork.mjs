// A fork beside anvil's: the same calls and transactions on forks of the same chain, whose endpoint answers after a while,
// as one on the internet does. Prints what each asked of it, and how long each step took. The endpoint is a proxy in this
// process. Needs `npm run build:server`. Usage: fork.mjs [--delay 40] [--rounds 3] [--remote anvil|blinknet]
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { encodeAbiParameters, keccak256, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { startAnvil, startBlinknet } from './versus/chains.mjs'
import { median } from './versus/figures.mjs'

const { values } = parseArgs({
  options: {
    delay: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '3' },
    remote: { type: 'string', default: 'anvil' },
  },
})
const [delayMs, rounds] = [Number(values.delay), Number(values.rounds)]
if (!(delayMs >= 0) || !(rounds >= 1)) throw new Error('delay is in milliseconds, rounds are at least 1')

/** Returns the sum of as many of its slots as the first word of the calldata says. */
const SUMMER = '0x5f5f5b5f358110156017578054820191506001016002565b505f5260205ff3'
/** Sets the slot of the first word to the second. */
const SETTER = '0x6020355f355500'
const summer = `0x${'51'.repeat(20)}`
const setter = `0x${'52'.repeat(20)}`
const SLOTS = 500
const HOLDERS = 40
/** @param {number} i @returns {`0x${string}`} */
const holder = (i) => `0x${keccak256(toHex(i)).slice(-40)}`
/** @param {number} value */
const word = (value) => toHex(value, { size: 32 })
/** The first development account. */
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

/** @typedef {{ requests: number, calls: number }} Asked */
/** @typedef {{ name: string, start: (url: string) => Promise<import('./versus/chains.mjs').Chain>, hasProofs: boolean }} Contender */

/** @type {readonly Contender[]} */
const CONTENDERS = [
  {
    name: 'anvil',
    hasProofs: true,
    start: (url) => startAnvil(['--fork-url', url, '--no-storage-caching']),
  },
  { name: 'Blinknet, proven', hasProofs: true, start: (url) => startBlinknet(['--automine', '--fork-url', url]) },
  { name: 'Blinknet, trusted', hasProofs: false, start: (url) => startBlinknet(['--automine', '--fork-url', url]) },
]

/**
 * An endpoint in front of a chain, which counts what it is asked.
 *
 * @param {string} target
 */
async function startProxy(target) {
  /** @type {Asked} */
  const asked = { requests: 0, calls: 0 }
  let hasProofs = true
  /** @param {any} call */
  const refusal = ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } })
  /** @param {string} body */
  async function answer(body) {
    const parsed = JSON.parse(body)
    const calls = Array.isArray(parsed) ? parsed : [parsed]
    asked.requests++
    asked.calls += calls.length
    const refused = calls.filter(({ method }) => method === 'eth_getProof' && !hasProofs)
    const passed = calls.filter((call) => !refused.includes(call))
    /** @type {any[]} */
    let answers = []
    if (passed.length > 0) {
      const headers = { 'Content-Type': 'application/json' }
      const response = await fetch(target, { method: 'POST', headers, body: JSON.stringify(passed) })
      answers = /** @type {any[]} */ (await response.json())
    }
    answers.push(...refused.map(refusal))
    return JSON.stringify(Array.isArray(parsed) ? answers : answers[0])
  }
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const [answered] = await Promise.all([answer(body), sleep(delayMs)])
      response.setHeader('Content-Type', 'application/json').end(answered)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server without a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** Counts from here on. @param {boolean} [proofs] */
    begin(proofs = hasProofs) {
      hasProofs = proofs
      asked.requests = 0
      asked.calls = 0
    },
    asked: () => ({ ...asked }),
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** @param {import('./versus/chains.mjs').Chain} chain */
async function populate(chain) {
  await chain.call('anvil_setCode', [summer, SUMMER])
  await chain.call('anvil_setCode', [setter, SETTER])
  for (let i = 0; i < SLOTS; i++) await chain.call('anvil_setStorageAt', [summer, word(i), word(i + 1)])
  for (let i = 0; i < HOLDERS; i++) await chain.call('anvil_setBalance', [holder(i), toHex(1_000 + i)])
  for (let i = 1; i <= 20; i++) await chain.call('anvil_setStorageAt', [setter, word(i), word(i)])
  await chain.call('evm_mine')
}

/** Ten transfers to accounts, and ten writes of slots, that the fork has not met. */
async function transactions() {
  const signed = []
  for (let nonce = 0; nonce < 20; nonce++) {
    const data = encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [BigInt(nonce), BigInt(nonce * 7)])
    signed.push(
      await account.signTransaction({
        type: 'eip1559',
        chainId: 31337,
        nonce,
        gas: 100_000n,
        maxFeePerGas: 20_000_000_000n,
        maxPriorityFeePerGas: 1_000_000_000n,
        ...(nonce < 10 ? { to: holder(20 + nonce), value: 1n } : { to: /** @type {`0x${string}`} */ (setter), data }),
      }),
    )
  }
  return signed
}

/**
 * One contender from its start to its end.
 *
 * @param {Contender} contender
 * @param {Awaited<ReturnType<typeof startProxy>>} proxy
 * @param {readonly string[]} signed
 */
async function run({ start, hasProofs }, proxy, signed) {
  /** @type {Map<string, Asked & { ms: number }>} */
  const steps = new Map()
  /** @type {<Result>(name: string, work: () => Promise<Result>) => Promise<Result>} */
  const step = async (name, work) => {
    proxy.begin(hasProofs)
    const began = performance.now()
    const result = await work()
    steps.set(name, { ms: performance.now() - began, ...proxy.asked() })
    return result
  }
  const chain = await step('start, until it answers', async () => {
    const started = await start(proxy.url)
    await started.call('eth_blockNumber')
    return started
  })
  try {
    await step('20 balances at once', () =>
      Promise.all(Array.from({ length: 20 }, (_, i) => chain.call('eth_getBalance', [holder(i), 'latest']))),
    )
    const sum = await step(`a call that reads ${SLOTS} slots`, () =>
      chain.call('eth_call', [{ to: summer, data: word(SLOTS) }, 'latest']),
    )
    if (BigInt(sum) !== BigInt((SLOTS * (SLOTS + 1)) / 2)) throw new Error(`a wrong sum: ${sum}`)
    await step('the same call again', () => chain.call('eth_call', [{ to: summer, data: word(SLOTS) }, 'latest']))
    await step('20 transactions, one after the other', async () => {
      for (const raw of signed) {
        const hash = await chain.call('eth_sendRawTransaction', [raw])
        let receipt = await chain.call('eth_getTransactionReceipt', [hash])
        while (receipt === null) {
          await sleep(5)
          receipt = await chain.call('eth_getTransactionReceipt', [hash])
        }
        if (receipt.status !== '0x1') throw new Error(`a transaction failed: ${hash}`)
      }
    })
  } finally {
    await chain.stop()
  }
  return steps
}

const remote = values.remote === 'anvil' ? await startAnvil() : await startBlinknet()
const proxy = await startProxy(remote.url ?? '')
try {
  await populate(remote)
  const signed = await transactions()
  console.log(`remote: ${values.remote}, ${delayMs} ms for each request, medians of ${rounds} rounds`)
  console.log('requests / calls / ms')
  for (const contender of CONTENDERS) {
    const all = []
    for (let round = 0; round < rounds; round++) all.push(await run(contender, proxy, signed))
    console.log(`\n${contender.name}`)
    for (const name of all[0]?.keys() ?? []) {
      const of = all.flatMap((steps) => steps.get(name) ?? [])
      const [requests, calls, ms] = [
        of.map((each) => each.requests),
        of.map((each) => each.calls),
        of.map((each) => each.ms),
      ]
      console.log(`  ${name.padEnd(40)} ${median(requests)} / ${median(calls)} / ${median(ms).toFixed(0)}`)
    }
  }
} finally {
  await proxy.close()
  await remote.stop()
}
