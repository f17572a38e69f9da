import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toQuantity, toWord } from '#primitives/hex.ts'
import { METHOD_FACTS } from '#rpc-types/facts.ts'
import type { MethodFacts } from '#rpc-types/method.ts'
import { RemoteAnswers } from './remote-answers.ts'

const ADDRESS = `0x${'ab'.repeat(20)}`
const TRANSACTION = { hash: toWord(1), from: ADDRESS, to: null, nonce: '0x0', value: '0x1', input: '0x' }
const BLOCK = {
  number: '0x1',
  hash: toWord(2),
  timestamp: '0x5',
  gasUsed: '0x0',
  gasLimit: '0x1000',
  transactions: [TRANSACTION],
}
/** The fields up to the options; answers are checked from the start. */
const STATUS = {
  ...{ clientVersion: 'Blinknet/v1', chainId: '0x1', seed: 1, mode: 'auto', paused: false, speed: 1 },
  ...{ partialMs: 200, partialsPerBlock: 10 },
}
const request = (method: string, ...params: readonly unknown[]) =>
  JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })
const answerOf = (result: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 7, result })

function refusal(method: string, params: readonly unknown[], result: unknown): string | undefined {
  const checked = new RemoteAnswers().check(request(method, ...params), answerOf(result))
  return (JSON.parse(checked ?? '') as { error?: { message: string } }).error?.message
}

test('the answers to all that the page asks are checked, but for calls that only change the chain, and what a dapp is told of its wallet', () => {
  const sources = ['src/ui', 'src/client'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
      .map((file) => readFileSync(path.join(folder, file), 'utf8')),
  )
  const named = sources.flatMap((source) => [...source.matchAll(/(?:method: |call\()'([a-z]+_\w+)'/g)])
  const asked = [...new Set(named.map(([, name = '']) => name))].filter((name) => Object.hasOwn(METHOD_FACTS, name))
  const facts: Readonly<Record<string, MethodFacts>> = METHOD_FACTS
  const unread = asked.filter((name) => ['changes', 'session', 'wallet'].includes(facts[name]?.effect ?? ''))
  expect(unread.length).toBeLessThan(asked.length / 2)
  // No answer is a number below 0.
  const unchecked = asked.filter((name) => !unread.includes(name) && refusal(name, [], -1.5) === undefined)
  expect(unchecked).toEqual([])
})

test('a valid answer passes unchanged', () => {
  const answers = new RemoteAnswers()
  for (const [method, params, result] of [
    ['eth_getBlockByNumber', ['latest', true], BLOCK],
    ['eth_getBlockByNumber', ['latest', false], { ...BLOCK, transactions: [toWord(1)] }],
    ['eth_getBlockByNumber', ['0x9', false], null],
    ['eth_getBlockByNumber', ['pending', true], { ...BLOCK, number: null, hash: null }],
    ['eth_getTransactionByHash', [toWord(1)], null],
    ['some_method', [], { any: 'thing' }],
  ] as const) {
    const text = answerOf(result)
    expect(answers.check(request(method, ...params), text), method).toBe(text)
  }
})

test.each([
  ['devnet_status', [], 0, 'devnet_status'],
  ['devnet_status', [], { ...STATUS, options: { gasLimit: 1e300 } }, 'options.gasLimit'],
  ['devnet_status', [], { ...STATUS, options: { mode: '&rpc=http://evil.example' } }, 'options.mode'],
  ['eth_getBlockByNumber', ['latest', true], { ...BLOCK, transactions: [null] }, 'transactions[0]'],
  ['eth_getBlockByNumber', ['latest', true], { ...BLOCK, transactions: ['__proto__'] }, 'transactions[0]'],
  ['eth_getBlockByNumber', ['latest', true], { ...BLOCK, timestamp: `0x${'f'.repeat(60)}` }, 'timestamp'],
  ['eth_getBlockByNumber', ['latest', true], { ...BLOCK, number: toQuantity(2n ** 60n) }, 'number'],
  ['eth_getBlockByNumber', ['latest', true], { ...BLOCK, hash: null }, 'hash'],
  ['eth_getBlockByNumber', ['latest', true], [], 'eth_getBlockByNumber'],
  ['eth_getBalance', [ADDRESS], `0x${'1'.repeat(1_000)}`, 'eth_getBalance'],
  ['eth_accounts', [], [null], '[0]'],
  ['eth_getBlockByNumber', ['pending', true], { ...BLOCK, logsBloom: '0x00' }, 'logsBloom'],
  ['eth_getBlockByNumber', ['pending', true], { ...BLOCK, logsBloom: `0x${'zz'.repeat(256)}` }, 'logsBloom'],
  ['eth_getProof', [ADDRESS, [], 'latest'], null, 'eth_getProof'],
  ['eth_getProof', [ADDRESS, [], 'latest'], { storageHash: {}, codeHash: toWord(1) }, 'storageHash'],
  ['ots_getContractCreator', [ADDRESS], { hash: toWord(1), creator: 'javascript:' }, 'creator'],
  ['eth_getBlockReceipts', ['pending'], [{ transactionHash: toWord(1) }], '[0].gasUsed'],
  ['eth_sendRawTransactionSync', ['0x02'], { transactionHash: toWord(1) }, 'gasUsed'],
] as const)('%s with %j: an invalid answer becomes an error', (method, params, result, where) => {
  expect(refusal(method, params, result)).toContain(where)
})

test('an invalid error becomes a valid one', () => {
  for (const error of [null, 0, {}, { code: 'a', message: 'b' }, { code: 1, message: {} }]) {
    const checked = new RemoteAnswers().check(request('eth_call'), JSON.stringify({ id: 7, error }))
    expect(JSON.parse(checked ?? '')).toMatchObject({ id: 7, error: { code: -32603, message: /is invalid/ } })
  }
})

test('an event is checked by its subscription’s kind', () => {
  const answers = new RemoteAnswers()
  answers.check(request('eth_subscribe', 'newHeads'), answerOf('0x9'))
  const event = (result: unknown) =>
    JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription: '0x9', result } })
  expect(answers.problemWith(event(BLOCK))).toBeUndefined()
  expect(answers.problemWith(event(null))).toBe("the chain's answer to the subscription newHeads is invalid")
  expect(answers.problemWith('{"method":"eth_subscription","params":3}')).toContain('is invalid')
})

