import { expect, test } from 'vitest'
import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import type { BuildToRead } from '#client/solidity-reader.ts'
import type { Address, Hex } from '#primitives/hex.ts'
import { type CodeAt, createNodeBuilds, MAX_ASKED_CODES, MAX_NODE_BUILDS } from './node-builds.ts'

const codeAt = (n: number): CodeAt => ({
  address: `0x${n.toString(16).padStart(40, '0')}`,
  code: `0x60${n.toString(16).padStart(4, '0')}`,
  isCreation: false,
})

/** A node's answer: a build that has some codes. */
const buildOf = (...codes: readonly Hex[]) => ({ compiler: '0.8.30', input: { codes }, output: {} })

type Asked = Address | { readonly initcode: Hex }

/** A node, and a reader that finds a code wherever the texts of a build name it. */
function setUp(answer: (of: Asked) => unknown, mostBytes?: number) {
  const asked: Asked[] = []
  const request = async ({ method, params }: { readonly method: string; readonly params: readonly [Asked] }) => {
    if (method !== 'devnet_getBuild') throw new Error(`${method} was not expected`)
    asked.push(params[0])
    return answer(params[0])
  }
  const unknown = async (builds: readonly BuildToRead[], codes: readonly { readonly code: Hex }[]) => {
    const texts = await Promise.all(builds.map(async ({ read }) => new TextDecoder().decode(await read())))
    return codes.flatMap(({ code }, i) => (texts.some((text) => text.includes(code)) ? [] : [i]))
  }
  return { asked, builds: createNodeBuilds({ request } as unknown as BlinknetProvider, unknown, mostBytes) }
}

test('the node is asked only for codes that nothing has, and once for a build that has several', async () => {
  const [one, two, three] = [codeAt(1), codeAt(2), codeAt(3)]
  const { asked, builds } = setUp(() => buildOf(two.code, three.code))
  const kept = [{ id: 'kept', read: async () => new TextEncoder().encode(one.code) }]
  const found = await builds.find(kept, [one, two, three, { ...codeAt(4), code: '0x' }])
  expect(asked).toEqual([two.address])
  expect(found.map(({ id }) => id)).toEqual(['kept', expect.stringContaining('of a node') as string])
  const [compiler, input, output] = JSON.parse(new TextDecoder().decode(await found[1]?.read())) as string[]
  expect([compiler, JSON.parse(input ?? ''), JSON.parse(output ?? '')]).toEqual([
    '0.8.30',
    { codes: [two.code, three.code] },
    {},
  ])
  expect(builds.read(found[1]?.id ?? '')).toEqual(await found[1]?.read())
  expect(builds.read('kept')).toBeUndefined()
  expect(await builds.find(kept, [three])).toHaveLength(2)
  expect(asked).toHaveLength(1)
})

test('the build of a contract whose creation failed is asked for by its initcode', async () => {
  const created = { ...codeAt(7), isCreation: true }
  const { asked, builds } = setUp(() => buildOf(created.code))
  expect(await builds.find([], [created])).toHaveLength(1)
  expect(asked).toEqual([{ initcode: created.code }])
})

test('questions at the same time ask once for the same build', async () => {
  const { asked, builds } = setUp(() => buildOf(codeAt(1).code))
  await Promise.all([builds.find([], [codeAt(1)]), builds.find([], [codeAt(1)])])
  expect(asked).toHaveLength(1)
})

test('a node that knows no build, lacks the method, or gives an invalid answer takes nothing from the others', async () => {
  const refusals: readonly ((of: Asked) => unknown)[] = [
    () => null,
    () => {
      throw new ProviderRpcError(-32601, 'the method does not exist')
    },
    () => {
      throw new ProviderRpcError(-32603, 'the chain’s answer to devnet_getBuild is invalid')
    },
  ]
  for (const answer of refusals) {
    const { asked, builds } = setUp(answer)
    expect(await builds.find([], [codeAt(1), codeAt(2)])).toEqual([])
    expect(asked).toHaveLength(2)
  }
})

test('a lost connection is an error of its question alone', async () => {
  let isLost = true
  const { builds } = setUp(() => {
    if (isLost) throw new ProviderRpcError(4900, 'the connection is lost')
    return buildOf(codeAt(1).code)
  })
  await expect(builds.find([], [codeAt(1)])).rejects.toMatchObject({ code: 4900 })
  isLost = false
  expect(await builds.find([], [codeAt(1)])).toHaveLength(1)
})

test('a hostile node fills no memory and overflows no stack', async () => {
  const many = Array.from({ length: 100 }, (_, i) => codeAt(i))
  const endless = setUp(() => buildOf('0x00'))
  expect(await endless.builds.find([], many)).toHaveLength(MAX_NODE_BUILDS)
  expect(endless.asked).toHaveLength(MAX_ASKED_CODES)

  const half = 'x'.repeat(1_000)
  const large = setUp((address) => ({ ...buildOf('0x00'), input: { half, address } }), 2_000)
  expect(await large.builds.find([], many.slice(0, 3))).toHaveLength(1)
  const largest = setUp(() => ({ ...buildOf('0x00'), input: { half, again: half } }), 2_000)
  expect(await largest.builds.find([], many.slice(0, 1))).toEqual([])

  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  const nested = setUp(() => ({ ...buildOf('0x00'), output: { deep } }))
  expect(await nested.builds.find([], many.slice(0, 1))).toEqual([])
})
