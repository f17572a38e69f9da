// What hostile guests of a room do to the others: sockets that each join and send transactions of the slowest precompile,
// as fast and with as much gas as guests may, for a higher tip than anyone, or the same as calls. Prints how long an honest
// guest's and the speaker's transfers take to be pre-confirmed before, meanwhile and afterwards, and when the backlog is
// gone. Needs `npm run build:server`. Usage: hostile-guests.mjs [--sockets 3,40] [--calls] [--seconds 15]
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { WebSocket } from 'ws'
import { startServer } from '../scripts/server.mjs'

const { values } = parseArgs({
  options: {
    sockets: { type: 'string', default: '3,40' },
    seconds: { type: 'string', default: '15' },
    calls: { type: 'boolean', default: false },
  },
})
/** How many calls a guest may have under way. */
const CALLS_AT_ONCE = 4
const seconds = Number(values.seconds)
const CHAIN_ID = 31_337
const GWEI = 1_000_000_000n
const SPEAKER_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
/** Calls the precompile that maps an element of the field to G1 until the gas is used up. */
const SLOW_CODE = '0x5b60805f60405f6010617530fa505f56'

/** @typedef {{ caller: Caller, account: import('viem/accounts').PrivateKeyAccount, nonce: number }} Sender */

/** One WebSocket. */
class Caller {
  /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  #waiting = new Map()
  #ids = 0

  /** @param {string} url */
  constructor(url) {
    this.socket = new WebSocket(url.replace('http', 'ws'))
    this.socket.on('message', (data) => {
      const { id, result, error } = JSON.parse(/** @type {Buffer} */ (data).toString())
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error) waiting?.reject(Object.assign(new Error(error.message), { data: error.data }))
      else waiting?.resolve(result)
    })
    this.socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('closed'))
    })
    this.socket.on('error', () => {})
  }

  /** @param {string} method @param {readonly unknown[]} params @returns {Promise<any>} */
  call(method, ...params) {
    const id = ++this.#ids
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }
}

/** @param {string} url */
async function open(url) {
  const caller = new Caller(url)
  await once(caller.socket, 'open')
  return caller
}

/** @param {string} url @param {string} name @returns {Promise<Sender>} */
async function join(url, name) {
  const [caller, account] = [await open(url), privateKeyToAccount(generatePrivateKey())]
  await caller.call('room_join', { name, address: account.address })
  return { caller, account, nonce: 0 }
}

/** @param {Sender} sender @param {object} [more] */
function sign(sender, more = {}) {
  return sender.account.signTransaction({
    type: 'eip1559',
    chainId: CHAIN_ID,
    nonce: sender.nonce,
    to: `0x${'22'.repeat(20)}`,
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: 10n * GWEI,
    maxPriorityFeePerGas: GWEI,
    ...more,
  })
}

/** Milliseconds until each of a series of transfers is pre-confirmed; those that are not in 5 s count as 5,000. */
async function measure(/** @type {Sender} */ sender, /** @type {number} */ count) {
  const times = []
  for (let i = 0; i < count; i++) {
    await sleep(300 + Math.random() * 200)
    const raw = await sign(sender)
    const sentAt = performance.now()
    try {
      await sender.caller.call('eth_sendRawTransactionSync', raw, 5_000)
      times.push(performance.now() - sentAt)
    } catch {
      times.push(5_000)
      sender.nonce = Number(await sender.caller.call('eth_getTransactionCount', sender.account.address, 'pending')) - 1
    }
    sender.nonce++
  }
  return times
}

/** @param {readonly number[]} times */
function figures(times) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (/** @type {number} */ share) => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(0)
  return `p50 ${at(0.5)}, p90 ${at(0.9)}, most ${at(1)} ms`
}

/** @param {Sender} attacker @param {string} target @param {{ stop: boolean }} until */
async function attack(attacker, target, until) {
  while (!until.stop) {
    const raw = await sign(attacker, { to: target, value: 0n, gas: 1_000_000n, maxPriorityFeePerGas: 2n * GWEI })
    try {
      await attacker.caller.call('eth_sendRawTransaction', raw)
      attacker.nonce++
    } catch (error) {
      await sleep(Math.min(1_000, /** @type {any} */ (error).data?.retryAfterMs ?? 500))
    }
    if (attacker.caller.socket.readyState !== WebSocket.OPEN) return
  }
}

/** @param {Sender} attacker @param {string} target @param {{ stop: boolean }} until */
async function callAgain({ caller }, target, until) {
  while (!until.stop && caller.socket.readyState === WebSocket.OPEN) {
    await caller.call('eth_call', { to: target, gas: '0x989680' }, 'latest').catch((/** @type {any} */ { data }) => {
      return sleep(data?.retryAfterMs ?? 20)
    })
  }
}

const server = await startServer(['--room', '--host', '127.0.0.1', '--log', 'warn'])
try {
  const speaker = { caller: await open(server.url), account: privateKeyToAccount(SPEAKER_KEY), nonce: 0 }
  const { url } = await speaker.caller.call('room_info')
  const init = `0x6f${SLOW_CODE.slice(2)}5f5260106010f3`
  const { contractAddress } = await speaker.caller.call(
    'eth_sendRawTransactionSync',
    await sign(speaker, { to: null, value: 0n, data: init, gas: 200_000n }),
  )
  speaker.nonce++
  const honest = await join(url, 'Honest')
  const both = async () => {
    const count = Math.max(5, Math.round(seconds / 0.6))
    const [own, theirs] = await Promise.all([measure(honest, count), measure(speaker, count)])
    return `guest ${figures(own)}; speaker ${figures(theirs)}`
  }
  console.log(`none                 ${await both()}`)
  for (const count of values.sockets.split(',').map(Number)) {
    const attackers = await Promise.all(Array.from({ length: count }, (_, i) => join(url, `Hostile ${i}`)))
    const until = { stop: false }
    const attacks = attackers.flatMap((attacker) =>
      values.calls
        ? Array.from({ length: CALLS_AT_ONCE }, () => callAgain(attacker, contractAddress, until))
        : attack(attacker, contractAddress, until),
    )
    console.log(`${String(count).padEnd(4)} hostile sockets ${await both()}`)
    until.stop = true
    for (const { caller } of attackers) caller.socket.terminate()
    const leftAt = performance.now()
    await Promise.all(attacks)
    for (;;) {
      const { pending, queued } = await speaker.caller.call('txpool_status')
      if (Number(pending) + Number(queued) === 0) break
      if (performance.now() - leftAt > 60_000) break
      await sleep(20)
    }
    console.log(`     backlog gone    ${(performance.now() - leftAt).toFixed(0)} ms after they have left`)
  }
  console.log(`afterwards           ${await both()}`)
} finally {
  await server.stop()
}
