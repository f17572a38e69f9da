import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DATA_PLACE, isReport, REPORT_BEGINNING, readReport, writeReport } from './report-file.ts'
import { cleanRecord, RECORD_LIMITS, type TestRecord } from './test-record.ts'

const TEMPLATE = `${REPORT_BEGINNING}<html><body>${DATA_PLACE}<script>1</script></body></html>`

/** Texts that break out of what holds them: of elements, of JSON, of terminals, of lines. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '</script><script>alert(1)</script>',
    DATA_PLACE,
    '<!-- data -->',
    '\u001b[31mred\u001b[0m',
    '\u001b]8;;https://evil.example\u0007link',
    '\u202egnp.exe',
    '\ud800',
    "$& $' $`",
    '__proto__',
  ),
)
const time = fc.double({ noNaN: true, noDefaultInfinity: true })
const step = fc.letrec((tie) => ({
  step: fc.record({
    title: hostile,
    category: hostile,
    startedAtMs: time,
    tookMs: time,
    error: hostile,
    place: hostile,
    seen: fc.array(fc.nat(), { maxLength: 3 }),
    steps: fc.oneof({ depthSize: 'small' }, fc.constant([]), fc.array(tie('step'), { maxLength: 3 })),
  }),
})).step
const record = fc.record({
  titles: fc.array(hostile, { maxLength: 4 }),
  project: hostile,
  place: hostile,
  status: hostile,
  retry: fc.nat(),
  startedAtMs: time,
  tookMs: time,
  errors: fc.array(fc.record({ message: hostile, stack: hostile, snippet: hostile }), { maxLength: 3 }),
  steps: fc.array(step, { maxLength: 4 }),
  lines: fc.array(fc.record({ atMs: time, kind: hostile, text: hostile }), { maxLength: 4 }),
  pictures: fc.array(
    fc.record({
      atMs: time,
      name: hostile,
      type: fc.constantFrom('image/jpeg', 'image/png', 'image/svg+xml'),
      base64: fc.oneof(fc.base64String({ minLength: 4, maxLength: 40 }), hostile),
    }),
    { maxLength: 4 },
  ),
  chains: fc.array(
    fc.record({
      name: hostile,
      skipped: fc.nat(),
      partials: fc.array(
        fc.record({
          atMs: time,
          number: fc.nat(),
          index: fc.nat(),
          hash: hostile,
          transactions: fc.nat(),
          withdrawn: fc.boolean(),
        }),
        { maxLength: 4 },
      ),
    }),
    { maxLength: 3 },
  ),
})

const pack = (value: unknown) => gzipSync(JSON.stringify(value)).toString('base64')
const unpack = (base64: string): unknown => JSON.parse(gunzipSync(Buffer.from(base64, 'base64')).toString())

test('whatever a record and the files beside it hold, a report gives back', () => {
  const bytes = fc.uint8Array({ maxLength: 50 }).map((each) => Buffer.from(each).toString('base64'))
  fc.assert(
    fc.property(
      record,
      fc.array(bytes, { maxLength: 12 }),
      fc.array(bytes, { maxLength: 12 }),
      (given, chains, builds) => {
        const cleaned = cleanRecord(given)
        const html = writeReport(TEMPLATE, { record: pack(cleaned), chains, builds })
        expect(isReport(html)).toBe(true)
        const read = readReport(html)
        expect(read).toEqual({ record: pack(cleaned), chains, builds })
        expect(cleanRecord(unpack(read?.record ?? ''))).toEqual(cleaned)
      },
    ),
  )
})

test('of a value of any kind a record is made that stays what it is', () => {
  fc.assert(
    fc.property(fc.oneof(record, fc.anything()), (given) => {
      const cleaned = cleanRecord(given)
      expect(cleanRecord(JSON.parse(JSON.stringify(cleaned)))).toEqual(cleaned)
    }),
  )
})

test('no text of a report ends its element, commands a terminal, or is half a character', () => {
  fc.assert(
    fc.property(record, (given) => {
      const cleaned = cleanRecord(given)
      const html = writeReport(TEMPLATE, { record: pack(cleaned), chains: [], builds: [] })
      expect(html.match(/<script/g)).toHaveLength(2)
      const texts = JSON.stringify(cleaned)
      expect(texts).not.toContain('\\u001b[')
      // JSON spells half a character out.
      expect(texts).not.toMatch(/\\ud[89a-f]/)
      for (const { type } of cleaned.pictures) expect(type).toMatch(/^image\/(jpeg|png)$/)
    }),
  )
})

test('what a test piles up is cut: texts, steps in steps, lines, pictures and partial blocks', () => {
  let steps: readonly object[] = []
  for (let depth = 0; depth < 100; depth++) steps = [{ title: 'x'.repeat(100_000), steps }]
  const base64 = 'A'.repeat(1_000_000)
  const cleaned = cleanRecord({
    titles: Array.from({ length: 100 }, () => 'y'.repeat(1_000_000)),
    errors: [{ message: '\u001b[31m'.repeat(1_000_000) }, { message: 'z'.repeat(5_000_000) }],
    steps: [...steps, ...Array.from({ length: 9_000 }, () => ({ title: 'many' }))],
    lines: Array.from({ length: 9_000 }, (_, i) => ({ atMs: i, text: 'l'.repeat(1_000) })),
    pictures: Array.from({ length: 50 }, (_, i) => ({ atMs: i, type: 'image/png', base64 })),
    chains: [{ name: 'c', partials: Array.from({ length: 30_000 }, (_, i) => ({ atMs: i, number: 1, index: i })) }],
  })
  expect(cleaned.titles).toHaveLength(RECORD_LIMITS.titles)
  expect(cleaned.titles[0]).toHaveLength(RECORD_LIMITS.name)
  expect(cleaned.errors[1]?.message).toHaveLength(RECORD_LIMITS.text)
  expect(cleaned.errors[1]?.message.endsWith('…')).toBe(true)
  expect(countOf(cleaned.steps)).toBe(RECORD_LIMITS.steps)
  // The newest are what a failure is about.
  expect(cleaned.lines).toHaveLength(RECORD_LIMITS.lineCharacters / 1_000)
  expect(cleaned.lines.at(-1)?.atMs).toBe(8_999)
  expect(cleaned.pictures.map(({ atMs }) => atMs)).toEqual([42, 43, 44, 45, 46, 47, 48, 49])
  expect(cleaned.chains[0]).toMatchObject({ skipped: 10_000, partials: { length: RECORD_LIMITS.partials } })
})

function countOf(steps: TestRecord['steps']): number {
  return steps.reduce((sum, each) => sum + 1 + countOf(each.steps), 0)
}

test('a template without a place for the data is refused, and a page that is no report is none', () => {
  const parts = { record: '', chains: [], builds: [] }
  expect(() => writeReport('<html></html>', parts)).toThrow('no place for the data')
  expect(() => writeReport(DATA_PLACE + DATA_PLACE, parts)).toThrow('no place for the data')
  expect(readReport('<!doctype html><title>Mine</title>')).toBeUndefined()
  expect(readReport(`${REPORT_BEGINNING}<html></html>`)).toBeUndefined()
})
