/** A step of a test, as its reporter has it. */
export interface RecordedStep {
  readonly title: string
  /** Playwright's word for what it is: `test.step`, `expect`, `pw:api`, `hook`, `fixture` … */
  readonly category: string
  /** Milliseconds since the Unix epoch. */
  readonly startedAtMs: number
  /** Milliseconds; -1 if it did not end. */
  readonly tookMs: number
  /** What it failed with; empty if it did not. */
  readonly error: string
  /** `file:line` in the test; empty if it is not known. */
  readonly place: string
  /**
   * How many partial blocks of each chain the test's process had seen when it ended, so that none is shown that came a
   * moment later. Empty if that is not known.
   */
  readonly seen: readonly number[]
  readonly steps: readonly RecordedStep[]
}

/** What a test failed with. */
export interface RecordedError {
  readonly message: string
  readonly stack: string
  /** Lines of code around its place; empty if they are not known. */
  readonly snippet: string
}

/** A line of a page's console, or an error that a page did not catch (`pageerror`). */
export interface RecordedLine {
  readonly atMs: number
  readonly kind: string
  readonly text: string
}

/** What a page looked like. */
export interface RecordedPicture {
  readonly atMs: number
  readonly name: string
  readonly type: 'image/jpeg' | 'image/png'
  readonly base64: string
}

/** A partial block, when the test's process learned of it. */
export interface SeenPartial {
  readonly atMs: number
  readonly number: number
  readonly index: number
  /** The beginning of its hash: enough to know it again. */
  readonly hash: string
  /** Transactions of the block so far. */
  readonly transactions: number
  /** Whether partial blocks of this block were withdrawn since the one before. */
  readonly withdrawn: boolean
}

/** A chain of a test, besides its file. */
export interface RecordedChain {
  readonly name: string
  /** How many came before those that are kept. */
  readonly skipped: number
  /** In the order in which they came. */
  readonly partials: readonly SeenPartial[]
}

/** What a test that failed tells of its run. */
export interface TestRecord {
  /** Titles of its file, its groups and itself. */
  readonly titles: readonly string[]
  readonly project: string
  /** `file:line` */
  readonly place: string
  readonly status: string
  /** Counts from 0. */
  readonly retry: number
  /** Milliseconds since the Unix epoch. */
  readonly startedAtMs: number
  readonly tookMs: number
  readonly errors: readonly RecordedError[]
  readonly steps: readonly RecordedStep[]
  readonly lines: readonly RecordedLine[]
  readonly pictures: readonly RecordedPicture[]
  readonly chains: readonly RecordedChain[]
}

/** What a record may hold, so that a file of it opens anywhere: the first of each, but the newest lines, pictures and partial blocks. */
export const RECORD_LIMITS = {
  /** Characters of a title, a name or a place. */
  name: 500,
  /** Characters of a message, a stack, or a line of the console. */
  text: 20_000,
  titles: 20,
  errors: 20,
  steps: 5_000,
  depth: 20,
  lines: 2_000,
  /** Characters of all lines. */
  lineCharacters: 1_000_000,
  pictures: 200,
  /** Characters of all pictures, in base64. */
  pictureCharacters: 8_000_000,
  chains: 16,
  partials: 20_000,
} as const

