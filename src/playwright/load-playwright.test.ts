import { expect, test } from 'vitest'
import { loadPlaywright } from './load-playwright.ts'

test('the project’s own test runner is loaded', () => {
  const { test: runner, expect: matchers } = loadPlaywright()
  expect([typeof runner.extend, typeof matchers.extend]).toEqual(['function', 'function'])
})

test('a project without one is told so in one sentence', () => {
  const load = (name: string): never => {
    throw Object.assign(new Error(`Cannot find module '${name}'\nRequire stack: …`), { code: 'MODULE_NOT_FOUND' })
  }
  const sentence = 'blinknet/playwright needs @playwright/test: npm install --save-dev @playwright/test'
  expect(() => loadPlaywright(load)).toThrow(
    expect.objectContaining({ message: sentence, stack: `Error: ${sentence}` }),
  )
})

test('what is wrong with one that is there is told as it is', () => {
  const broken = Object.assign(new Error("Cannot find module 'playwright-core'"), { code: 'MODULE_NOT_FOUND' })
  expect(() =>
    loadPlaywright(() => {
      throw broken
    }),
  ).toThrow(broken)
})
