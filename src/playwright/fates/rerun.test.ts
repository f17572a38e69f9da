import type { TestInfo } from '@playwright/test'
import { expect, test } from 'vitest'
import { isRepeatable, repeatable, runTestBy } from './rerun.ts'

type Body = (fixtures: object, info: TestInfo) => unknown

/** As Playwright's own: takes the place of its caller, reads the names of fixtures from a body's text, and runs nothing. */
function fakePlaywright() {
  const declared: { name: string; title: unknown; body: Body; line: number; file: string }[] = []
  function declaring(name: string) {
    return (...args: readonly unknown[]) => {
      const { prepareStackTrace, stackTraceLimit } = Error
      const holder: { stack?: NodeJS.CallSite } = {}
      Error.prepareStackTrace = (_error, [, caller]) => caller
      Error.stackTraceLimit = 2
      Error.captureStackTrace(holder)
      const site = holder.stack
      Error.prepareStackTrace = prepareStackTrace
      Error.stackTraceLimit = stackTraceLimit
      const body = args.find((arg) => typeof arg === 'function') as Body
      const line = site?.getLineNumber() ?? 0
      declared.push({ name, title: args[0], body, line, file: String(site?.getFileName()) })
    }
  }
  const fail = Object.assign(declaring('fail'), { only: declaring('fail.only') })
  const members = { only: declaring('only'), fail, beforeEach: declaring('beforeEach'), step: declaring('step') }
  return { declared, given: Object.assign(declaring('test'), members) }
}

const infoOf = (body: Body) => ({ fn: body }) as unknown as TestInfo

test('a test stands at its own line, and asks for its own fixtures', () => {
  const { declared, given } = fakePlaywright()
  const wrapped = repeatable(given)
  const body = async ({ page }: { page?: unknown }) => void page
  given('pays', body)
  wrapped('pays', body)
  wrapped.only('pays alone', body)
  wrapped.beforeEach(body)
  const [line = 0, ...lines] = declared.map((each) => each.line)
  expect(lines).toEqual([line + 1, line + 2, line + 3])
  expect(declared.every(({ file }) => file.endsWith('rerun.test.ts'))).toBe(true)
  expect(declared.map((each) => String(each.body))).toEqual(declared.map(() => String(body)))
  expect(declared.map(({ title }) => title).slice(0, 3)).toEqual(['pays', 'pays', 'pays alone'])
})

test('without a runner a body runs once, with what Playwright gives it', async () => {
  const { declared, given } = fakePlaywright()
  const seen: unknown[] = []
  repeatable(given)('pays', (fixtures: object) => void seen.push(fixtures))
  const [{ body } = { body: () => {} }] = declared
  await body({ page: 1 }, infoOf(body))
  expect(seen).toEqual([{ page: 1 }])
})

test('a runner runs the body as often as it likes, and what ran before each test with it', async () => {
  const { declared, given } = fakePlaywright()
  const wrapped = repeatable(given)
  const seen: string[] = []
  wrapped.beforeEach(() => void seen.push('first hook'))
  wrapped.beforeEach('second', () => void seen.push('second hook'))
  wrapped('pays', (fixtures: object) => void seen.push(`body ${Object.keys(fixtures).join()}`))
  const [first, second, pays] = declared
  if (!first || !second || !pays) throw new Error('three were declared')
  const info = infoOf(pays.body)
  expect(isRepeatable(info)).toBe(true)
  runTestBy(info, async ({ body, hooks }) => {
    await body()
    await hooks()
    await body()
  })
  await first.body({}, info)
  await second.body({}, info)
  await pays.body({ page: 1 }, info)
  const once = ['first hook', 'second hook', 'body page']
  expect(seen).toEqual([...once, ...once])
})

test('the error of a body is the runner’s', async () => {
  const { declared, given } = fakePlaywright()
  repeatable(given)('pays', () => Promise.reject(new Error('no coffee')))
  const [{ body } = { body: () => {} }] = declared
  const info = infoOf(body)
  runTestBy(info, ({ body: run }) => run())
  await expect(body({}, info)).rejects.toThrow('no coffee')
})

test('what declares no test is as it was: conditions, steps, and tests of another `test`', () => {
  const { declared, given } = fakePlaywright()
  const wrapped = repeatable(given)
  const condition = () => true
  wrapped.fail(condition)
  wrapped.step('looks', condition)
  expect(declared.map(({ body }) => body)).toEqual([condition, condition])
  wrapped.fail('is known to fail', condition)
  expect(declared.at(-1)?.body).not.toBe(condition)
  expect(isRepeatable(infoOf(condition))).toBe(false)
})
