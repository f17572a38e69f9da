import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gzip } from '#client/node/chain-file.ts'
import { UnpackError } from '#client/node/unpack.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'
import { sniffFile } from './sniff-file.ts'

const ADDRESS = '0x00000000000000000000000000000000000000aa'
const encode = (text: string) => new TextEncoder().encode(text)
const pack = async (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(await (await gzip(bytes)).arrayBuffer())
const hexOf = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`

const ANVIL = { block: { number: '0x1' }, accounts: { [ADDRESS]: { nonce: 1, balance: '0x2a' } }, blocks: [] }
const OWN = { format: 'blinknet-state', version: 1, accounts: {} }
const GENESIS = { config: { chainId: 777 }, alloc: { [ADDRESS.slice(2)]: { balance: '42' } }, difficulty: '0x1' }

/** The encodings in which a file may arrive. */
const WRAPPINGS: readonly (readonly [string, (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>])[] =
  [
    ['as it is', async (bytes) => bytes],
    ['with gzip', pack],
    ['with white space around it', async (bytes) => encode(`\n ${new TextDecoder().decode(bytes)}\r\n`)],
    ['in hex', async (bytes) => encode(hexOf(bytes))],
    ['with gzip in hex, as anvil_dumpState answers', async (bytes) => encode(hexOf(await pack(bytes)))],
    ['with gzip in hex in quotes in gzip', async (bytes) => pack(encode(`"${hexOf(await pack(bytes))}"\n`))],
  ]

test.each(WRAPPINGS)('an anvil dump, a state and a genesis are recognized %s', async (_name, wrap) => {
  const sniff = async (value: unknown) => sniffFile(await wrap(encode(JSON.stringify(value))))
  expect(await sniff(ANVIL)).toEqual({ kind: 'anvil-state', state: ANVIL })
  expect(await sniff(OWN)).toEqual({ kind: 'state', state: OWN })
  expect(await sniff(GENESIS)).toEqual({
    kind: 'genesis',
    genesis: GENESIS.alloc,
    chainId: 777,
    unused: ['difficulty'],
  })
})

test('accounts alone are a genesis without a chain id', async () => {
  const alloc = { [ADDRESS]: { balance: '0x1' }, ['AB'.repeat(20)]: {} }
  expect(await sniffFile(encode(JSON.stringify(alloc)))).toEqual({
    kind: 'genesis',
    genesis: alloc,
    chainId: undefined,
    unused: [],
  })
})

test('a chain file is recognized packed and unpacked, and passed on unpacked', async () => {
  const file = Uint8Array.from([...encode('BLINKNET'), 1, 0, 255])
  expect(await sniffFile(file)).toEqual({ kind: 'chain', file })
  expect(await sniffFile(await pack(file))).toEqual({ kind: 'chain', file })
})

test.each([
  ['', 'The file is empty.'],
  ['hello', 'The file is text, but not JSON.'],
  [
    `{"accounts":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    'The file has more than 256 levels of lists and objects within each other.',
  ],
  ['[1, 2]', 'The file is JSON, but it is a list, not an object.'],
  ['7', 'The file is JSON, but it is a number, not an object.'],
  ['null', 'The file is JSON, but it is null, not an object.'],
  ['{}', 'The file is a JSON object with nothing in it.'],
  ['{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7}', 'The file is a JSON object with "a", "b", "c", "d", "e" and 2 more.'],
  ['{"format":"tar"}', 'The file has the format "tar".'],
  ['{"format":"blinknet-state","version":2}', 'The file is a state of version 2. This Blinknet reads version 1.'],
  ['{"alloc":{},"config":{"chainId":"7"}}', 'The file is a genesis, but its "config.chainId" is not a number.'],
])('the error for %j says what was found', async (text, what) => {
  await expect(sniffFile(encode(text))).rejects.toMatchObject({ name: 'ExplainedError', message: what })
})

test('a picture is not a chain', async () => {
  await expect(sniffFile(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a))).rejects.toThrow(
    'neither text nor a Blinknet chain',
  )
})

test('any file is either recognized or refused with a clear message', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.json().map(encode),
        fc.uint8Array({ maxLength: 60 }).map((tail) => Uint8Array.from([0x1f, 0x8b, ...tail])),
      ),
      async (bytes) => {
        const outcome = await sniffFile(new Uint8Array(bytes)).catch((error: unknown) => error)
        const isExpected =
          outcome instanceof ExplainedError || outcome instanceof UnpackError || !(outcome instanceof Error)
        expect(isExpected).toBe(true)
      },
    ),
  )
})
