import type { Shown } from './scenario/dapp-run.ts'
import type { DappOutcome, PaymentStanding } from './scenario/run-dapp.ts'
import type { ScenarioHistory } from './scenario/scenario.ts'

/** Something that holds from one tick to another. */
export interface TimePart<Value> {
  readonly from: number
  readonly to: number
  readonly value: Value
}

/** What holds from each moment on, as parts until the end. What is over within its tick is a part without length. */
export function partsOf<Value extends { readonly tick: number }>(
  values: readonly Value[],
  end: number,
): readonly TimePart<Value>[] {
  return values.map((value, i) => ({ from: value.tick, to: Math.max(value.tick, values[i + 1]?.tick ?? end), value }))
}

/** What holds at a moment: the last that has begun. */
export function atTick<Value extends { readonly tick: number }>(
  values: readonly Value[],
  tick: number,
): Value | undefined {
  return values.findLast((value) => value.tick <= tick) ?? values[0]
}

const lastTick = (values: readonly (PaymentStanding | Shown)[]) => values.at(-1)?.tick ?? 0

/** The tick of the last thing that is new in a run. */
const lastNews = ({ truths, shown }: DappOutcome) => Math.max(lastTick(truths), lastTick(shown))

/** A little more than until the last thing that is new. */
const AFTER = 3

/** Where time ends for the histories: the same for all. */
export function endOf(histories: readonly ScenarioHistory[]): number {
  return AFTER + Math.max(20, ...histories.flatMap(({ careless, careful }) => [lastNews(careless), lastNews(careful)]))
}
