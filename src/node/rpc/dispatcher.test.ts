import { expect, test } from 'vitest'
import { Emitter } from '#primitives/emitter.ts'
import { toWord } from '#primitives/hex.ts'
import type { JsonRpcResponse } from '#rpc-types/envelope.ts'
import { createTestNode, devAccount, signTransfer } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { TransactionDecoder } from '../tx/transaction-decoder.ts'
import type { NodeContext } from './context.ts'
import { DevSettings } from './dev-settings.ts'
import { createRpcEndpoint } from './endpoint.ts'

const request = (method: string, params: unknown = [], id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })

async function answerTo(body: unknown): Promise<unknown> {
  const { raw } = await createTestNode({ mode: 'manual' })
  const answer = await raw(typeof body === 'string' ? body : JSON.stringify(body))
  return answer === undefined ? undefined : JSON.parse(answer)
}

const errorWith = (code: number, message: string, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

test('a request is answered with its id and its result', async () => {
  expect(await answerTo(request('eth_chainId'))).toEqual({ jsonrpc: '2.0', id: 1, result: '0x7a69' })
})

test.each([[0], [-7], [1.5], ['abc'], [''], [null]])('the id %j is echoed', async (id) => {
  expect(await answerTo(request('eth_blockNumber', [], id))).toEqual({ jsonrpc: '2.0', id, result: '0x0' })
})

test.each([['12345678901234567890'], ['-9007199254740993'], ['0.1000000000000000055'], ['1.50']])(
  'the number %s comes back as the id digit by digit, alone and in a batch',
  async (id) => {
    const { raw } = await createTestNode({ mode: 'manual' })
    const body = `{"params":[{"id":5}],"id" : ${id},"method":"eth_chainId","jsonrpc":"2.0"}`
    expect(await raw(body)).toContain(`"id":${id},"error"`)
    const plain = `{"jsonrpc":"2.0","id":7,"i\\u0064":${id},"method":"eth_chainId"}`
    expect(await raw(plain)).toBe(`{"jsonrpc":"2.0","id":${id},"result":"0x7a69"}`)
    const other = '{"jsonrpc":"2.0","id":"a,\\"id\\":[{","method":"eth_chainId"}'
    expect(await raw(`[${other},{"jsonrpc":"2.0","method":"eth_chainId"},${plain}]`)).toBe(
      `[{"jsonrpc":"2.0","id":"a,\\"id\\":[{","result":"0x7a69"},{"jsonrpc":"2.0","id":${id},"result":"0x7a69"}]`,
    )
  },
)

test('a body nested too deeply is refused with a clear message, whatever its method', async () => {
  const deep = '[{"a":'.repeat(100_000) + '1' + '}]'.repeat(100_000)
  const bodies = [deep, `{"jsonrpc":"2.0","id":1,"method":"devnet_reorg","params":[1,${deep}]}`, '['.repeat(1_000_000)]
  for (const body of bodies) {
    const message = 'invalid request: more than 256 levels of arrays and objects, send fewer'
    expect(await answerTo(body)).toEqual(errorWith(-32600, message, null))
  }
  expect(await answerTo(request(`${'['.repeat(300)}"`))).toMatchObject({ error: { code: -32601 } })
})

test.each([[''], ['{'], ['nonsense'], ['{"jsonrpc":"2.0",}'], ["{'a':1}"]])('%j is a parse error', async (body) => {
  expect(await answerTo(body)).toEqual(errorWith(-32700, 'parse error', null))
})

test.each([
  ['no object', '5', null],
  ['null', 'null', null],
  ['no version', { id: 1, method: 'eth_chainId' }, 1],
  ['another version', { jsonrpc: '1.0', id: 'x', method: 'eth_chainId' }, 'x'],
  ['a version that is a number', { jsonrpc: 2, id: 1, method: 'eth_chainId' }, 1],
  ['no method', { jsonrpc: '2.0', id: 1 }, 1],
  ['an empty method', { jsonrpc: '2.0', id: 1, method: '' }, 1],
  ['a method that is not a string', { jsonrpc: '2.0', id: 1, method: 7 }, 1],
  ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'eth_chainId' }, null],
  ['an id that is an array', { jsonrpc: '2.0', id: [1], method: 'eth_chainId' }, null],
  ['an id that is a boolean', { jsonrpc: '2.0', id: true, method: 'eth_chainId' }, null],
  ['an id beyond all numbers', '{"jsonrpc":"2.0","id":1e999,"method":"eth_chainId"}', null],
  ['neither version nor id', { method: 'eth_chainId' }, null],
])('%s is an invalid request', async (_, body, id) => {
  expect(await answerTo(body)).toEqual(errorWith(-32600, 'invalid request', id))
})

