import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ownFolder } from './compiled-code.ts'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'blinknet-code-test-'))
})
afterEach(() => rmSync(parent, { recursive: true }))

const folder = () => path.join(parent, `blinknet-code-${process.getuid?.()}`)

test('compiled code is kept in a folder that only its user can write to, again at the next start', () => {
  expect(ownFolder(parent)).toBe(folder())
  expect(statSync(folder()).mode & 0o777).toBe(0o700)
  expect(ownFolder(parent)).toBe(folder())
})

test('a folder that others can write to is not used', () => {
  mkdirSync(folder())
  chmodSync(folder(), 0o777)
  expect(ownFolder(parent)).toBeUndefined()
})

test('neither is what leads elsewhere, nor a file', () => {
  symlinkSync(tmpdir(), folder())
  expect(ownFolder(parent)).toBeUndefined()
  rmSync(folder())
  writeFileSync(folder(), '')
  expect(ownFolder(parent)).toBeUndefined()
})

test('without a folder for temporary files there is none, and none is made', () => {
  const missing = path.join(parent, 'missing')
  expect(ownFolder(missing)).toBeUndefined()
  expect(existsSync(missing)).toBe(false)
  expect(ownFolder(path.join(parent, 'file\0'))).toBeUndefined()
})
