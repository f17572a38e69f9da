import { expect, test } from 'vitest'
import { changesChain, isPinnable, isRepeatable } from '#rpc-types/effects.ts'
import { EFFECTS } from '#rpc-types/method-tables.derived.ts'
import { findMethod, METHOD_NAMES } from './method-table.ts'

test('the table has every method of the contract; its aliases are never called twice, nor run by themselves', () => {
  expect([...METHOD_NAMES]).toEqual(expect.arrayContaining(Object.keys(EFFECTS)))
  const aliases = METHOD_NAMES.filter((name) => !(name in EFFECTS))
  expect(aliases).toContain('base_transactionStatus')
  expect(aliases.filter((name) => isRepeatable(name) || isPinnable(name) || !changesChain(name))).toEqual([])
})

test('no method that advances, edits or breaks the chain may be called twice', () => {
  const repeatable = Object.keys(EFFECTS).filter(isRepeatable)
  const verbs =
    /_(set|send|mine|tick|seal|reset|revert|reorg|rollback|deal|snapshot|drop|import|load|increase|impersonate|add[A-Z]\w*Balance)/
  expect(repeatable.filter((name) => verbs.test(name))).toEqual(['eth_sendRawTransaction'])
})

test('every method of a file in methods/ is in the table exactly once', () => {
  const files = import.meta.glob<Record<string, unknown>>(['./methods/**/*.ts', '!./methods/**/*.test.ts'], {
    eager: true,
  })
  const records = Object.values(files).flatMap((exported) =>
    Object.entries(exported).filter(([name]) => name.endsWith('_METHODS')),
  )
  const written = records.flatMap(([, methods]) => Object.keys(methods as object))
  expect(written.toSorted()).toEqual(Object.keys(EFFECTS).toSorted())
})

test('a method whose script is loaded with its first call comes with its options', async () => {
  expect(findMethod('trace_filter')).toBeInstanceOf(Promise)
  expect(await findMethod('trace_filter')).toMatchObject({ name: 'trace_filter', queue: 'trace' })
  expect(await findMethod('anvil_reorg')).toMatchObject({ name: 'anvil_reorg', sealsItself: true })
  expect(await findMethod('hardhat_dealERC20')).toMatchObject({ name: 'anvil_dealERC20', queue: 'trace' })
})
