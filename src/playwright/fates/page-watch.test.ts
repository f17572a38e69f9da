import { expect, test } from 'vitest'
import { readNote } from './page-watch.ts'

test('a note is read as the page tells it', () => {
  const press = { kind: 'press', atMs: 1, busy: [{ place: 'main:0', text: 'Pay', why: 'disabled' }] }
  expect(readNote(press)).toEqual(press)
  const lines = { kind: 'lines', atMs: 2.5, shown: ['Paid'], gone: [] }
  expect(readNote({ ...lines, more: 'x' })).toEqual(lines)
})

test.each([
  undefined,
  null,
  'press',
  {},
  { kind: 'press', atMs: '1', busy: [] },
  { kind: 'press', atMs: 1 },
  { kind: 'x', atMs: 1 },
])('what is no note is none: %o', (note) => {
  expect(readNote(note)).toBeUndefined()
})

test('a page that tells too much is cut short', () => {
  const shown = Array.from({ length: 5_000 }, () => 'x'.repeat(10_000))
  const note = readNote({ kind: 'lines', atMs: 1, shown, gone: 'none' })
  expect(note).toMatchObject({ gone: [] })
  if (note?.kind !== 'lines') throw new Error('it is a note of lines')
  expect([note.shown.length, note.shown[0]?.length]).toEqual([2_000, 200])
  const busy = [...Array.from({ length: 3_000 }, () => ({ place: 'p'.repeat(5_000), text: 7, why: 'busy' })), 'x']
  const press = readNote({ kind: 'press', atMs: 1, busy })
  if (press?.kind !== 'press') throw new Error('it is a press')
  expect([press.busy.length, press.busy[0]?.place.length, press.busy[0]?.text]).toEqual([2_000, 1_000, '7'])
})
