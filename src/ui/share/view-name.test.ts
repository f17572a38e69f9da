import { expect, test } from 'vitest'
import { viewedTransaction, viewName } from './view-name.ts'

const HASH = `0x${'aB'.repeat(32)}`

test('a view has the name of what it shows', () => {
  expect(viewName(`/tx/${HASH}/receipt`)).toBe('This transaction')
  expect(viewName('/block/7')).toBe('This block')
  expect(viewName('/address/0x12')).toBe('This account')
  expect(viewName(`/tx/${HASH}/debug`)).toBe('This view')
  expect(viewName('/')).toBe('This view')
})

test('only the screens of a transaction are about one', () => {
  expect(viewedTransaction(`/tx/${HASH}`)).toBe(HASH.toLowerCase())
  expect(viewedTransaction(`/tx/${HASH}/gas`)).toBe(HASH.toLowerCase())
  expect(viewedTransaction(`/tx/${HASH}0`)).toBeUndefined()
  expect(viewedTransaction('/block/0x12')).toBeUndefined()
})
