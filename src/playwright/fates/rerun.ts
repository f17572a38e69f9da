import { Script } from 'node:vm'
import type { TestInfo } from '@playwright/test'

/** The body of a test, or of a hook before each test. */
type Body = (fixtures: never, info: TestInfo) => unknown
type Call = (...args: readonly unknown[]) => unknown
type Trap = (...args: never[]) => unknown

/** A test whose hooks have run once. */
export interface RepeatableTest {
  /** The body, with the fixtures that Playwright has made for it. */
  body(): Promise<void>
  /** Runs what `beforeEach` has run before the test, once more and in the same order. */
  hooks(): Promise<void>
}

/** Runs the body of a test, perhaps several times. */
export type RunTest = (test: RepeatableTest) => Promise<void>

const runners = new WeakMap<TestInfo, RunTest>()
/** What has run before each test that has a runner. */
const hooksOf = new WeakMap<TestInfo, (() => unknown)[]>()
/** Bodies that look for a runner. */
const lookingBodies = new WeakSet<object>()

/** Has `runner` run the body of a test. To be called before the test begins, such as in a fixture. */
export function runTestBy(info: TestInfo, runner: RunTest): void {
  runners.set(info, runner)
  hooksOf.set(info, [])
}

/** Whether {@link runTestBy} reaches a test: it was declared by a `test` that {@link repeatable} has made. */
export function isRepeatable(info: TestInfo): boolean {
  return lookingBodies.has(info.fn)
}

/**
 * Playwright's `test`, whose bodies {@link runTestBy} can run several times. All else is as it was: each test stands at its
 * own line, for reports and for `file:line`, and asks for the same fixtures.
 */
export function repeatable<Test extends object>(given: Test): Test {
  return withBodies(given, testBody, {
    only: (member) => withBodies(member, testBody),
    // With a title it is a test, otherwise a condition.
    fail: (member) => withBodies(member, testBody, { only: (only) => withBodies(only, testBody) }),
    beforeEach: (member) => withBodies(member, hookBody),
    extend: (member) =>
      new Proxy(member, {
        apply: function extend(target, _self, args: readonly unknown[]): unknown {
          return repeatable(callFrom(extend, target as Call, args) as object)
        },
      }),
  })
}

type Members = Readonly<Record<string, (member: object) => object>>

/** A function that declares tests or hooks, with other bodies. */
function withBodies<Declare extends object>(
  declare: Declare,
  wrap: (body: Body) => Body,
  members: Members = {},
): Declare {
  const made = new Map<PropertyKey, object>()
  return new Proxy(declare, {
    apply: function declared(target, _self, args: readonly unknown[]): unknown {
      const isTest = typeof args[0] === 'string' || wrap === hookBody
      const bodies = args.map((arg) => (isTest && typeof arg === 'function' ? wrap(arg as Body) : arg))
      return callFrom(declared, target as Call, bodies)
    },
    get(target, name, receiver): unknown {
      const member: unknown = Reflect.get(target, name, receiver)
      const wrapMember = typeof name === 'string' && Object.hasOwn(members, name) ? members[name] : undefined
      if (typeof member !== 'function' || !wrapMember) return member
      const known = made.get(name) ?? wrapMember(member)
      made.set(name, known)
      return known
    },
  })
}

function testBody(body: Body): Body {
  const looking = async (fixtures: never, info: TestInfo): Promise<void> => {
    const runner = runners.get(info)
    const run = async (): Promise<void> => void (await body(fixtures, info))
    if (!runner) return run()
    const hooks = async (): Promise<void> => {
      for (const hook of hooksOf.get(info) ?? []) await hook()
    }
    return runner({ body: run, hooks })
  }
  lookingBodies.add(looking)
  return askingFor(body, looking)
}

function hookBody(body: Body): Body {
  return askingFor(body, (fixtures: never, info: TestInfo): unknown => {
    const run = () => body(fixtures, info)
    hooksOf.get(info)?.push(run)
    return run()
  })
}

/** Playwright reads the names of fixtures from a function's text. */
function askingFor(body: Body, wrapped: Body): Body {
  return Object.defineProperty(wrapped, 'toString', { value: () => String(body) })
}

/**
 * Calls a function as if the code that called `trap` had called it itself: Playwright takes the line of its caller for that
 * of the test.
 */
function callFrom(trap: Trap, called: Call, args: readonly unknown[]): unknown {
  const site = callerOf(trap)
  const line = site?.getLineNumber()
  const column = site?.getColumnNumber()
  const filename = site?.getFileName()
  if (!line || !column || !filename) return called(...args)
  const text = `(called, args) =>\n${' '.repeat(column - 1)}called(...args)`
  const call = new Script(text, { filename, lineOffset: line - 2 }).runInThisContext() as (
    f: Call,
    a: typeof args,
  ) => unknown
  return call(called, args)
}

/** Where a function was called, in the code that runs: before source maps. */
function callerOf(called: Trap): NodeJS.CallSite | undefined {
  // Assigned back below, and never called.
  // oxlint-disable-next-line unbound-method
  const { prepareStackTrace, stackTraceLimit } = Error
  const holder: { stack?: NodeJS.CallSite } = {}
  try {
    Error.prepareStackTrace = (_error, [first]) => first
    Error.stackTraceLimit = 1
    Error.captureStackTrace(holder, called)
    return holder.stack
  } finally {
    Error.prepareStackTrace = prepareStackTrace
    Error.stackTraceLimit = stackTraceLimit
  }
}
