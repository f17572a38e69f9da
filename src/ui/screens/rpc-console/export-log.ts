import type { Kept, LoggedCall } from '#client/call-log.ts'

const LEFT_OUT = '(too large to be kept)'

/** The calls as a JSON text for other programs: what was asked, what came back, when, and how long it took. */
export function exportCalls(calls: readonly LoggedCall[]): string {
  return JSON.stringify(calls.map(exportCall), undefined, 2)
}

function exportCall({ id, source, method, params, startedAtMs, outcome }: LoggedCall) {
  const head = {
    id,
    source,
    startedAt: new Date(startedAtMs).toISOString(),
    request: { method, params: plain(params) },
  }
  switch (outcome.status) {
    case 'waiting':
      return { ...head, response: null }
    case 'answered':
      return { ...head, tookMs: outcome.tookMs, response: { result: plain(outcome.result) } }
    case 'failed': {
      const { code, message, data, tookMs } = outcome
      const hasData = !data.kept || data.value !== undefined
      return { ...head, tookMs, response: { error: { code, message, ...(hasData && { data: plain(data) }) } } }
    }
  }
}

function plain(kept: Kept): unknown {
  return kept.kept ? kept.value : LEFT_OUT
}