test.each([['eth_foo'], ['constructor'], ['__proto__'], ['ETH_CHAINID']])(
  'the method %s does not exist',
  async (name) => {
    expect(await answerTo(request(name))).toEqual(
      errorWith(-32601, `the method ${name} does not exist/is not available`),
    )
  },
)

test.each([[{}], [{ 0: 'latest' }], ['latest'], [7], [true]])('params %j are non-array args', async (params) => {
  expect(await answerTo(request('eth_chainId', params))).toEqual(errorWith(-32602, 'non-array args'))
})

test('params may be left out or null if a method takes none', async () => {
  expect(await answerTo({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' })).toHaveProperty('result', '0x7a69')
  expect(await answerTo(request('eth_chainId', null))).toHaveProperty('result', '0x7a69')
})

test('an unknown method is reported before its params', async () => {
  expect(await answerTo(request('eth_foo', {}))).toHaveProperty('error.code', -32601)
})

test('a notification is executed and never answered, even if it fails', async () => {
  const { raw, request: call } = await createTestNode({ mode: 'manual' })
  expect(await raw('{"jsonrpc":"2.0","method":"devnet_tick","params":[3]}')).toBeUndefined()
  expect(await call('devnet_status')).toMatchObject({ live: { index: 3 } })
  expect(await raw('{"jsonrpc":"2.0","method":"eth_foo"}')).toBeUndefined()
  expect(await raw('{"jsonrpc":"2.0","method":"eth_chainId","params":{}}')).toBeUndefined()
})

test('a batch is answered in order, each call separately, except notifications', async () => {
  expect(
    await answerTo([
      request('eth_chainId', [], 'a'),
      { jsonrpc: '2.0', method: 'eth_chainId' },
      request('eth_foo', [], 'b'),
      42,
      [],
      request('eth_blockNumber', [1], 3),
      request('eth_blockNumber', [], 'a'),
    ]),
  ).toEqual([
    { jsonrpc: '2.0', id: 'a', result: '0x7a69' },
    errorWith(-32601, 'the method eth_foo does not exist/is not available', 'b'),
    errorWith(-32600, 'invalid request', null),
    errorWith(-32600, 'invalid request', null),
    errorWith(-32602, 'too many arguments, want at most 0', 3),
    { jsonrpc: '2.0', id: 'a', result: '0x0' },
  ])
})

test('calls of a batch see the effects of earlier ones', async () => {
  expect(await answerTo([request('devnet_tick', [10]), request('eth_blockNumber')])).toMatchObject([
    { result: { number: '0x2', index: 0 } },
    { result: '0x1' },
  ])
})

test('submissions of a batch keep their order, with refusals and queries between them', async () => {
  const { raw } = await createTestNode({ mode: 'manual' })
  const submissions = await Promise.all(
    Array.from({ length: 70 }, async (_, nonce) => request('eth_sendRawTransaction', [await signTransfer(0, nonce)])),
  )
  const ask = request('eth_getTransactionCount', [devAccount(0).address, 'pending'])
  const refused = request('eth_sendRawTransaction', ['0x02'])
  const body = [...submissions.slice(0, 67), ask, refused, ...submissions.slice(67), submissions[0], ask]
  const answers = JSON.parse((await raw(JSON.stringify(body))) ?? '') as JsonRpcResponse[]
  expect(answers).toHaveLength(74)
  expect(answers[67]).toMatchObject({ result: '0x43' })
  expect(answers[68]).toMatchObject({ error: { message: 'typed transaction too short' } })
  expect(answers[72]).toMatchObject({ error: { message: 'already known' } })
  expect(answers[73]).toMatchObject({ result: '0x46' })
})

test('a planned failure affects the first submission of a batch only', async () => {
  const { raw, request: ask } = await createTestNode({ mode: 'manual' })
  await ask('devnet_failNext', [{ methods: ['eth_sendRawTransaction'], error: { code: -1, message: 'planned' } }])
  const body = [
    request('eth_chainId'),
    request('eth_sendRawTransaction', [await signTransfer(0, 0)], 2),
    request('eth_sendRawTransaction', [await signTransfer(0, 0)], 3),
  ]
  const answers = JSON.parse((await raw(JSON.stringify(body))) ?? '') as JsonRpcResponse[]
  expect(answers.map((answer) => 'error' in answer)).toEqual([false, true, false])
})

test('a query sent right after a submission sees its effect', async () => {
  const { raw } = await createTestNode({ mode: 'manual' })
  const submitted = raw(JSON.stringify(request('eth_sendRawTransaction', [await signTransfer(0, 0)])))
  const counted = raw(JSON.stringify(request('eth_getTransactionCount', [devAccount(0).address, 'pending'])))
  expect(JSON.parse((await counted) ?? '')).toMatchObject({ result: '0x1' })
  expect(JSON.parse((await submitted) ?? '')).toMatchObject({ result: expect.stringMatching(/^0x/) as string })
})

test('a batch of notifications is not answered', async () => {
  expect(await answerTo([{ jsonrpc: '2.0', method: 'eth_chainId' }])).toBeUndefined()
})

test('an empty batch is refused', async () => {
  expect(await answerTo([])).toEqual(errorWith(-32600, 'empty batch', null))
})

test('a batch whose answers grow too long is cut off, and the node keeps running', async () => {
  const { raw } = await createTestNode({ mode: 'manual' })
  const contract = `0x${'ab'.repeat(20)}`
  // PUSH4 4000000, PUSH0, RETURN: eight million characters of zeros.
  const code = { [contract]: { code: '0x63003d09005ff3' } }
  const batch = Array.from({ length: 6 }, (_, id) => request('eth_call', [{ to: contract }, 'latest', code], id))
  const answers = JSON.parse((await raw(JSON.stringify(batch))) ?? '') as { id: number; error?: unknown }[]
  expect(answers.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5])
  expect(answers.slice(0, 4).every((answer) => 'result' in answer)).toBe(true)
  expect(answers.slice(4)).toEqual([
    errorWith(-32003, 'response too large', 4),
    errorWith(-32003, 'response too large', 5),
  ])
  expect(await raw(JSON.stringify(request('eth_chainId')))).toContain('0x7a69')
})

test('a batch of 1,000 is answered, one of 1,001 refused', async () => {
  const batch = Array.from({ length: 1_001 }, (_, id) => request('eth_chainId', [], id))
  expect(await answerTo(batch)).toEqual(errorWith(-32600, 'batch too large', null))
  const answers = (await answerTo(batch.slice(1))) as { id: number }[]
  expect(answers.map(({ id }) => id)).toEqual(batch.slice(1).map(({ id }) => id))
})

test('a bug is an internal error to the caller, its details are logged, and the node keeps running', async () => {
  const bug = new Error('secret detail')
  const logged: unknown[][] = []
  const broken = {
    clock: new FakeClock(),
    events: new Emitter(),
    spec: { chainId: 5 },
    control: { fillsAtSeal: false },
    settings: new DevSettings(toWord(0), 0),
    decoder: new TransactionDecoder(new FakeClock()),
    chain: {
      head() {
        throw bug
      },
    },
  } as unknown as NodeContext
  const connection = createRpcEndpoint(broken, (...entry) => logged.push(entry)).connect()
  expect(JSON.parse((await connection.handle(JSON.stringify(request('eth_blockNumber')))) ?? '')).toEqual(
    errorWith(-32603, 'internal error'),
  )
  expect(logged).toEqual([['internal error in eth_blockNumber', bug]])
  expect(await connection.handle(JSON.stringify(request('eth_chainId')))).toContain('"0x5"')
})
