import type { Locals } from '#solidity/variables/locals.ts'
import type { State, StepVariables } from '#solidity/variables/run-variables.ts'

/** Names of the variables whose value differs from that at the step shown before. */
export interface ChangedVariables {
  readonly locals: ReadonlySet<string>
  readonly state: ReadonlySet<string>
}

export const NONE_CHANGED: ChangedVariables = { locals: new Set(), state: new Set() }

/** Compares variables of the same function and the same contract only: those of others have not changed. */
export function changedVariables(before: StepVariables, now: StepVariables): ChangedVariables {
  return {
    locals: before.frame === now.frame ? changedLocals(before.locals, now.locals) : NONE_CHANGED.locals,
    state: changedState(before.state, now.state),
  }
}

function changedLocals(before: Locals, now: Locals): ReadonlySet<string> {
  if (!before.known || !now.known || before.function !== now.function) return NONE_CHANGED.locals
  const values = new Map(before.variables.map(({ name, value }) => [name, value]))
  const others = now.variables.filter(({ name, value }) => value !== undefined && values.get(name) !== value)
  return new Set(others.map(({ name }) => name))
}

function changedState(before: State, now: State): ReadonlySet<string> {
  if (!before.known || !now.known || before.contract !== now.contract) return NONE_CHANGED.state
  const values = new Map(before.variables.map(({ path, value }) => [path, value]))
  const others = now.variables.filter(({ path, value }) => values.has(path) && values.get(path) !== value)
  return new Set(others.map(({ path }) => path))
}
