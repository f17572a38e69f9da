import type { TestInfo } from '@playwright/test'

/** The beginning of a step, as Playwright's worker process tells the process that reports. */
export interface StepBegin {
  readonly stepId: string
  readonly parentStepId?: string
  readonly title: string
  readonly subtitle?: string
  readonly category: string
  /** Milliseconds since the Unix epoch. */
  readonly wallTime: number
  readonly location?: { readonly file: string; readonly line: number }
}

/** The end of a step. */
export interface StepEnd {
  readonly stepId: string
  readonly wallTime: number
  readonly error?: { readonly message?: string; readonly error?: { readonly message?: string } }
}

type Tell = (payload: unknown) => void
/** The name of that object. */
const CALLBACKS = '_callbacks'
/** Where Playwright keeps what tells: in one object since 1.57, before that in the test's information itself. */
interface Tellers {
  onStepBegin?: Tell
  onStepEnd?: Tell
  _onStepBegin?: Tell
  _onStepEnd?: Tell
}

/**
 * Tells of each step of a test as it begins and ends, in the process that runs the test, where its chains are, too: so it is
 * known which partial block was the newest. Playwright has no public way to this in that process; where its own names are
 * others, nothing is told.
 *
 * @returns Whether steps are told.
 */
export function watchSteps(
  info: TestInfo,
  onBegin: (step: StepBegin) => void,
  onEnd: (step: StepEnd) => void,
): boolean {
  const own = info as unknown as { readonly [CALLBACKS]?: Tellers } & Tellers
  const callbacks = own[CALLBACKS]
  const tellers = callbacks ?? own
  const [begin, end] = callbacks ? (['onStepBegin', 'onStepEnd'] as const) : (['_onStepBegin', '_onStepEnd'] as const)
  const tellBegin = tellers[begin]
  const tellEnd = tellers[end]
  if (typeof tellBegin !== 'function' || typeof tellEnd !== 'function') return false
  tellers[begin] = (payload) => {
    if (isTold(payload)) onBegin(payload)
    tellBegin.call(tellers, payload)
  }
  tellers[end] = (payload) => {
    if (isTold(payload)) onEnd(payload)
    tellEnd.call(tellers, payload)
  }
  return true
}

function isTold(payload: unknown): payload is StepBegin & StepEnd {
  const { stepId, wallTime } = (payload ?? {}) as Partial<StepEnd>
  return typeof stepId === 'string' && typeof wallTime === 'number'
}
