import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { DemandPool } from './demand-pool.ts'
import { ServedPaths } from './served-paths.ts'

/** Chains that answer by their names; those of the pool by the path that made them. */
function setUp() {
  const named = (name: string, chainId: number) => ({ name, chainId, node: new FakeEndpoint({ which: () => name }) })
  const chains = new DemandPool({ clock: new FakeClock(), size: 1_000_000, idleMs: 1_000, log() {} })
  const pool = {
    chains,
    size: 1_000_000,
    idleSeconds: 1,
    make: async (_like: unknown, key: string) => {
      const endpoint = new FakeEndpoint({ which: () => `pool ${key}` })
      const node = { connect: endpoint.connect.bind(endpoint), start() {}, close: async () => {} }
      return { node, close: async () => {} }
    },
  }
  return { paths: new ServedPaths([named('l1', 1), named('base', 8453)], pool), chains }
}

const PARTS = [
  'l1',
  'base',
  '1',
  '8453',
  'pool',
  'rpc',
  'x',
  'tx',
  '',
  '.',
  '..',
  '%2e%2e',
  'a%20b',
  '__proto__',
  '"><b>',
]
const part = fc.oneof(fc.constantFrom(...PARTS), fc.string({ maxLength: 70 }))
const target = fc
  .tuple(
    fc.constantFrom('', 'http://127.0.0.1:8545', 'HTTP://x', '//'),
    fc.array(part, { maxLength: 5 }),
    fc.constantFrom('', '?latest=sealed', '?/base', '#/base'),
  )
  .map(([start, parts, end]) => `${start}/${parts.join('/')}${end}`)

const CALL = '{"jsonrpc":"2.0","id":1,"method":"which"}'

test('any target of a request reaches the chain that its path names, or is refused, and no path is markup', async () => {
  const { paths, chains } = setUp()
  await fc.assert(
    fc.asyncProperty(target, async (asked) => {
      const prefix = paths.prefixOf(asked)
      expect(prefix).toMatch(/^(?:\/[\w.~/-]+)?$/)
      const answer = JSON.parse((await paths.at(asked).callers.sealed.handle(CALL)) ?? '{}') as {
        readonly result?: string
        readonly error?: { readonly message: string }
      }
      const { result } = answer
      if (result === undefined) {
        expect(answer.error?.message).toMatch(/chain/)
        return
      }
      if (result.startsWith('pool ')) {
        expect(paths.mayEnd(asked)).toBe(true)
        expect(prefix).toBe(`/pool/${prefix?.split('/')[2]}${prefix?.split('/')[3] ? `/${prefix.split('/')[3]}` : ''}`)
        expect(result.split('/')[0]).toBe(`pool ${prefix?.split('/')[2]}`)
        expect(await paths.end(prefix ?? '')).toBe(true)
        return
      }
      expect(paths.mayEnd(asked)).toBe(false)
      expect(['', '/l1', '/1', '/base', '/8453']).toContain(prefix)
      expect(result).toBe(prefix === '/base' || prefix === '/8453' ? 'base' : 'l1')
    }),
    { numRuns: 2_000 },
  )
  expect(chains.names()).toEqual([])
})
