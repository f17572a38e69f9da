import { expect, test } from 'vitest'
import { type PackedBuild, packBuild } from '#solidity/worker/pack-build.ts'
import { installFakeIndexedDb } from '#testing/primitives/fake-indexed-db.ts'
import { createMemoryTable, openBuildTable } from './build-table.ts'
import { createBuildStore, MAX_BUILD_TEXT_BYTES, MAX_BUILDS, MAX_BUILDS_BYTES } from './builds.ts'

installFakeIndexedDb()

const textsOf = (n: number) => ['0.8.37', `{"n":${n}}`, `{"ü":${n}}`] as const
const build = (n: number): Promise<PackedBuild> => {
  const [compiler, input, output] = textsOf(n)
  return packBuild({ compiler, input, output })
}

function createStore(openTable = () => openBuildTable('builds')) {
  let now = 0
  return createBuildStore(openTable, () => ++now)
}

test('a build is there again in the next visit, for its chain alone', async () => {
  const store = createStore()
  expect(await store.keepBuild('main', await build(1))).toBe(true)
  expect(store.changes.get()).toBe(1)
  const next = createStore()
  const [kept] = await next.listBuilds('main')
  expect(kept).toMatchObject({ compiler: '0.8.37', deployed: false, savedAtMs: 1 })
  const bytes = await next.readBuild('main', kept?.id ?? '')
  expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(textsOf(1))
  expect(await next.listBuilds('other')).toEqual([])
  expect(await next.readBuild('other', kept?.id ?? '')).toBeUndefined()
})

test('the same build again becomes the newest, and stays marked as deployed', async () => {
  const store = createStore()
  await store.keepBuild('main', await build(1), true)
  await store.keepBuild('main', await build(2))
  await store.keepBuild('main', await build(1))
  const kept = await store.listBuilds('main')
  expect(kept.map(({ savedAtMs, deployed }) => [savedAtMs, deployed])).toEqual([
    [3, true],
    [2, false],
  ])
})

test('with too many builds the newest stay, and deployed ones before others', async () => {
  const store = createStore(async () => createMemoryTable())
  await store.keepBuild('main', await build(0), true)
  await store.keepBuild('other', await build(0))
  for (let n = 1; n <= MAX_BUILDS; n++) await store.keepBuild('main', await build(n))
  const kept = await store.listBuilds('main')
  expect(kept).toHaveLength(MAX_BUILDS)
  expect(kept.at(-1)).toMatchObject({ savedAtMs: 1, deployed: true })
  expect(kept.some(({ savedAtMs }) => savedAtMs === 3)).toBe(false)
  expect(await store.listBuilds('other')).toHaveLength(1)
})

test('builds that are too large together make room for the newest', async () => {
  const table = createMemoryTable()
  const row = { chain: 'main', id: 'big', compiler: '', savedAtMs: 0, deployed: true, bytes: MAX_BUILDS_BYTES - 10 }
  await table.change({ row, texts: new ArrayBuffer(0) }, [])
  const store = createStore(async () => table)
  expect(await store.keepBuild('main', await build(1))).toBe(true)
  expect((await store.listBuilds('main')).map(({ id }) => id)).not.toContain('big')
})

test('builds that come at the same time are all kept', async () => {
  const store = createStore()
  await Promise.all([1, 2, 3].map(async (n) => store.keepBuild('main', await build(n))))
  expect(await store.listBuilds('main')).toHaveLength(3)
})

test('a build with more text than a visit may unpack is not kept', async () => {
  const store = createStore(async () => createMemoryTable())
  expect(await store.keepBuild('main', { ...(await build(1)), textBytes: MAX_BUILD_TEXT_BYTES + 1 })).toBe(false)
  expect(await store.listBuilds('main')).toEqual([])
})
