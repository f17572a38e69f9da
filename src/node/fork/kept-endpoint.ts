import { harmlessLine } from '#primitives/harmless-line.ts'
import { ForkError } from './fork-error.ts'
import type { Remote } from './state-source.ts'

/** Most characters of what was asked for, in an error. */
const LONGEST = 100

/**
 * Takes the place of the endpoint of a fork that was opened without one: all that was not fetched before is refused.
 *
 * @param name - That of the endpoint.
 */
export function absentEndpoint(name: string): Remote {
  return {
    name,
    isAbsent: true,
    ask(method, [first]) {
      const what = typeof first === 'string' ? `${method} ${harmlessLine(first, LONGEST)}` : method
      const why = `${what} was not asked of ${name} before, and this chain was opened without its endpoint (--fork-url)`
      return Promise.reject(new ForkError(why))
    },
  }
}

/**
 * An endpoint that is asked nothing before it was found to be the right one.
 *
 * @param check - Throws if it is not. It runs again after it failed.
 */
export function confirmedEndpoint(remote: Remote, check: () => Promise<void>): Remote {
  let checked: Promise<void> | undefined
  return {
    get name() {
      return remote.name
    },
    get isAbsent() {
      return remote.isAbsent ?? false
    },
    get looksAhead() {
      return remote.looksAhead ?? true
    },
    async ask(method, params) {
      if (remote.isAbsent) return remote.ask(method, params)
      checked ??= check().catch((error: unknown) => {
        checked = undefined
        throw error
      })
      await checked
      return remote.ask(method, params)
    },
  }
}
