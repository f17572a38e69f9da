import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import document from '#node/rpc/openrpc.json'
import type { JsonRpcResponse } from '#rpc-types/envelope.ts'
import { createTestNode, devAccount } from '#testing/node/test-node.ts'

// No error repeats more than 200 characters of what was sent: a log or a page that shows it would be flooded. Each method of
// the contract is called with a long text in the place of each value and of each name of its parameters.

type Schema = Readonly<Record<string, unknown>>

const MOST_REPEATED = 200
const LENGTHS = [250, 1_000, 100_000]
/** Texts of one piece, of a hex string, and of many words; no message of ours has any of them. */
const FILLERS = ['qz', '0x5a', 'qz ']
const longText = (filler: string, length: number) =>
  filler.startsWith('0x') ? `0x${'5a'.repeat(length / 2)}` : filler.repeat(Math.ceil(length / filler.length))

const schemas = document.components.schemas as unknown as Readonly<Record<string, Schema>>

/** A value that a schema allows, or nearly; optional members are there, and lists have one item. */
function sampleOf(schema: Schema, depth = 0): unknown {
  if (depth > 8) return '0x1'
  const within = (inner: unknown) => sampleOf(inner as Schema, depth + 1)
  const { $ref, anyOf, type, properties, items, prefixItems, enum: values, const: only, pattern } = schema
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) ?? ''
    return KNOWN[name] ?? within(schemas[name] ?? {})
  }
  if (Array.isArray(anyOf)) return within(anyOf.at(-1))
  if (Array.isArray(values)) return values[0]
  if (only !== undefined) return only
  if (Array.isArray(prefixItems)) return prefixItems.map(within)
  if (type === 'array' || items !== undefined) return [within(items ?? {})]
  if (properties !== undefined) {
    return Object.fromEntries(Object.entries(properties as object).map(([name, inner]) => [name, within(inner)]))
  }
  if (type === 'object') return {}
  if (type === 'number' || type === 'integer') return 1
  if (type === 'boolean') return true
  return typeof pattern === 'string' ? '0x1' : 'text'
}

const KNOWN: Readonly<Record<string, unknown>> = {
  // One that signs, so that typed data is looked at.
  Address: devAccount(0).address,
  Hash: `0x${'11'.repeat(32)}`,
  Hex: '0x11',
  Quantity: '0x1',
  BytesMax32: '0x1',
  BlockSelector: 'latest',
  BlockNumberOrTag: 'latest',
  BlockTag: 'latest',
}

/** A value with a text in the place of one of its parts, or of the name of one, for each of them. */
function* withText(value: unknown, text: string): Generator {
  yield text
  yield { [text]: value }
  yield [text]
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) for (const inner of withText(item, text)) yield value.with(i, inner)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      yield Object.fromEntries([...Object.entries(value).filter(([other]) => other !== name), [text, member]])
      for (const inner of withText(member, text)) yield { ...value, [name]: inner }
    }
  }
}

/** The longest part of a text that is in an error, in characters. */
function repeatedIn(error: string, filler: string): number {
  const said = error.toLowerCase()
  const piece = filler === '0x5a' ? '5a' : filler
  let longest = 0
  for (let at = said.indexOf(piece); at >= 0; ) {
    let end = at
    while (said.startsWith(piece, end)) end += piece.length
    longest = Math.max(longest, end - at)
    at = said.indexOf(piece, end)
  }
  return longest
}

/** Turns of the thread after which a call counts as one that waits. */
const MOST_TURNS = 500

async function turns(left: number): Promise<void> {
  for (let turn = 0; turn < left; turn++) await nextTurn()
}

async function asker() {
  const node = await createTestNode({ mode: 'manual' })
  const connection = node.node.connect(() => true)
  /** The error of a call as JSON; none if it succeeds, or waits for what never comes. */
  return async (method: string, params: unknown): Promise<string> => {
    const answer = connection.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    const given = new Promise<string | undefined>((resolve) => {
      void answer.then(resolve)
      void turns(MOST_TURNS).then(() => resolve(undefined))
    })
    const text = await given
    if (text === undefined) return ''
    const response = JSON.parse(text) as JsonRpcResponse
    return 'error' in response ? JSON.stringify(response.error) : ''
  }
}

/** Methods whose errors are what the caller has planned. */
const PLANS_ERRORS = new Set(['devnet_failNext'])

test.each(LENGTHS)('no error repeats much of a text of %d characters, wherever a parameter has it', async (length) => {
  const ask = await asker()
  const flooded: string[] = []
  // The longest are tried as whole parameters and in their first levels, the others everywhere.
  for (const { name, params } of document.methods) {
    if (PLANS_ERRORS.has(name)) continue
    const samples = params.map(({ schema }) => sampleOf(schema as Schema))
    for (const filler of length > 1_000 ? FILLERS.slice(0, 1) : FILLERS) {
      const text = longText(filler, length)
      for (const [i, sample] of samples.entries()) {
        for (const changed of withText(sample, text)) {
          const repeated = repeatedIn(await ask(name, samples.with(i, changed)), filler)
          if (repeated > MOST_REPEATED) flooded.push(`${name}, parameter ${i}: ${repeated} of ${filler}`)
        }
      }
      const tooMany = repeatedIn(await ask(name, [...samples, text, text]), filler)
      if (tooMany > MOST_REPEATED) flooded.push(`${name}, one more: ${tooMany}`)
    }
  }
  expect([...new Set(flooded)]).toEqual([])
})

test.each(LENGTHS)('no error repeats much of %d characters in a name or in the envelope', async (length) => {
  const ask = await asker()
  for (const filler of FILLERS) {
    const text = longText(filler, length)
    for (const [method, params] of [
      [text, []],
      ['eth_chainId', text],
      ['eth_chainId', { [text]: 1 }],
      ['eth_subscribe', [text]],
      ['eth_subscribe', ['newPartialBlocks', text]],
      ['eth_subscribe', ['logs', { address: text }]],
      ['eth_subscribe', ['logs', { topics: [text] }]],
      ['eth_getFilterChanges', [text]],
    ] as const) {
      const error = await ask(method, params)
      expect(error).not.toBe('')
      expect(repeatedIn(error, filler), `${method.slice(0, 20)} ${error.slice(0, 300)}`).toBeLessThanOrEqual(
        MOST_REPEATED,
      )
    }
  }
})
