import type { Hash } from '#primitives/hex.ts'
import type { TimelineEvent } from '#rpc-types/methods/devnet.ts'
import type { BusyPart, PageLook, PageNote } from './page-watch.ts'

/** A transaction that the dapp has sent and its chain has taken. */
export interface DappTransaction {
  readonly chain: string
  readonly hash: Hash
  /** Sender, recipient, value and data: what it does, whatever its nonce. */
  readonly does: string
  readonly nonce: number
  /** What has happened to it in this run, oldest first. */
  readonly events: readonly TimelineEvent[]
  /** Whether it is sealed in the end. */
  readonly isSealed: boolean
  /** Whether the dapp got its hash, rather than an error or nothing. */
  readonly isKnown: boolean
}

/** One run of a test, and how it ended. */
export interface JudgedRun {
  readonly notes: readonly PageNote[]
  readonly transactions: readonly DappTransaction[]
  /** The page at the end: all has been sealed that ever will be. */
  readonly end: PageLook
  /** Messages of errors that nobody has caught, in the dapp's pages. */
  readonly errors: readonly string[]
  /** What the page also says in the end where its send was refused, so it claims nothing. */
  readonly unclaimed?: readonly string[]
}

/** What is asked of every dapp. Each can be switched off by its name. */
export const RULES = {
  final: 'nothing is shown as final before it is sealed',
  twice: 'one press sends a transaction once',
  busy: 'nothing stays busy for ever',
  agrees: 'in the end, the page says what the chain says',
  errors: 'no error is left uncaught',
} as const
export type RuleName = keyof typeof RULES

/** A rule that a run has broken. */
export interface BrokenRule {
  /** Name of the rule, or of a judge of the test's own. */
  readonly rule: string
  /** What happened, as a sentence. */
  readonly what: string
}

/** How the rules are read. */
export interface JudgeOptions {
  /** Rules that are switched off are `false`. */
  readonly rules?: Readonly<Partial<Record<RuleName, boolean>>> | undefined
  /** Lines that claim that something is final; default: English words. */
  readonly final?: RegExp | undefined
}

const FINAL =
  /\b(confirmed|complete|completed|done|success|successful|successfully|succeeded|finali[sz]ed|settled|sealed|paid|minted|swapped|staked|claimed|deposited)\b/i
