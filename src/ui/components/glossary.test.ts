import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { GLOSSARY } from './glossary.ts'

const UI = new URL('..', import.meta.url)

test('the glossary has at most fifteen terms, each explained in a few sentences', () => {
  const terms = Object.values(GLOSSARY)
  expect(terms.length).toBeLessThanOrEqual(15)
  expect(new Set(terms.map(({ word }) => word.toLowerCase())).size).toBe(terms.length)
  for (const { word, meaning } of terms) {
    expect(meaning.length, word).toBeLessThanOrEqual(220)
    expect(meaning, word).toMatch(/^[A-Z].*\.$/s)
  }
})

test('the page has one name for the block under construction: the pending block', () => {
  const files = readdirSync(UI, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.test)\.tsx?$/.test(name))
  const offenders = files.flatMap((name) =>
    readFileSync(new URL(name, UI), 'utf8')
      .split('\n')
      .filter((line) => /\blive block|\bprojected\b/i.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  )
  expect(files.length).toBeGreaterThan(300)
  expect(offenders).toEqual([])
})
