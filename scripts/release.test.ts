import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { NAMED, notesOf, released, renamed } from './release.mjs'

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n- a\n\n## 0.1.0, 2026-01-02\n\n- b\n- c\n'

test('a release puts the unreleased changes under its version and date', () => {
  const text = released(CHANGELOG, '0.2.0', '2026-02-03')
  expect(notesOf(text, 'Unreleased')).toBe('')
  expect(text).toContain('\n## 0.2.0, 2026-02-03\n')
  expect(notesOf(text, '0.2.0')).toBe('- a')
  expect(notesOf(text, '0.1.0')).toBe('- b\n- c')
})

test('a release without changes is refused', () => {
  const text = released(CHANGELOG, '0.2.0', '2026-02-03')
  expect(() => released(text, '0.3.0', '2026-03-04')).toThrow('nothing under “Unreleased”')
})

test('the notes of a version that the changelog does not know are empty', () => {
  expect(notesOf(CHANGELOG, '0.1')).toBe('')
  expect(notesOf(CHANGELOG, '9.9.9')).toBe('')
})

test('a version is replaced wherever it stands in its place, and nowhere else', () => {
  const text = 'blinknet-0.1.0.tgz, blinknet-1.2.3-beta.1.tgz, blinknet-code-, other-0.1.0.tgz'
  expect(renamed(text, 'blinknet-', '.tgz', '2.0.0')).toBe(
    'blinknet-2.0.0.tgz, blinknet-2.0.0.tgz, blinknet-code-, other-0.1.0.tgz',
  )
  expect(() => renamed('blinknet-code-', 'blinknet-', '.tgz', '2.0.0')).toThrow('no version stands')
})

test('all files that name the version name that of package.json', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  for (const [file, before, after] of NAMED) {
    const text = readFileSync(file, 'utf8')
    expect(renamed(text, before, after, version), file).toBe(text)
  }
})
