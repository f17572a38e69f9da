import { expect, test } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import { toWord } from '#primitives/hex.ts'
import type { Build } from '#solidity/build/build.ts'
import { readSettings } from '#solidity/build/read-standard-json.ts'
import { valueText } from './value-text.ts'

const settings = readSettings(undefined)
const BUILD: Build = { id: '', compiler: '', language: 'Solidity', settings, sources: [], contracts: [] }
const word = (value: number) => toWord(value).slice(2)
const read = (typeId: string, memory: Hex = '0x', at = '0x0' as Hex) =>
  valueText(typeId, [at], { build: BUILD, memory, input: '0x', pathAt: () => undefined })

test('types that only a hostile AST has are unknown', () => {
  expect(read('t_int256')).toBe('0')
  expect(read(`t_int${'9'.repeat(400)}`)).toBeUndefined()
  expect(read(`t_uint${2 ** 53}`)).toBeUndefined()
  expect(read('t_array$_t_bool_$dyn_memory_ptr'.repeat(10_000))).toBeUndefined()
  expect(read(`${'t_array$_'.repeat(10_000)}t_bool${'_$dyn_memory_ptr'.repeat(10_000)}`)).toBeUndefined()
})

test('the text of an array is bounded, even if all of its items are the same long string', () => {
  const items = 64
  // An array whose items are all the same array, whose items are all the same string.
  const list = (at: number) => word(items) + word(at).repeat(items)
  const bytes = 32 * (items + 1)
  const text = `${word(4_000)}${'ff'.repeat(4_000)}`
  const memory: Hex = `0x${list(bytes)}${list(2 * bytes)}${text}`
  const listType = 't_array$_t_bytes_memory_ptr_$dyn_memory_ptr'
  expect(read(listType, memory, `0x${bytes.toString(16)}`)).toMatch(/^\[0xff{4000,}…$/)
  // More values than the limit.
  expect(read(`t_array$_${listType}_$dyn_memory_ptr`, memory)).toBeUndefined()
})
