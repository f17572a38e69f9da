import { describeFate, formatFate, type Schedule } from '#fates/fault.ts'
import { type BrokenRule, RULES } from './judge.ts'

/** A run that has broken a rule. */
export interface FateFailure {
  readonly schedule: Schedule
  readonly verdicts: readonly BrokenRule[]
  /** What became of the faults. */
  readonly happened: readonly string[]
  /** Where the test itself stopped. */
  readonly stopped: string | undefined
}

/** Where it was thrown is of no use to who reads it. */
export function broken(message: string): Error {
  const error = new Error(message)
  error.stack = `Error: ${message}`
  return error
}

/** What was broken, in which histories, and how to run one of them alone. */
export function describeFailures(failures: readonly FateFailure[], summary: string): string {
  const parts = failures.map(({ schedule, verdicts, happened, stopped }) => {
    const fate = formatFate(schedule)
    const rules = verdicts.map(
      ({ rule, what }) =>
        `  ${Object.hasOwn(RULES, rule) ? RULES[rule as keyof typeof RULES] : rule}: ${what} (${rule})`,
    )
    if (schedule.length === 0) return ['Without any fault:', ...rules].join('\n')
    return [
      describeFate(schedule),
      ...rules,
      `  fate: '${fate}'`,
      ...happened.map((line) => `    ${line}`),
      ...(stopped === undefined ? [] : [`  the test stopped: ${stopped.split('\n', 1)[0]}`]),
    ].join('\n')
  })
  const last = failures.findLast(({ schedule }) => schedule.length > 0)
  const again = last
    ? `\n\nRun one alone: test.use({ faults: '${formatFate(last.schedule)}' }), or set BLINKNET_FATE.`
    : ''
  return `${parts.join('\n\n')}\n\n${summary}.${again}`
}
