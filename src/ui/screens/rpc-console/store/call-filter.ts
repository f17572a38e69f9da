import type { CallSource, LoggedCall } from '#client/session/call-log.ts'
import { isPinnable } from '#rpc-types/effects.ts'

/** Filter of the call log. */
export interface CallFilter {
  /** `relevant`: all except the page's own reads, unless they failed. */
  readonly source: CallSource | 'all' | 'relevant'
  /** Part of a method's name, or of an error. */
  readonly text: string
  readonly failedOnly: boolean
}

export const NO_FILTER: CallFilter = { source: 'relevant', text: '', failedOnly: false }

/** Names of the sources. */
export const SOURCE_WORDS: Readonly<Record<CallSource, string>> = {
  page: 'page',
  console: 'console',
  script: 'window.devnet',
  wallet: 'wallet',
}

/** The matching calls, in order. */
export function filterCalls(calls: readonly LoggedCall[], filter: CallFilter): readonly LoggedCall[] {
  const text = filter.text.trim().toLowerCase()
  return calls.filter(
    ({ source, method, outcome }) =>
      (filter.source === 'all' ||
        source === filter.source ||
        (filter.source === 'relevant' && (source !== 'page' || outcome.status === 'failed' || !isPinnable(method)))) &&
      (!filter.failedOnly || outcome.status === 'failed') &&
      (method.toLowerCase().includes(text) ||
        (outcome.status === 'failed' && outcome.message.toLowerCase().includes(text))),
  )
}