test('a partial block whose bloom filter is not 256 bytes is refused', () => {
  const answers = new RemoteAnswers()
  answers.check(request('eth_subscribe', 'newPartialBlocks'), answerOf('0x9'))
  const problemOf = (logsBloom: unknown) =>
    answers.problemWith(
      JSON.stringify({
        params: {
          subscription: '0x9',
          result: {
            ...{ index: 0, payloadId: '0x01' },
            diff: { blockHash: toWord(1), logsBloom, gasUsed: '0x0', transactions: [], receipts: [] },
            metadata: { blockNumber: '0x1', transactionCount: 0, cutAtMs: 0, tookMs: 0 },
          },
        },
      }),
    )
  expect(problemOf(`0x${'00'.repeat(256)}`)).toBeUndefined()
  for (const invalid of [7, '0x', '0xz', `0x${'00'.repeat(255)}`, [`0x${'00'.repeat(256)}`]]) {
    expect(problemOf(invalid)).toContain('diff.logsBloom')
  }
})

test('checking never throws, whatever a chain answers', () => {
  const methods = [
    'devnet_status',
    'eth_getBlockByNumber',
    'eth_getLogs',
    'txpool_content',
    'devnet_getTransactionTimeline',
  ]
  fc.assert(
    fc.property(fc.constantFrom(...methods), fc.anything({ withNullPrototype: true }), (method, result) => {
      const answers = new RemoteAnswers()
      let text: string | undefined
      try {
        text = answerOf(result)
      } catch {
        return // JSON cannot express it.
      }
      expect(answers.check(request(method), text)).toBeTypeOf('string')
    }),
  )
})

const FRAME = { type: 'CALL', from: ADDRESS, to: ADDRESS, gas: '0x5', gasUsed: '0x1', input: '0x' }
const CALL_TRACER = { tracer: 'callTracer' }
const DIFF_TRACER = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
const nest = (depth: number): unknown => {
  let call: unknown = FRAME
  for (let i = 0; i < depth; i++) call = { ...FRAME, calls: [call] }
  return call
}

test('a trace passes if all of its calls are valid, down to the depth limit of the EVM', () => {
  for (const trace of [FRAME, { ...FRAME, calls: [FRAME, FRAME], logs: [], error: 'out of gas' }, nest(1_024)]) {
    expect(refusal('debug_traceTransaction', [toWord(1), CALL_TRACER], trace)).toBeUndefined()
  }
  const storage = { [toWord(1)]: toWord(2) }
  const diff = { pre: { [ADDRESS]: { nonce: 1 } }, post: { [ADDRESS]: { storage } } }
  expect(refusal('debug_traceTransaction', [toWord(1), DIFF_TRACER], diff)).toBeUndefined()
  // Other tracers' results are shown as they are.
  expect(refusal('debug_traceCall', [{}, 'latest', {}], { structLogs: [] })).toBeUndefined()
})

