import type { Page } from '@playwright/test'
import { FAULT_NAMES, type FaultName, parseFate } from '#fates/fault.ts'
import { type BrokenRule, RULES, type RuleName } from './judge.ts'

/** What a judge of the test's own is given: the end of one run. */
export interface JudgedEnd<Chains> {
  readonly page: Page
  readonly chains: Chains
  /** The faults of the run, as `faults` takes them; empty without any. */
  readonly fate: string
}

/** How a test is run under faults. */
export interface FaultsOptions<Chains = unknown> {
  /** One fate alone, such as `withdraw@2,late-answer@send1`. Default: every history. */
  readonly fate?: string
  /** Most faults of a fate, 1 or 2; default 2. */
  readonly depth?: number
  /** Faults of these kinds alone, such as `['withdraw', 'lost-answer']`; default all. */
  readonly kinds?: readonly FaultName[] | undefined
  /** Most histories that are run; default 200. The simplest come first. */
  readonly most?: number
  /** How long all runs together may take, in milliseconds; default five minutes. */
  readonly withinMs?: number
  /** How long a page may take to agree with its chain at the end of a run, in milliseconds; default 6,000: dapps poll every 4 s. */
  readonly patienceMs?: number
  /** How long an expectation and an action of the test may wait under faults, in milliseconds; default 1,000. */
  readonly waitMs?: number
  /** Rules that do not hold for this dapp: `{ final: false }`. */
  readonly rules?: Readonly<Partial<Record<RuleName, boolean>>>
  /** Lines of the page that claim that something is final. Default: English words such as “paid”. */
  readonly final?: RegExp
  /** Judges of the test's own, by a sentence that is right: they answer with what is wrong, or nothing. */
  readonly judges?: Readonly<
    Record<string, (end: JudgedEnd<Chains>) => Promise<string | undefined> | string | undefined>
  >
  /**
   * Whether an expectation of the test that fails under faults is a failure. Default false: a test says what happens when all
   * goes well, and under faults the rules decide.
   */
  readonly assertions?: boolean
}

/** The option `faults`: `every` history, one fate by its text, or more closely. */
export type Faults<Chains = unknown> = 'every' | (string & {}) | FaultsOptions<Chains>

/** What {@link Faults} stands for, with its defaults. */
export interface FaultsPlan<Chains>
  extends Required<Omit<FaultsOptions<Chains>, 'fate' | 'kinds' | 'rules' | 'final'>> {
  readonly fate: string | undefined
  readonly kinds: readonly FaultName[] | undefined
  readonly rules: FaultsOptions['rules'] | undefined
  readonly final: RegExp | undefined
}

/** Environment variable that has a fate for the tests that have `faults`. */
const ONLY = 'BLINKNET_FATE'

const DEFAULTS = {
  depth: 2,
  most: 200,
  withinMs: 300_000,
  patienceMs: 6_000,
  waitMs: 1_000,
  judges: {},
  assertions: false,
} as const

/** Least and most of each number. */
const RANGES = {
  depth: [1, 2],
  most: [1, 10_000],
  withinMs: [1_000, 86_400_000],
  patienceMs: [0, 600_000],
  waitMs: [1, 600_000],
} as const

const OPTIONS: Readonly<Record<keyof FaultsOptions, true>> = {
  fate: true,
  depth: true,
  kinds: true,
  most: true,
  withinMs: true,
  patienceMs: true,
  waitMs: true,
  rules: true,
  final: true,
  judges: true,
  assertions: true,
}

/**
 * What the option means.
 *
 * @throws {TypeError | RangeError} If it makes no sense.
 */
export function faultsPlan<Chains>(
  given: Faults<Chains>,
  environment: Readonly<Record<string, string | undefined>>,
): FaultsPlan<Chains> {
  if (typeof given === 'string' && given !== 'every' && !given.includes('@')) {
    throw new TypeError(`faults is 'every', a fate such as 'withdraw@2', or an object of options, not '${given}'`)
  }
  const options = typeof given === 'string' ? (given === 'every' ? {} : { fate: given }) : given
  if (typeof options !== 'object' || options === null) {
    throw new TypeError("faults is 'every', a fate such as 'withdraw@2', or an object of options")
  }
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name))
  if (unknown !== undefined)
    throw new TypeError(`faults has no option ${unknown}: it has ${Object.keys(OPTIONS).join(', ')}`)
  const plan = { fate: undefined, kinds: undefined, rules: undefined, final: undefined, ...DEFAULTS, ...options }
  const strange = plan.kinds?.find((kind) => !FAULT_NAMES.includes(kind))
  if (strange !== undefined) throw new TypeError(`there is no fault ${strange}: there are ${FAULT_NAMES.join(', ')}`)
  const rule = Object.keys(plan.rules ?? {}).find((name) => !Object.hasOwn(RULES, name))
  if (rule !== undefined) throw new TypeError(`there is no rule ${rule}: there are ${Object.keys(RULES).join(', ')}`)
  for (const [name, [least, most]] of Object.entries(RANGES)) {
    const value: unknown = plan[name as keyof typeof RANGES]
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) continue
    throw new RangeError(`${name} of faults is a whole number from ${least} to ${most}, not ${String(value)}`)
  }
  const fate = environment[ONLY] || plan.fate
  // What is wrong with it is said before anything runs.
  if (fate !== undefined) parseFate(fate)
  return { ...plan, fate }
}

/** The verdicts of a test's own judges. */
export async function judgeOwn<Chains>(
  judges: FaultsPlan<Chains>['judges'],
  end: JudgedEnd<Chains>,
): Promise<BrokenRule[]> {
  const found: BrokenRule[] = []
  for (const [rule, ask] of Object.entries(judges)) {
    const what = await ask(end)
    if (what !== undefined) found.push({ rule, what })
  }
  return found
}
