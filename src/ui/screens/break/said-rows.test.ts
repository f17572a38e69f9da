import { expect, test } from 'vitest'
import { saidRows } from './said-rows.ts'
import type { Said } from './scenario/dapp-run.ts'
import { judgeRun } from './scenario/judge-run.ts'
import type { PaymentPlace } from './scenario/run-dapp.ts'

const call = (tick: number, answer: string): Said => ({
  kind: 'call',
  tick,
  method: 'eth_getTransactionReceipt',
  about: '0xab…cd',
  answer,
  answeredAt: tick,
})

test('the same call with the same answer is one row until something else is said', () => {
  const rows = saidRows({
    said: [call(0, 'nothing'), call(1, 'nothing'), call(2, 'nothing'), call(3, 'sealed'), call(4, 'nothing')],
    truths: [],
    strikes: [],
  })
  expect(rows.map(({ answer, times, until }) => [answer, times, until])).toEqual([
    ['nothing', 4, 4],
    ['sealed', 1, 3],
  ])
})

test('calls stay apart where the chain or the screen has changed between them', () => {
  const rows = saidRows({
    said: [call(0, 'nothing'), { kind: 'show', tick: 0, text: 'Waiting', claim: 'busy' }, call(1, 'nothing')],
    truths: [{ tick: 1, place: 'gone', payments: 0, after: 3 }],
    strikes: [{ tick: 1, what: 'lost', after: 3 }],
  })
  expect(rows.map(({ kind }) => kind)).toEqual(['call', 'show', 'call', 'fault', 'chain'])
})

test('an answer that came later says by how much, and an error is marked', () => {
  const [late, failed] = saidRows({
    said: [{ ...call(0, 'sealed'), answeredAt: 2 } as Said, { ...call(2, 'request timed out'), isError: true } as Said],
    truths: [],
    strikes: [],
  })
  expect(late?.answer).toBe('sealed, after 400 ms')
  expect(failed).toMatchObject({ isError: true, answer: 'request timed out' })
})

const truths = (...places: readonly (readonly [number, PaymentPlace, number?])[]) =>
  places.map(([tick, place, payments = 1]) => ({ tick, place, payments, after: 0 }))
const paidAt = (tick: number) => [
  { tick: 0, text: 'Paying…', claim: 'busy' as const },
  { tick, text: 'Paid', claim: 'paid' as const },
]

test.each([
  [
    'right',
    'It says “Paid” once that is so.',
    truths([0, 'mempool', 0], [1, 'preconfirmed'], [10, 'sealed']),
    paidAt(10),
  ],
  [
    'lucky',
    'It says “Paid” 1.8 s before the block is sealed. This time that held.',
    truths([0, 'mempool', 0], [1, 'preconfirmed'], [10, 'sealed']),
    paidAt(1),
  ],
  ['wrong', 'It says “Paid” for ever, and nothing was paid.', truths([1, 'preconfirmed'], [2, 'gone', 0]), paidAt(1)],
  ['wrong', 'It waits for ever, and the payment was made.', truths([0, 'mempool', 0], [10, 'sealed']), paidAt(99)],
  ['wrong', 'It paid twice.', truths([0, 'mempool', 0], [1, 'sealed', 2]), paidAt(1)],
  [
    'wrong',
    'It says that nothing was paid, and the payment was made.',
    truths([0, 'mempool', 0], [1, 'sealed']),
    [{ tick: 1, text: 'Failed', claim: 'failed' as const }],
  ],
] as const)('a dapp is judged %s: %s', (kind, words, found, shown) => {
  expect(judgeRun({ ticks: 20, truths: found, shown })).toEqual({ kind, words })
})