test.each([
  ['an unknown type', { ...FRAME, type: '__proto__' }],
  ['gas that is not a quantity', { ...FRAME, gas: -1 }],
  ['calls that are not a list', { ...FRAME, calls: { length: 1 } }],
  ['a call that is null', { ...FRAME, calls: [null] }],
  ['input that is not hex, deep inside', { ...FRAME, calls: [{ ...FRAME, calls: [{ ...FRAME, input: '0xz' }] }] }],
  ['a log without topics', { ...FRAME, logs: [{ address: ADDRESS, data: '0x' }] }],
  ['calls deeper than the limit of the EVM', nest(1_025)],
  ['more calls than a page can show', { ...FRAME, calls: Array.from({ length: 100_001 }, () => FRAME) }],
  ['an error that is not a text', { ...FRAME, error: {} }],
])('a trace with %s becomes an error', (_what, trace) => {
  expect(refusal('debug_traceCall', [{}, 'pending', CALL_TRACER], trace)).toContain('is invalid')
})

test.each([
  ['debug_traceTransaction', [toWord(1), DIFF_TRACER], { pre: {} }],
  ['debug_traceTransaction', [toWord(1), DIFF_TRACER], { pre: {}, post: { [ADDRESS]: { storage: { a: '0x1' } } } }],
  ['debug_traceTransaction', [toWord(1), DIFF_TRACER], { pre: JSON.parse('{"__proto__":{}}') as unknown, post: {} }],
  [
    'debug_storageRangeAt',
    ['pending', 0, ADDRESS, '0x', 1],
    { storage: { a: { key: 'a', value: toWord(1) } }, nextKey: null },
  ],
  ['eth_getStorageValues', [{}, 'latest'], { [ADDRESS]: [1] }],
  ['ots_searchTransactionsBefore', [ADDRESS, 0, 1], { txs: [{ hash: 'x' }], receipts: [] }],
] as const)('%s: storage that is not one becomes an error', (method, params, result) => {
  expect(refusal(method, params, result)).toContain('is invalid')
})

const openrpc = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../node/rpc/openrpc.json'), 'utf8'),
) as unknown
const DOCUMENT = {
  openrpc: '1.0.0',
  methods: [
    {
      name: 'm',
      params: [{ name: 'p', schema: { $ref: '#/components/schemas/A' } }],
      result: { name: 'r', schema: {} },
    },
  ],
  components: { schemas: { A: { type: 'object', properties: { a: { $ref: '#/components/schemas/A' } } } } },
}
const withSchemas = (schemas: unknown) => ({ ...DOCUMENT, components: { schemas } })
const deep = JSON.parse(`${'{"items":'.repeat(100)}{}${'}'.repeat(100)}`) as unknown

test('a node’s own description of its methods passes unchanged', () => {
  expect(refusal('rpc_discover', [], openrpc)).toBeUndefined()
  expect(refusal('rpc_discover', [], DOCUMENT)).toBeUndefined()
})

test.each([
  ['is null', null],
  ['has no methods', { ...DOCUMENT, methods: {} }],
  ['has a method without a name', { ...DOCUMENT, methods: [{ params: [], result: { name: 'r', schema: {} } }] }],
  [
    'has parameters that are not a list',
    { ...DOCUMENT, methods: [{ name: 'm', params: 'x', result: { name: 'r', schema: {} } }] },
  ],
  [
    'has a parameter without a schema',
    { ...DOCUMENT, methods: [{ name: 'm', params: [{ name: 'p' }], result: { name: 'r', schema: {} } }] },
  ],
  ['has no schemas', { ...DOCUMENT, components: {} }],
  ['has a schema that is not an object', withSchemas({ A: 7 })],
  ['has a schema of a hundred levels', withSchemas({ A: deep })],
  ['has a schema with the name of a prototype', withSchemas(JSON.parse('{"__proto__":{}}'))],
  ['has a reference that is not text', withSchemas({ A: { $ref: {} } })],
  ['has an invalid pattern', withSchemas({ A: { pattern: '(' } })],
  ['refers to itself', withSchemas({ A: { $ref: '#/components/schemas/A' } })],
  [
    'refers in a circle',
    withSchemas({
      A: { anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/B' }] },
      B: { $ref: '#/components/schemas/A' },
    }),
  ],
])('a method description that %s becomes an error', (_what, document) => {
  expect(refusal('rpc_discover', [], document)).toContain('is invalid')
})
