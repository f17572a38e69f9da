// The cost of a page while it is watched: the tasks of its own thread by kind, from Chromium's trace, and the CPU time
// of Chromium's processes.
import { cpus } from 'node:os'

/**
 * Milliseconds. `wall` goes on while other threads have the processor, `cpu` does not.
 *
 * @typedef {{ wall: number, cpu: number }} Task
 * @typedef {{ script: number, layout: number, paint: number, rest: number }} Parts
 *
 * `parts`: processor time of the page's own thread. `processes`: of Chromium, by type. `others`: of all other programs.
 * All in milliseconds a second.
 *
 * @typedef {{ tasks: readonly Task[], parts: Parts, processes: Readonly<Record<string, number>>, others: number }}
 * PageCost
 * @typedef {{ name: string, ph: string, pid: number, tid: number, ts: number, dur?: number, tdur?: number, args?: {
 * name?: string } }} TraceEvent
 */

const CATEGORIES = ['toplevel', 'v8', 'devtools.timeline', 'disabled-by-default-devtools.timeline']

/** The first match gives the kind of a trace event; events without a match are the browser's own. */
const PARTS = /** @type {const} */ ([
  ['layout', /^(UpdateLayoutTree|Layout|ScheduleStyleRecalculation|InvalidateLayout|HitTest|ParseAuthorStyleSheet)$/],
  ['paint', /^(PrePaint|Paint|PaintImage|Layerize|UpdateLayer|Commit|Decode Image|Draw LazyPixelRef)$/],
  [
    'script',
    /^(v8\.|V8\.|Function ?Call|EvaluateScript|TimerFire|EventDispatch|FireAnimationFrame|HandlePostMessage|MinorGC|MajorGC|BlinkScheduler_PerformMicrotaskCheckpoint|RunMicrotasks)/,
  ],
])

/** @param {string} name @returns {keyof Parts} */
function partOf(name) {
  return PARTS.find(([, pattern]) => pattern.test(name))?.[0] ?? 'rest'
}

/**
 * Watches a page while `run` goes on.
 *
 * @template Result
 * @param {import('@playwright/test').Page} page
 * @param {() => Promise<Result>} run
 * @returns {Promise<{ result: Result, cost: PageCost }>}
 */
export async function watchPage(page, run) {
  const browser = page.context().browser()
  if (!browser) throw new Error('the page has no browser of its own')
  const cdp = await browser.newBrowserCDPSession()
  await browser.startTracing(page, { categories: CATEGORIES })
  const before = await usage(cdp)
  const result = await run()
  const after = await usage(cdp)
  const trace = await browser.stopTracing()
  await cdp.detach()
  const seconds = (after.atMs - before.atMs) / 1_000
  const { tasks, parts } = pageThread(JSON.parse(trace.toString('utf8')).traceEvents)
  const processes = Object.fromEntries(
    Object.entries(after.processes).map(([type, ms]) => [type, (ms - (before.processes[type] ?? 0)) / seconds]),
  )
  const chromium = Object.values(processes).reduce((sum, ms) => sum + ms, 0)
  return {
    result,
    cost: {
      tasks,
      parts: /** @type {Parts} */ (Object.fromEntries(Object.entries(parts).map(([part, ms]) => [part, ms / seconds]))),
      processes,
      others: Math.max(0, (after.busyMs - before.busyMs) / seconds - chromium),
    },
  }
}

/** @param {import('@playwright/test').CDPSession} cdp */
async function usage(cdp) {
  /** @type {Record<string, number>} */
  const processes = {}
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo')
  for (const { type, cpuTime } of processInfo) processes[type] = (processes[type] ?? 0) + cpuTime * 1_000
  const busyMs = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
  return { atMs: performance.now(), processes, busyMs }
}

/** The page's thread is the busiest of those that could be one. @param {readonly TraceEvent[]} events */
function pageThread(events) {
  const threads = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(threadOf),
  )
  /** @type {Map<string, TraceEvent[]>} */
  const spans = new Map()
  for (const event of events) {
    if (event.ph !== 'X' || event.tdur === undefined || !threads.has(threadOf(event))) continue
    const known = spans.get(threadOf(event))
    if (known) known.push(event)
    else spans.set(threadOf(event), [event])
  }
  const costs = [...spans.values()].map(costOf)
  const [page] = costs.toSorted((a, b) => cpuOf(b.tasks) - cpuOf(a.tasks))
  if (!page) throw new Error('the trace has nothing of the page’s thread')
  return page
}

/** @param {TraceEvent} event */
function threadOf({ pid, tid }) {
  return `${pid} ${tid}`
}

/** @param {readonly Task[]} tasks */
function cpuOf(tasks) {
  return tasks.reduce((sum, { cpu }) => sum + cpu, 0)
}

/**
 * Spans of a thread are nested: each one's own time is its duration without the spans inside it.
 *
 * @param {readonly TraceEvent[]} spans
 */
function costOf(spans) {
  /** @type {Task[]} */
  const tasks = []
  const parts = { script: 0, layout: 0, paint: 0, rest: 0 }
  /** Ends of the spans that are open, in microseconds, and what they are. @type {{ end: number, part: keyof Parts }[]} */
  const open = []
  for (const { name, ts, dur = 0, tdur = 0 } of spans.toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))) {
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= ts) open.pop()
    const outer = open.at(-1)
    const part = partOf(name)
    if (outer) parts[outer.part] -= tdur / 1_000
    else tasks.push({ wall: dur / 1_000, cpu: tdur / 1_000 })
    parts[part] += tdur / 1_000
    open.push({ end: ts + dur, part })
  }
  return { tasks, parts }
}
