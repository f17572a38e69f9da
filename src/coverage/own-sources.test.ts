import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanName, isChosen, reportPath } from './own-sources.ts'

test('a source has a path in reports that leads nowhere else, whatever it is named', () => {
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom('..', '.', '', '/', '\\', 'C:', '\0', '...', ' .. ', 'a\nb', '<b>', '.git', '😀'),
  )
  const names = fc.array(
    fc.array(part, { maxLength: 40 }).map((parts) => parts.join('/')),
    { maxLength: 6 },
  )
  fc.assert(
    fc.property(names, (sources) => {
      const taken = new Set<string>()
      const paths = sources.map((source) => reportPath(source, taken))
      expect(new Set(paths.map((each) => each.toLowerCase())).size).toBe(paths.length)
      for (const each of paths) {
        expect(each).toMatch(/^[\w.@ +/-]+$/)
        expect(path.resolve('/out', each).startsWith('/out/')).toBe(true)
        expect(path.posix.normalize(each)).toBe(each)
        expect(each.length).toBeLessThan(3_000)
      }
    }),
  )
})

test('paths of two sources that would be one file are told apart, and plain ones stay as they are', () => {
  const taken = new Set<string>()
  expect(reportPath('src/Ledger.sol', taken)).toBe('src/Ledger.sol')
  expect(reportPath('src/ledger.sol', taken)).toBe('src/ledger.sol.2')
  expect(reportPath('../src/Ledger.sol', taken)).toBe('src/Ledger.sol.3')
  expect(reportPath('../../../etc/passwd', taken)).toBe('etc/passwd')
  expect(reportPath('', taken)).toBe('source')
})

test('a name keeps what an identifier or a signature has, and nothing else', () => {
  expect(cleanName('pay(uint256,(address,bool)[])')).toBe('pay(uint256,(address,bool)[])')
  expect(cleanName('<img src=x onerror=alert(1)>')).not.toMatch(/[<>=]/)
  expect(cleanName('\u202e')).toBe('?')
  expect(cleanName('a'.repeat(10_000))).toHaveLength(200)
})

test('patterns name folders, files, parts of names and any number of folders', () => {
  const chosen = (pattern: string, source: string) => isChosen(source, { include: [pattern] })
  expect(chosen('src', 'src/a/B.sol')).toBe(true)
  expect(chosen('src/', 'src/B.sol')).toBe(true)
  expect(chosen('src', 'srcs/B.sol')).toBe(false)
  expect(chosen('src/*.sol', 'src/B.sol')).toBe(true)
  expect(chosen('src/*.sol', 'src/a/B.sol')).toBe(false)
  expect(chosen('**/mocks/**', 'src/a/mocks/b/B.sol')).toBe(true)
  expect(chosen('**/*.t.sol', 'B.t.sol')).toBe(true)
  expect(chosen('src/**/B*.sol', 'src/x/y/Bank.sol')).toBe(true)
  expect(chosen('src/**/B*.sol', 'src/Bank.sol')).toBe(true)
  expect(chosen('**/C.sol', 'src/B.sol')).toBe(false)
  expect(chosen('a*b*c', 'abc')).toBe(true)
  expect(chosen('a*bc*c', 'abc')).toBe(false)
})

test('a pattern takes no time that grows with its stars', () => {
  const source = `${'a/'.repeat(500)}${'a'.repeat(500)}`
  const pattern = `${'**/a*/'.repeat(200)}${'*a'.repeat(200)}b`
  expect(isChosen(source, { include: [pattern] })).toBe(false)
})
