// Checks that what was built runs on this version of Node.js, whichever it is: the server with its page, and the library.
// Needs `npm run build` and no packages, since those for development may need a newer Node.js than the package does.
import { rpc, startServer } from '../server.mjs'

/**
 * What is used here of the library.
 *
 * @typedef {object} Chain
 * @property {(call: { method: string, params: unknown[] }) => Promise<string>} request
 * @property {() => Promise<unknown>} tick
 * @property {(hash: string, status: 'preconfirmed') => Promise<{ status: string }>} waitFor
 * @property {() => Promise<void>} close
 */

const [from, to] = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '0x70997970c51812dc3a010c7d01b50e0d17dc79c8']

/** @param {boolean} condition @param {string} message */
function check(condition, message) {
  if (!condition) throw new Error(message)
  console.log(`ok     ${message}`)
}

const server = await startServer(['--automine'])
try {
  const hash = await rpc(server.url, 'eth_sendTransaction', [{ from, to, value: '0x1' }])
  const { status, blockNumber } = await rpc(server.url, 'eth_getTransactionReceipt', [hash])
  check(status === '0x1' && blockNumber === '0x1', 'the server seals a transaction')
  const page = await fetch(server.url, { headers: { Accept: 'text/html' } })
  check((await page.text()).includes('data-page="served"'), 'its page is there')
} finally {
  await server.stop()
}
check(true, 'the server ends')

const entry = new URL('../../dist/server/index.mjs', import.meta.url).href
/** @type {{ createChain: (options: { clock: 'manual' }) => Promise<Chain> }} */
const { createChain } = await import(entry)
const chain = await createChain({ clock: 'manual' })
const hash = await chain.request({ method: 'eth_sendTransaction', params: [{ from, to, value: '0x1' }] })
await chain.tick()
const { status } = await chain.waitFor(hash, 'preconfirmed')
check(status === '0x1', 'the library pre-confirms a transaction')
await chain.close()
console.log(`it runs on Node.js ${process.version}`)
