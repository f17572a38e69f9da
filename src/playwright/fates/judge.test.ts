import { describe, expect, it } from 'vitest'
import type { TimelineEvent } from '#rpc-types/methods/devnet.ts'
import { type DappTransaction, type JudgedRun, judge } from './judge.ts'
import type { BusyPart, PageNote } from './page-watch.ts'

const BUTTON: BusyPart = { place: 'main:0>button:0', text: 'Pay', why: 'disabled' }

const press = (atMs: number, busy: readonly BusyPart[] = []): PageNote => ({ kind: 'press', atMs, busy })
const shows = (atMs: number, ...shown: string[]): PageNote => ({ kind: 'lines', atMs, shown, gone: [] })

function transaction(given: Partial<DappTransaction> & { sealedAt?: number } = {}): DappTransaction {
  const { sealedAt, ...rest } = given
  const events: TimelineEvent[] = [
    { kind: 'received', atMs: 20 },
    { kind: 'preconfirmed', atMs: 30, blockNumber: '0x1', index: 1, status: 'success' },
    ...(sealedAt === undefined
      ? []
      : [{ kind: 'sealed', atMs: sealedAt, blockNumber: '0x1', blockHash: '0x01' } as const]),
  ]
  return {
    chain: 'chain',
    hash: '0x01',
    does: 'alice → shop 5',
    nonce: 0,
    events,
    isSealed: sealedAt !== undefined,
    isKnown: true,
    ...rest,
  }
}

/** All goes well: pressed at 10, pre-confirmed at 30, sealed at 50. */
const PLAIN: JudgedRun = {
  notes: [shows(0, 'Pay 5 ETH', 'Balance: 100'), press(10), shows(35, 'Waiting …'), shows(55, 'Paid', 'Balance: 95')],
  transactions: [transaction({ sealedAt: 50 })],
  end: { lines: ['Pay 5 ETH', 'Balance: 95', 'Paid'], busy: [] },
  errors: [],
}
const rulesOf = (run: Partial<JudgedRun>, plain = PLAIN) => judge({ ...PLAIN, ...run }, plain).map(({ rule }) => rule)