const NOT_FINAL =
  /\bpre-?\s?confirmed|\b(not|no|un\w+|pending|waiting|wait|until|once|when|will|soon|being|almost)\b|n[’']t\b|\?|…|\.\.\./i

/**
 * What a run has broken.
 *
 * @param plain - The same test without faults: what the page says and does when all promises are kept.
 */
export function judge(
  run: JudgedRun,
  plain: JudgedRun,
  { rules = {}, final = FINAL }: JudgeOptions = {},
): BrokenRule[] {
  const found: Partial<Record<RuleName, string | undefined>> = {
    final: shownTooEarly(run, final, final === FINAL ? NOT_FINAL : undefined),
    twice: sentTwice(run, plain),
    busy: stuck(run, plain),
    agrees: disagreement(run, plain),
    errors: uncaught(run, plain),
  }
  return (Object.keys(RULES) as RuleName[]).flatMap((rule) => {
    const what = found[rule]
    return what === undefined || rules[rule] === false ? [] : [{ rule, what }]
  })
}

/**
 * A page that shows several transactions says of each when it is final; which line is about which nobody can know from
 * outside. So only lines count that appear while none of them is sealed.
 */
function shownTooEarly(
  { notes, transactions }: JudgedRun,
  final: RegExp,
  notFinal: RegExp | undefined,
): string | undefined {
  for (const note of notes) {
    if (note.kind !== 'lines') continue
    const { atMs } = note
    const sent = transactions.filter(({ events }) => events.some((event) => event.atMs <= atMs))
    if (sent.length === 0 || sent.some((each) => isSealedAt(each, atMs))) continue
    const line = note.shown.find((text) => text.search(final) >= 0 && (notFinal === undefined || !notFinal.test(text)))
    if (line !== undefined) {
      const many = sent.length === 1 ? 'the transaction is not' : `none of ${sent.length} transactions is`
      return `the page shows ${quoted(line)} while ${many} sealed`
    }
  }
  return undefined
}

function isSealedAt({ events }: DappTransaction, atMs: number): boolean {
  const last = events.filter((event) => event.atMs <= atMs).findLast(({ kind }) => kind !== 'received')
  return last?.kind === 'sealed'
}

function sentTwice(run: JudgedRun, plain: JudgedRun): string | undefined {
  if (pressesOf(run).length > pressesOf(plain).length) return undefined
  const usual = countByDeed(plain)
  const namesake = sameDeeds(run, plain)
  for (const [does, count] of countByDeed(run)) {
    const wanted = usual.get(namesake.get(does) ?? does) ?? 0
    if (wanted > 0 && count > wanted) {
      return `the same transaction was sent ${times(count)} in place of ${times(wanted)}, without another press`
    }
  }
  return undefined
}

/**
 * For each deed of a run the same one without faults. A dapp may use an account, a salt or a deadline that is new in each
 * run: what one run alone does is then, in the order of the sends, what the other alone does.
 */
function sameDeeds(run: JudgedRun, plain: JudgedRun): ReadonlyMap<string, string> {
  const deeds = [...countByDeed(run).keys()]
  const usual = [...countByDeed(plain).keys()]
  const alone = usual.filter((does) => !deeds.includes(does))
  const fresh = deeds.filter((does) => !usual.includes(does))
  return new Map(fresh.slice(0, alone.length).map((does, at) => [does, alone[at] as string]))
}

/** How many transactions do the same. Two of the same nonce can never both be executed. */
function countByDeed({ transactions }: JudgedRun): ReadonlyMap<string, number> {
  const nonces = new Map<string, Set<number>>()
  for (const { does, nonce } of transactions) nonces.set(does, (nonces.get(does) ?? new Set()).add(nonce))
  return new Map([...nonces].map(([does, all]) => [does, all.size]))
}

type Press = Extract<PageNote, { kind: 'press' }>

function pressesOf({ notes }: JudgedRun): readonly Press[] {
  return notes.flatMap((note) => (note.kind === 'press' ? [note] : []))
}

/**
 * Which press sent the first transaction, counted from 0: those before it connect a wallet, say, or open a form. The first
 * one if there is none before the transaction.
 */
function sendingPress(run: JudgedRun): number {
  const { transactions } = run
  const sentAtMs = Math.min(...transactions.flatMap(({ events }) => events.slice(0, 1).map(({ atMs }) => atMs)))
  return Math.max(0, pressesOf(run).filter(({ atMs }) => atMs <= sentAtMs).length - 1)
}

/** What was no busy part when the person pressed, and is none in the end without faults. */
function stuck(run: JudgedRun, plain: JudgedRun): string | undefined {
  const presses = pressesOf(run)
  const pressed = presses[sendingPress(plain)] ?? presses.at(-1)
  if (!pressed) return undefined
  const usual = new Set([...pressed.busy, ...plain.end.busy].map(placeAndWhy))
  const left = run.end.busy.find((part) => !usual.has(placeAndWhy(part)))
  if (left) {
    const what = { disabled: 'still cannot be used', busy: 'is still busy', progress: 'still shows progress' }[left.why]
    return `${quoted(left.text)} ${what}`
  }
  const passing = passingLines(plain)
  const waits = lacksDeeds(run, plain) ? run.end.lines.find((line) => passing.has(withoutNumbers(line))) : undefined
  return waits === undefined ? undefined : `the page still says ${quoted(waits)}, and nothing is under way any more`
}

/** What a page says for a while after the press that sent something, and no longer in the end. */
function passingLines(run: JudgedRun): ReadonlySet<string> {
  const { notes, end } = run
  const press = pressesOf(run)[sendingPress(run)]
  const since = press ? notes.slice(notes.indexOf(press)) : []
  const passing = new Set(since.flatMap((note) => (note.kind === 'lines' ? note.shown.map(withoutNumbers) : [])))
  for (const line of end.lines) passing.delete(withoutNumbers(line))
  return passing
}

const placeAndWhy = ({ place, why }: BusyPart): string => `${why} ${place}`

function disagreement(run: JudgedRun, plain: JudgedRun): string | undefined {
  const claims = claimsOf(plain)
  if (claims.length === 0 || plain.transactions.length === 0) return undefined
  const shown = new Map(run.end.lines.map((line) => [withoutNumbers(line), line]))
  const missing = claims.filter((line) => !shown.has(withoutNumbers(line)))
  if (lacksDeeds(run, plain)) {
    if (missing.length > 0) return undefined
    const said = claims.map((line) => shown.get(withoutNumbers(line)) ?? line)
    return `the page says ${list(said)}, as if all were sealed, and it is not`
  }
  // A dapp that was never told a hash may rightly say that it does not know.
  const isTold = run.transactions.every(({ isKnown }) => isKnown)
  return isTold && missing.length > 0 ? `all is sealed, and the page does not say ${list(missing)}` : undefined
}

/**
 * What a page has come to say since something was included in a block, and still says in the end. What came before that, it
 * says whether or not the chain takes it; a page that was just opened also still loads then.
 */
function claimsOf({ notes, transactions, end, unclaimed = [] }: JudgedRun): readonly string[] {
  const includedAtMs = Math.min(
    ...transactions.flatMap(({ events }) =>
      events.filter(({ kind }) => kind === 'preconfirmed' || kind === 'sealed').map(({ atMs }) => atMs),
    ),
  )
  const before = new Set<string>()
  for (const note of notes) {
    if (note.kind !== 'lines' || note.atMs >= includedAtMs) continue
    for (const line of note.gone) before.delete(withoutNumbers(line))
    for (const line of note.shown) before.add(withoutNumbers(line))
  }
  for (const line of unclaimed) before.add(withoutNumbers(line))
  return end.lines.filter((line) => !before.has(withoutNumbers(line)))
}

/** What a page says in the end although its send was refused: no claims, but for words that always are. */
export function unclaimedIn({ end }: JudgedRun, { final = FINAL }: JudgeOptions = {}): readonly string[] {
  return end.lines.filter((line) => line.search(final) < 0)
}

/** Whether something is not sealed in the end that is without faults. */
function lacksDeeds(run: JudgedRun, plain: JudgedRun): boolean {
  const namesake = sameDeeds(run, plain)
  const sealed = new Map([...sealedDeeds(run)].map(([does, count]) => [namesake.get(does) ?? does, count]))
  return [...sealedDeeds(plain)].some(([does, count]) => (sealed.get(does) ?? 0) < count)
}

function sealedDeeds({ transactions }: JudgedRun): ReadonlyMap<string, number> {
  const deeds = new Map<string, number>()
  for (const { does, isSealed } of transactions) if (isSealed) deeds.set(does, (deeds.get(does) ?? 0) + 1)
  return deeds
}

function uncaught({ errors }: JudgedRun, plain: JudgedRun): string | undefined {
  const fresh = errors.find((message) => !plain.errors.includes(message))
  return fresh === undefined ? undefined : `an error was not caught: ${quoted(fresh)}`
}

/** Hashes and numbers differ from one run to the next. */
function withoutNumbers(line: string): string {
  return line.replace(/0x[\da-f]*(?:…[\da-f]*)?|\d[\d,.\s]*/gi, '#')
}

/** Most lines that one verdict names. */
const MOST_NAMED = 3

function list(lines: readonly string[]): string {
  const named = lines.slice(0, MOST_NAMED).map(quoted).join(', ')
  return lines.length > MOST_NAMED ? `${named} and ${lines.length - MOST_NAMED} lines more` : named
}

const quoted = (text: string): string => JSON.stringify(text)
const times = (count: number): string => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`)
