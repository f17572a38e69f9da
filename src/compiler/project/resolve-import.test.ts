import { expect, test } from 'vitest'
import { parseRemappings, remappingText, resolveImport } from './resolve-import.ts'

const NONE = [] as const

test('a relative path starts at the folder of the importing source, and never leads out of the root', () => {
  expect(resolveImport('./b.sol', 'a.sol', NONE)).toBe('b.sol')
  expect(resolveImport('./x/../b.sol', 'src/a.sol', NONE)).toBe('src/b.sol')
  expect(resolveImport('../b.sol', 'src/token/a.sol', NONE)).toBe('src/b.sol')
  expect(resolveImport('../../../../b.sol', 'src/a.sol', NONE)).toBe('b.sol')
  expect(resolveImport('.//b.sol', '@oz/contracts/a.sol', NONE)).toBe('@oz/contracts/b.sol')
})

test('any other path is a name', () => {
  expect(resolveImport('src/../b.sol', 'src/a.sol', NONE)).toBe('src/../b.sol')
  expect(resolveImport('.hidden/b.sol', 'src/a.sol', NONE)).toBe('.hidden/b.sol')
})

test('of remappings, the longest context and then the longest prefix applies, and of equal ones the last', () => {
  const remappings = parseRemappings(`
    # mine
    oz/=lib/oz/
    oz/token/=lib/tokens/
    src/old/:oz/=lib/oz-4/
    a/=one/
    a/=two/
    not a remapping
    =nothing
  `)
  expect(remappings.map(remappingText)).toEqual([
    'oz/=lib/oz/',
    'oz/token/=lib/tokens/',
    'src/old/:oz/=lib/oz-4/',
    'a/=one/',
    'a/=two/',
  ])
  expect(resolveImport('oz/a.sol', 'src/x.sol', remappings)).toBe('lib/oz/a.sol')
  expect(resolveImport('oz/token/a.sol', 'src/x.sol', remappings)).toBe('lib/tokens/a.sol')
  expect(resolveImport('oz/token/a.sol', 'src/old/x.sol', remappings)).toBe('lib/oz-4/token/a.sol')
  expect(resolveImport('a/b.sol', 'src/x.sol', remappings)).toBe('two/b.sol')
  expect(resolveImport('./b.sol', 'oz/x.sol', remappings)).toBe('lib/oz/b.sol')
})
