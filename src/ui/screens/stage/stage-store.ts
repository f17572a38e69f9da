import { create } from 'zustand'
import { BEATS } from './scenes.ts'

export interface StageState {
  /** Index of the beat that is shown; `undefined` outside the scenes. */
  readonly at: number | undefined
  /** Why the chain could not be brought to the beat. */
  readonly error: unknown
  /** Whether the spotlight follows the newest own transaction, also outside the scenes. */
  readonly spotlight: boolean
  /** What hangs before the stage: black, or the code for phones alone. */
  readonly curtain: 'black' | 'code' | undefined
}

/** Where the talk is. */
export const useStage = create<StageState>()(() => ({
  at: undefined,
  error: undefined,
  spotlight: false,
  curtain: undefined,
}))

/** Draws a curtain, or takes it away if it hangs there. */
export function drawCurtain(which: 'black' | 'code'): void {
  useStage.setState(({ curtain }) => ({ curtain: curtain === which ? undefined : which }))
}

/** Where a clicker, a key or the speaker's notes lead. */
export type StageMove = 'next' | 'previous' | 'end' | number

/** The beat that a move leads to from the one that is shown; the first and the last one are ends. */
export function beatAfter(at: number | undefined, move: StageMove): number | undefined {
  switch (move) {
    case 'next':
      return at === undefined ? 0 : Math.min(at + 1, BEATS.length - 1)
    case 'previous':
      return at === undefined || at === 0 ? undefined : at - 1
    case 'end':
      return undefined
    default:
      return move
  }
}

/** Most moves that wait: a key that is held down repeats. */
const WAITING_MOVES = 8

/** The moves of a talk, one after the other: each beat's acts are done before the next beat is shown. */
export class Moves {
  #last: Promise<void> = Promise.resolve()
  #waiting = 0

  /** Makes a move once those before it are made. Beyond {@link WAITING_MOVES}, it is left out. */
  take(move: () => Promise<void>): Promise<void> {
    if (this.#waiting > WAITING_MOVES) return this.#last
    this.#waiting++
    const made = this.#last.then(move).finally(() => this.#waiting--)
    this.#last = made.catch(() => {})
    return made
  }
}

/** What the stage and the speaker's notes tell each other. */
export type StageMessage =
  | { readonly kind: 'shows'; readonly at: number | undefined }
  | { readonly kind: 'asks' | 'leaves' }
  | { readonly kind: 'moves'; readonly move: StageMove }

/** A message of another window; `undefined` if it is none. */
export function parseStageMessage(data: unknown): StageMessage | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { kind, at, move } = data as { kind?: unknown; at?: unknown; move?: unknown }
  if (kind === 'asks' || kind === 'leaves') return { kind }
  if (kind === 'shows' && (at === undefined || isBeat(at))) return { kind, at }
  if (kind === 'moves' && (move === 'next' || move === 'previous' || move === 'end' || isBeat(move))) {
    return { kind, move }
  }
  return undefined
}

function isBeat(value: unknown): value is number {
  return typeof value === 'number' && BEATS[value] !== undefined
}

/** One talk a chain: a stage and its notes, in windows of one browser. */
export function openStageChannel(chain: string): BroadcastChannel {
  return new BroadcastChannel(`blinknet stage ${chain}`)
}
