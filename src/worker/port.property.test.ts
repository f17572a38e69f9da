import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNode, type Node } from '#node/node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { gatherPort } from '#transport/port/gather-port.ts'
import { PROTOCOL } from '#transport/port/messages.ts'
import { serveHost } from '#transport/port/serve-host.ts'
import { servePort } from '#transport/port/serve-port.ts'

// Hostile messages on the port of the node's worker. To try more: PORT_RUNS=100000 npx vitest run --project unit
// src/worker/port.property.test.ts `npm run fuzz` sets a time instead of a number, and a seed that reproduces the
// messages.
const SECONDS = process.env['FUZZ_SECONDS'] === undefined ? undefined : Number(process.env['FUZZ_SECONDS'])
const SEED = process.env['FUZZ_SEED'] === undefined ? undefined : Number(process.env['FUZZ_SEED'])
const RUNS = Number(process.env['PORT_RUNS'] ?? (SECONDS === undefined ? 100 : 1_000_000))
const SETTINGS = {
  numRuns: RUNS,
  ...(SEED !== undefined && { seed: SEED }),
  ...(SECONDS !== undefined && { interruptAfterTimeLimit: SECONDS * 1_000, markInterruptAsFailure: false }),
}
const TIMEOUT_MS = 60_000 + (SECONDS ?? 0) * 2_000
/** No message sent here keeps the node busy for long. */
const ANSWER_MS = 5_000

let node: Node
let logged: string[]
let methods: readonly string[]

beforeAll(async () => {
  logged = []
  node = await createNode(
    { mode: 'manual' },
    { clock: new FakeClock(), log: (level, message) => void logged.push(`${level}: ${message}`) },
  )
  const discovered = await node.connect().handle('{"jsonrpc":"2.0","id":1,"method":"rpc_discover"}')
  const { result } = JSON.parse(discovered ?? '') as { result: { methods: readonly { name: string }[] } }
  methods = result.methods.map(({ name }) => name)
})
afterAll(() => node.close())

const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`

/** Bodies: valid JSON-RPC, invalid JSON-RPC, other JSON, and text that is not JSON. */
const body = fc.oneof(
  fc
    .tuple(fc.nat(), fc.jsonValue(), fc.oneof(fc.constant(1), fc.jsonValue()))
    .map(([which, params, id]) =>
      JSON.stringify({ jsonrpc: '2.0', id, method: methods[which % methods.length], params: [params] }),
    ),
  // A planned failure with data of any depth, and a call that triggers it.
  fc
    .constantFrom(30, 200, 100_000)
    .map(
      (depth) =>
        `[{"jsonrpc":"2.0","id":1,"method":"devnet_failNext","params":[{"methods":["net_version"],"error":{"code":1,"message":"x","data":${nested('[', ']', depth)}}}]},{"jsonrpc":"2.0","id":2,"method":"net_version"}]`,
    ),
  fc.constantFrom(nested('[', ']', 100_000), nested('{"a":', '}', 100_000), `[${'{},'.repeat(2_000)}{}]`, '{', '', '"'),
  fc.json(),
  fc.string(),
)

const hostile = fc.oneof(
  fc.record({ kind: fc.constant('rpc'), id: fc.integer(), body }),
  // Members of the wrong types.
  fc.record({ kind: fc.constant('rpc'), id: fc.anything(), body: fc.anything() }),
  fc.record({
    kind: fc.constant('read'),
    characters: fc.oneof(fc.double(), fc.constantFrom(Number.NaN, -Infinity, -1e300, '9', null, undefined)),
  }),
  fc.record({ kind: fc.constantFrom('attach', 'salvage', 'erase', '__proto__', 'toString', ''), port: fc.jsonValue() }),
  fc.constantFrom(null, undefined, 0, 'rpc', [], [null], [[]], [{ kind: 'rpc' }], {}, { kind: null }, { kind: {} }),
  fc.jsonValue(),
)

/** Posts any value that can be cloned; a function, for example, cannot. */
function post(port: MessagePort, message: unknown): void {
  try {
    port.postMessage(message)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}

interface Answer {
  readonly kind: string
  readonly id?: number
  readonly body?: string
}

/** Resolves with the answer to a valid call. */
function callOn(port: MessagePort, id: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the port no longer answers')), ANSWER_MS)
    const listen = ({ data }: MessageEvent<Answer | readonly Answer[]>) => {
      const messages = Array.isArray(data) ? (data as readonly Answer[]) : [data as Answer]
      const answer = messages.find((message) => message.kind === 'rpc' && message.id === id)
      if (!answer) return
      clearTimeout(late)
      port.removeEventListener('message', listen)
      resolve(answer)
    }
    port.addEventListener('message', listen)
    port.start()
    port.postMessage({ kind: 'rpc', id, body: '{"jsonrpc":"2.0","id":7,"method":"web3_sha3","params":["0x"]}' })
  })
}

const EMPTY_HASH =
  '{"jsonrpc":"2.0","id":7,"result":"0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"}'

test(
  'whatever is posted to a port, the node answers the next call, on that port and on others',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 8 }), async (messages) => {
        const [attacker, other] = [new MessageChannel(), new MessageChannel()]
        for (const { port1 } of [attacker, other]) servePort(node, gatherPort(port1))
        for (const message of messages) post(attacker.port2, message)
        // The planned failures only affect the methods they name.
        const calls = await Promise.all([callOn(attacker.port2, -77), callOn(other.port2, 3)])
        if (!messages.some((message) => JSON.stringify(message ?? null)?.includes('web3_sha3'))) {
          for (const call of calls) expect(call.body).toBe(EMPTY_HASH)
        }
        for (const port of [attacker.port1, attacker.port2, other.port1, other.port2]) port.close()
        expect(logged.filter((line) => line.includes('internal'))).toEqual([])
      }),
      SETTINGS,
    )
  },
  TIMEOUT_MS,
)

test(
  'whatever is posted to the worker after its start, it keeps serving or says why it stopped',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 4 }), async (messages) => {
        const { port1, port2 } = new MessageChannel()
        const told: Answer[] = []
        const heard = new Promise<void>((resolve) => {
          port2.addEventListener('message', ({ data }: MessageEvent<Answer | readonly Answer[]>) => {
            told.push(...(Array.isArray(data) ? (data as readonly Answer[]) : [data as Answer]))
            if (told.some(({ kind, id }) => kind === 'failed' || (kind === 'rpc' && id === -77))) resolve()
          })
        })
        port2.start()
        serveHost(gatherPort(port1), () => Promise.resolve(node))
        port2.postMessage({ kind: 'boot', protocol: PROTOCOL, options: {}, chainName: undefined })
        for (const message of messages) post(port2, message)
        port2.postMessage({
          kind: 'rpc',
          id: -77,
          body: '{"jsonrpc":"2.0","id":7,"method":"web3_sha3","params":["0x"]}',
        })
        await heard
        for (const port of [port1, port2]) port.close()
        expect(logged.filter((line) => line.includes('internal'))).toEqual([])
      }),
      SETTINGS,
    )
  },
  TIMEOUT_MS,
)
