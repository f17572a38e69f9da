// The floor of a server of JSON-RPC in Node.js: bare `node:http`, which reads a request whole, parses it, and answers each of its
// calls with the same 32 bytes. It runs no chain.
import { createServer } from 'node:http'

const RESULT = `0x${'5e'.repeat(32)}`

/** @param {{ id: number }} call */
const answer = ({ id }) => ({ jsonrpc: '2.0', id, result: RESULT })

const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = []
  request.on('data', (/** @type {Buffer} */ chunk) => chunks.push(chunk))
  request.on('end', () => {
    /** @type {unknown} */
    const body = JSON.parse(Buffer.concat(chunks).toString())
    const text = JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(/** @type {{ id: number }} */ (body)))
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }).end(text)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) console.log(`HTTP is at http://127.0.0.1:${address.port}`)
})
