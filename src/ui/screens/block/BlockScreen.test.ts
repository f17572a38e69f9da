import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import { parseBlockId } from './BlockScreen.tsx'

test('blocks are named by number, hash or tag', () => {
  expect(parseBlockId('127')).toEqual({ kind: 'number', number: 127 })
  expect(parseBlockId(toWord(255).toUpperCase().replace('0X', '0x'))).toEqual({ kind: 'hash', hash: toWord(255) })
  expect(parseBlockId('latest')).toEqual({ kind: 'tag', tag: 'latest' })
})

test('anything else is not a block', () => {
  for (const text of ['', '-1', '0x12', '1.5', 'genesis', '9'.repeat(16)]) expect(parseBlockId(text)).toBeUndefined()
})