/** What colours a terminal, and other commands to one. */
// oxlint-disable-next-line no-control-regex -- the characters that begin them
const TERMINAL = /[\u001b\u009b](?:[[\]()#;?]*(?:\d{1,4}(?:;\d{0,4})*)?[\dA-ORZcf-nqry=><~])/g
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * A record within its limits, of a value of any kind: what is missing is empty, what is too long is cut, and nothing in it
 * commands a terminal. What it returns, it returns again.
 */
export function cleanRecord(value: unknown): TestRecord {
  const given = objectOf<TestRecord>(value)
  const budget = { steps: RECORD_LIMITS.steps as number }
  return {
    titles: listOf(given.titles).slice(0, RECORD_LIMITS.titles).map(name),
    project: name(given.project),
    place: name(given.place),
    status: name(given.status),
    retry: number(given.retry, 0),
    startedAtMs: number(given.startedAtMs, 0),
    tookMs: number(given.tookMs, -1),
    errors: listOf(given.errors).slice(0, RECORD_LIMITS.errors).map(cleanError),
    steps: cleanSteps(given.steps, 1, budget),
    lines: newestWithin(
      listOf(given.lines).slice(-RECORD_LIMITS.lines).map(cleanLine),
      ({ text: { length } }) => length,
      RECORD_LIMITS.lineCharacters,
    ),
    pictures: newestWithin(
      listOf(given.pictures).map(cleanPicture).filter(isPicture).slice(-RECORD_LIMITS.pictures),
      ({ base64 }) => base64.length,
      RECORD_LIMITS.pictureCharacters,
    ),
    chains: listOf(given.chains).slice(0, RECORD_LIMITS.chains).map(cleanChain),
  }
}

function cleanError(value: unknown): RecordedError {
  const given = objectOf<RecordedError>(value)
  return { message: text(given.message), stack: text(given.stack), snippet: text(given.snippet) }
}

function cleanSteps(value: unknown, depth: number, budget: { steps: number }): readonly RecordedStep[] {
  if (depth > RECORD_LIMITS.depth) return []
  const steps: RecordedStep[] = []
  for (const each of listOf(value)) {
    if (budget.steps <= 0) break
    budget.steps--
    const given = objectOf<RecordedStep>(each)
    steps.push({
      title: name(given.title),
      category: name(given.category),
      startedAtMs: number(given.startedAtMs, 0),
      tookMs: number(given.tookMs, -1),
      error: text(given.error),
      place: name(given.place),
      seen: listOf(given.seen)
        .slice(0, RECORD_LIMITS.chains)
        .map((count) => number(count, 0)),
      steps: cleanSteps(given.steps, depth + 1, budget),
    })
  }
  return steps
}

function cleanLine(value: unknown): RecordedLine {
  const given = objectOf<RecordedLine>(value)
  return { atMs: number(given.atMs, 0), kind: name(given.kind), text: text(given.text) }
}

function cleanPicture(value: unknown): RecordedPicture | undefined {
  const { atMs, name: called, type, base64 } = objectOf<RecordedPicture>(value)
  if (type !== 'image/jpeg' && type !== 'image/png') return undefined
  if (typeof base64 !== 'string' || base64.length > RECORD_LIMITS.pictureCharacters || !BASE64.test(base64)) {
    return undefined
  }
  return { atMs: number(atMs, 0), name: name(called), type, base64 }
}

const isPicture = (picture: RecordedPicture | undefined): picture is RecordedPicture => picture !== undefined

function cleanChain(value: unknown): RecordedChain {
  const given = objectOf<RecordedChain>(value)
  const all = listOf(given.partials)
  const partials = all.slice(-RECORD_LIMITS.partials)
  return {
    name: name(given.name),
    skipped: number(given.skipped, 0) + all.length - partials.length,
    partials: partials.map((each) => {
      const seen = objectOf<SeenPartial>(each)
      return {
        atMs: number(seen.atMs, 0),
        number: number(seen.number, 0),
        index: number(seen.index, 0),
        hash: name(seen.hash),
        transactions: number(seen.transactions, 0),
        withdrawn: seen.withdrawn === true,
      }
    }),
  }
}

/** The newest of a list whose sizes stay within a sum. */
function newestWithin<Item>(items: readonly Item[], sizeOf: (item: Item) => number, most: number): readonly Item[] {
  let left = most
  let first = items.length
  while (first > 0) {
    left -= sizeOf(items[first - 1] as Item)
    if (left < 0) break
    first--
  }
  return items.slice(first)
}

function objectOf<Shape extends object>(value: unknown): Partial<Record<keyof Shape, unknown>> {
  return typeof value === 'object' && value !== null ? value : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function number(value: unknown, otherwise: number): number {
  // JSON writes 0 for -0.
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : otherwise
}

function name(value: unknown): string {
  return cut(value, RECORD_LIMITS.name)
}

function text(value: unknown): string {
  return cut(value, RECORD_LIMITS.text)
}

/** Never splits a surrogate pair, and has no lone ones, which UTF-8 does not know. */
function cut(value: unknown, longest: number): string {
  if (typeof value !== 'string') return ''
  // A bound on what the pattern reads; commands to terminals are most of few texts.
  let plain = value.slice(0, 4 * longest)
  for (let before = ''; before !== plain; ) {
    before = plain
    plain = plain.replaceAll(TERMINAL, '')
  }
  const kept = plain.length <= longest ? plain : `${plain.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`
  return kept.replaceAll(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
}