describe('the judge', () => {
  it('finds nothing in a run that is as it should be', () => {
    expect(judge(PLAIN, PLAIN)).toEqual([])
  })

  it('sees a line that claims an end before anything is sealed, also where all goes well', () => {
    const notes = [press(10), shows(35, 'Payment complete')]
    expect(judge({ ...PLAIN, notes }, { ...PLAIN, notes })).toEqual([
      { rule: 'final', what: 'the page shows "Payment complete" while the transaction is not sealed' },
    ])
  })

  it.each(['Not paid yet', 'Pre-confirmed', 'Unconfirmed', 'Paid?', 'Until it is confirmed', 'Completing …'])(
    'does not take “%s” for a claim',
    (line) => {
      expect(rulesOf({ notes: [press(10), shows(35, line)] })).toEqual([])
    },
  )

  it('lets a page claim what was sealed, and was reorganised only afterwards', () => {
    const events = [...transaction({ sealedAt: 50 }).events, { kind: 'withdrawn', atMs: 60, requeued: true } as const]
    const reorganised = transaction({ events, isSealed: true })
    expect(rulesOf({ transactions: [reorganised] })).toEqual([])
    expect(rulesOf({ transactions: [reorganised], notes: [press(10), shows(65, 'Paid')] })).toEqual(['final'])
  })

  it('sees the same transaction with two nonces after one press, and not after two', () => {
    const transactions = [transaction({ sealedAt: 50 }), transaction({ sealedAt: 50, nonce: 1, hash: '0x02' })]
    expect(rulesOf({ transactions })).toEqual(['twice'])
    expect(rulesOf({ transactions, notes: [...PLAIN.notes, press(40)] })).toEqual([])
    expect(rulesOf({ transactions }, { ...PLAIN, transactions })).toEqual([])
  })

  it('does not count a replacement of the same nonce', () => {
    expect(rulesOf({ transactions: [transaction(), transaction({ sealedAt: 50, hash: '0x02' })] })).toEqual([])
  })

  it('sees a button that stays out of use, unless it was so before or is so without faults', () => {
    const end = { ...PLAIN.end, busy: [BUTTON] }
    expect(judge({ ...PLAIN, end }, PLAIN)).toEqual([{ rule: 'busy', what: '"Pay" still cannot be used' }])
    expect(rulesOf({ end, notes: [press(10, [BUTTON]), ...PLAIN.notes] })).toEqual([])
    expect(rulesOf({ end }, { ...PLAIN, end })).toEqual([])
  })

  it('sees a page that goes on to wait for what is lost, and not one that waited before it was sent', () => {
    const end = { lines: ['Pay 5 ETH', 'Balance: 100', 'Waiting …'], busy: [] }
    expect(judge({ ...PLAIN, transactions: [], end }, PLAIN)).toEqual([
      { rule: 'busy', what: 'the page still says "Waiting …", and nothing is under way any more' },
    ])
    expect(rulesOf({ end: { ...end, lines: ['Pay 5 ETH', 'Failed'] }, transactions: [] })).toEqual([])
    const waited = { ...PLAIN, end: { ...end, lines: [...PLAIN.end.lines, 'Waiting …'] } }
    expect(rulesOf({ transactions: [], end }, waited)).not.toContain('busy')
  })

  it('sees a page that claims what its chain does not have', () => {
    expect(judge({ ...PLAIN, transactions: [transaction()], notes: PLAIN.notes.slice(0, 2) }, PLAIN)).toEqual([
      { rule: 'agrees', what: 'the page says "Paid", as if all were sealed, and it is not' },
    ])
    const end = { lines: ['Pay 5 ETH', 'Balance: 100', 'Failed'], busy: [] }
    expect(rulesOf({ transactions: [transaction()], notes: PLAIN.notes.slice(0, 2), end })).toEqual([])
  })

  it('does not take what a page shows since its wallet was connected for a claim about what was sent later', () => {
    const notes = [press(5), shows(7, 'Balance: 100', 'Pay'), press(10), shows(55, 'Balance: 95')]
    const end = { lines: ['Balance: 95', 'Pay'], busy: [] }
    const plain = { ...PLAIN, notes, end }
    const refused = { notes: notes.slice(0, 3), transactions: [], end: { ...end, lines: ['Balance: 100', 'Pay'] } }
    expect(rulesOf(refused, plain)).toEqual([])
    const paid = { ...plain, notes: [...notes, shows(56, 'Paid 5')], end: { ...end, lines: [...end.lines, 'Paid 5'] } }
    expect(judge({ ...paid, transactions: [], end: { ...end, lines: ['Pay', 'Paid 7'] } }, paid)).toEqual([
      { rule: 'agrees', what: 'the page says "Paid 7", as if all were sealed, and it is not' },
    ])
  })

  it('does not take what a page still loads after the press for a claim', () => {
    const notes = [press(10), shows(25, 'ETH'), shows(55, 'Done at last')]
    const plain = { ...PLAIN, notes, end: { lines: ['ETH'], busy: [] } }
    expect(rulesOf({ transactions: [], notes: notes.slice(0, 2), end: { lines: ['ETH'], busy: [] } }, plain)).toEqual(
      [],
    )
  })

  it('takes a transaction of an account that is new in each run for the same one', () => {
    const other = transaction({ does: 'bob → shop 5', sealedAt: 50 })
    expect(rulesOf({ transactions: [other] })).toEqual([])
    expect(rulesOf({ transactions: [{ ...other, isSealed: false }] })).toEqual(['agrees'])
    expect(rulesOf({ transactions: [other, { ...other, nonce: 1 }] })).toEqual(['twice'])
  })

  it('compares a button that stays out of use with what it was when the person sent, not when the wallet was connected', () => {
    const end = { ...PLAIN.end, busy: [BUTTON] }
    const plain = { ...PLAIN, notes: [press(5), press(10), shows(55, 'Paid')] }
    expect(rulesOf({ notes: [press(5), press(10, [BUTTON])], end }, plain)).not.toContain('busy')
    expect(rulesOf({ notes: [press(5, [BUTTON]), press(10)], end }, plain)).toContain('busy')
  })

  it('sees a page that never says what its chain has, unless it was never told the hash', () => {
    const end = { lines: ['Pay 5 ETH', 'Balance: 95', 'Waiting …'], busy: [] }
    expect(judge({ ...PLAIN, end }, PLAIN)).toEqual([
      { rule: 'agrees', what: 'all is sealed, and the page does not say "Paid"' },
    ])
    expect(rulesOf({ end, transactions: [transaction({ sealedAt: 50, isKnown: false })] })).toEqual([])
  })

  it('sees an uncaught error that is not there without faults', () => {
    expect(rulesOf({ errors: ['boom'] })).toEqual(['errors'])
    expect(rulesOf({ errors: ['boom'] }, { ...PLAIN, errors: ['boom'] })).toEqual([])
  })

  it('leaves out rules that are switched off, and reads claims as it is told', () => {
    expect(judge({ ...PLAIN, errors: ['boom'] }, PLAIN, { rules: { errors: false } })).toEqual([])
    const run = { ...PLAIN, notes: [press(10), shows(35, 'Bezahlt')] }
    expect(judge(run, PLAIN, { final: /bezahlt/i }).map(({ rule }) => rule)).toEqual(['final'])
  })
})
