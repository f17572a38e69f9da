import { create } from 'zustand'
import { type CallFilter, NO_FILTER } from './call-filter.ts'
import {
  type ChainMoment,
  MAX_PINS,
  type PinnedAnswer,
  type PinnedRequest,
  pinOf,
  withAnswer,
} from './pinned-reducer.ts'

/** The person's choices at the console; they survive leaving the screen. */
export interface ConsoleState {
  readonly method: string
  /** The editor's text; `undefined` until something is typed, which shows the method's example. */
  readonly text: string | undefined
  readonly search: string
  readonly filter: CallFilter
  /** The call whose details are open. */
  readonly selected: number | undefined
  readonly pins: readonly PinnedRequest[]
}

export const useConsole = create<ConsoleState>()(() => ({
  method: 'eth_getBalance',
  text: undefined,
  search: '',
  filter: NO_FILTER,
  selected: undefined,
  pins: [],
}))

/** Opens a method in the editor with these parameters, or with its example. */
export function chooseMethod(method: string, params?: readonly unknown[]): void {
  useConsole.setState({ method, text: params && JSON.stringify(params, undefined, 2) })
}

export function editParams(text: string): void {
  useConsole.setState({ text })
}

export function searchMethods(search: string): void {
  useConsole.setState({ search })
}

export function filterLog(change: Partial<CallFilter>): void {
  useConsole.setState(({ filter }) => ({ filter: { ...filter, ...change } }))
}

/** Opens a call's details, or closes them. */
export function selectCall(id: number | undefined): void {
  useConsole.setState({ selected: id })
}

let lastPin = 0

/** Pins a request, unless there are enough. */
export function pin(method: string, params: readonly unknown[]): void {
  useConsole.setState(({ pins }) =>
    pins.length >= MAX_PINS ? { pins } : { pins: [...pins, pinOf(++lastPin, method, params)] },
  )
}

export function unpin(id: number): void {
  useConsole.setState(({ pins }) => ({ pins: pins.filter((pinned) => pinned.id !== id) }))
}

/** Stores the answers of one round in one commit. */
export function answerPins(answers: ReadonlyMap<number, PinnedAnswer>, at: ChainMoment): void {
  useConsole.setState(({ pins }) => ({
    pins: pins.map((pinned) => {
      const answer = answers.get(pinned.id)
      return answer ? withAnswer(pinned, answer, at) : pinned
    }),
  }))
}
