import type { Hash, Hex } from '#primitives/hex.ts'
import type { RpcStep, RpcStepWindow } from '#rpc-types/execution-trace.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'
import type { Run } from './run.ts'

/** Steps that are asked for at once. */
const WINDOW = 256
/** Answers that are kept; the least recently used go first. */
const MOST_WINDOWS = 12
/** How many steps ahead and back are asked for before they are needed. */
const NEAR = 64

/** A step in full: with its memory and return data, even where they have not changed. */
export interface FullStep extends RpcStep {
  readonly memory: Hex
  readonly returnData: Hex
}

/** What an SLOAD read or an SSTORE wrote. */
export interface SlotUse {
  readonly key: Hash
  readonly value: Hash
}

interface Window {
  readonly first: number
  /** The step after its last one; fewer come where memories are large. */
  end: number
  /** `undefined` until the node has answered. */
  steps: readonly FullStep[] | undefined
  error: unknown
  usedAt: number
}

/** The steps of a run in full, some at a time: those around the one that is looked at. */
export class StepWindows {
  readonly #fetch: (first: number, count: number) => Promise<RpcStepWindow>
  readonly #run: Pick<Run, 'steps' | 'pcs'>
  #windows: readonly Window[] = []
  readonly #listeners = new Set<() => void>()
  /** The slots used by SLOAD and SSTORE, from every window that ever came; a few words each. */
  readonly #slots = new Map<number, SlotUse>()
  #asksSlots = false
  /** The step that was wanted last. */
  #wanted = 0
  #uses = 0
  #version = 0

  constructor(fetch: (first: number, count: number) => Promise<RpcStepWindow>, run: Pick<Run, 'steps' | 'pcs'>) {
    this.#fetch = fetch
    this.#run = run
  }

  /** A step, if it has come. */
  get(step: number): FullStep | undefined {
    const window = this.#windowOf(step)
    return window?.steps?.[step - window.first]
  }

  /** Why a step did not come. */
  errorAt(step: number): unknown {
    return this.#windowOf(step)?.error
  }

  /** Asks for a step, and for those nearby. */
  want(step: number): void {
    this.#wanted = step
    this.#ask(step)
    this.#ask(Math.min(this.#run.steps - 1, step + NEAR))
    this.#ask(Math.max(0, step - NEAR))
  }

  /** Asks again for a step that did not come. */
  retry(step: number): void {
    this.#windows = this.#windows.filter((window) => window.error === undefined)
    this.want(step)
    this.#tell()
  }

  /** The slot that a step uses, if it has come. */
  slotAt(step: number): SlotUse | undefined {
    return this.#slots.get(step)
  }

  /** Asks for the slots that some steps use, the first ones first, without keeping those steps. */
  wantSlots(steps: readonly number[]): void {
    const missing = steps.find((step) => !this.#slots.has(step))
    if (missing === undefined || this.#asksSlots) return
    this.#asksSlots = true
    const first = Math.max(0, missing + 1 - WINDOW)
    this.#fetch(first, missing + 1 - first).then(
      (window) => {
        this.#noteSlots(window)
        this.#asksSlots = !this.#slots.has(missing)
        this.#tell()
      },
      // The shown step itself fails in the same way and says so; slots are not asked for again.
      () => this.#tell(),
    )
  }

  #noteSlots({ first, steps }: RpcStepWindow): void {
    for (const [i, { storage }] of steps.entries()) if (storage) this.#slots.set(first + i, storage)
  }

  /** Changes whenever steps have come. */
  readonly version = (): number => this.#version

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #windowOf(step: number): Window | undefined {
    return this.#windows.find(({ first, end }) => first <= step && step < end)
  }

  #ask(step: number): void {
    const known = this.#windowOf(step)
    if (known) {
      known.usedAt = ++this.#uses
      return
    }
    // Windows lie side by side; after one that came short, the next begins where it ended.
    const aligned = step - (step % WINDOW)
    const first = this.#windowOf(aligned) ? step : aligned
    const next = this.#windows.reduce(
      (least, other) => (other.first > step ? Math.min(least, other.first) : least),
      this.#run.steps,
    )
    const window: Window = {
      first,
      end: Math.min(first + WINDOW, next),
      steps: undefined,
      error: undefined,
      usedAt: ++this.#uses,
    }
    const kept = this.#windows.toSorted((a, b) => b.usedAt - a.usedAt).slice(0, MOST_WINDOWS - 1)
    this.#windows = [...kept, window]
    this.#load(window).then(
      () => {
        // Its answer may have come short of the step.
        this.#ask(this.#wanted)
        this.#tell()
      },
      (error: unknown) => {
        window.error = error
        this.#tell()
      },
    )
  }

  async #load(window: Window): Promise<void> {
    const answer = await this.#fetch(window.first, window.end - window.first)
    const { steps } = answer
    this.#noteSlots(answer)
    // The node executes the subject again for each answer; a call runs on the pending block as it is by then.
    if (steps.length === 0 || steps.some(({ pc }, i) => pc !== this.#run.pcs[window.first + i])) {
      throw new ExplainedError(
        'These steps are no longer the same.',
        'The pending block has changed since the run was opened, and the call now takes another path. Run it again.',
      )
    }
    window.end = Math.min(window.end, window.first + steps.length)
    let memory: Hex = '0x'
    let returnData: Hex = '0x'
    window.steps = steps.map((step) => {
      memory = step.memory ?? memory
      returnData = step.returnData ?? returnData
      return { ...step, memory, returnData }
    })
  }

  readonly #tell = (): void => {
    this.#version++
    for (const listener of this.#listeners) listener()
  }
}
