import type { Hash, Hex } from '#primitives/hex.ts'
import type { RpcStep, RpcStepWindow } from '#rpc-types/execution-trace.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'
import type { Run } from './run.ts'

/** Steps fetched at once. */
const WINDOW = 256
/** Answers kept; the least recently used go first. */
const MOST_WINDOWS = 12
/** How many steps ahead and back are fetched before they are needed. */
const NEAR = 64

/** A full step: with memory and return data even if they have not changed. */
export interface FullStep extends RpcStep {
  readonly memory: Hex
  readonly returnData: Hex
}

/** The slot and value of an SLOAD, SSTORE, TLOAD or TSTORE. */
export interface SlotUse {
  readonly key: Hash
  readonly value: Hash
}

interface Window {
  readonly first: number
  /** The step after its last one. Large memories make it shorter. */
  end: number
  /** `undefined` until the node has answered. */
  steps: readonly FullStep[] | undefined
  error: unknown
  usedAt: number
}

/** The full steps of a run around the one that is shown, fetched in windows. */
export class StepWindows {
  readonly #fetch: (first: number, count: number) => Promise<RpcStepWindow>
  readonly #run: Pick<Run, 'steps' | 'pcs'>
  #windows: readonly Window[] = []
  readonly #listeners = new Set<() => void>()
  /** Slots used, from every window so far; a few words each. */
  readonly #slots = new Map<number, SlotUse>()
  #asksSlots = false
  /** The most recently wanted step. */
  #wanted = 0
  #uses = 0
  #version = 0

  constructor(fetch: (first: number, count: number) => Promise<RpcStepWindow>, run: Pick<Run, 'steps' | 'pcs'>) {
    this.#fetch = fetch
    this.#run = run
  }

  /** A step, if it has arrived. */
  get(step: number): FullStep | undefined {
    const window = this.#windowOf(step)
    return window?.steps?.[step - window.first]
  }

  /** Why a step could not be fetched. */
  errorAt(step: number): unknown {
    return this.#windowOf(step)?.error
  }

  /** Fetches a step and those nearby. */
  want(step: number): void {
    this.#wanted = step
    this.#ask(step)
    this.#ask(Math.min(this.#run.steps - 1, step + NEAR))
    this.#ask(Math.max(0, step - NEAR))
  }

  /** Fetches a step again after a failure. */
  retry(step: number): void {
    this.#windows = this.#windows.filter((window) => window.error === undefined)
    this.want(step)
    this.#tell()
  }

  /** The slot that a step uses, if it has arrived. */
  slotAt(step: number): SlotUse | undefined {
    return this.#slots.get(step)
  }

  /** Fetches the slots that some steps use, in order, without keeping those steps. */
  wantSlots(steps: readonly number[]): void {
    const missing = steps.find((step) => !this.#slots.has(step))
    if (missing === undefined || this.#asksSlots) return
    this.#asksSlots = true
    const first = Math.max(0, missing + 1 - WINDOW)
    // With the step after it, which has what a TLOAD reads.
    this.#fetch(first, Math.min(this.#run.steps, missing + 2) - first).then(
      (window) => {
        this.#noteSlots(window)
        this.#asksSlots = !this.#slots.has(missing)
        this.#tell()
      },
      // The step on the screen fails in the same way and says so; slots are not fetched again.
      () => this.#tell(),
    )
  }

  #noteSlots({ first, steps }: RpcStepWindow): void {
    for (const [i, { storage, transient }] of steps.entries()) {
      if (storage) this.#slots.set(first + i, storage)
      else if (transient?.value !== undefined) {
        this.#slots.set(first + i, { key: transient.key, value: transient.value })
      }
    }
  }

  /** Changes whenever steps have arrived. */
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
    // Windows are adjacent; after a short one, the next begins where it ended.
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
        // The answer may have ended before the step.
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
    // The node executes the subject again for each answer, and a call runs on the pending block of that moment.
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
