import type { Effect } from './method.ts'
import { EFFECTS } from './method-tables.derived.ts'

/** A method that this build does not know has no effect that is known: it may change anything. */
function effectOf(method: string): Effect | undefined {
  return Object.hasOwn(EFFECTS, method) ? EFFECTS[method as keyof typeof EFFECTS] : undefined
}

/** Whether a call that may have run already can be made again, at this node or the next one, without harm. */
export function isRepeatable(method: string): boolean {
  const effect = effectOf(method)
  return effect !== undefined && effect !== 'changes' && effect !== 'awaits'
}

/** Whether a call hands in a transaction that is signed already. */
export function isSubmission(method: string): boolean {
  const effect = effectOf(method)
  return effect === 'submits' || effect === 'awaits'
}

/** Whether a call may change the chain, its clock or its settings. */
export function changesChain(method: string): boolean {
  const effect = effectOf(method)
  return effect === undefined || effect === 'changes' || effect === 'submits' || effect === 'awaits'
}

/** Whether a call leaves nothing behind and costs little, so that it may run at every partial block. */
export function isPinnable(method: string): boolean {
  const effect = effectOf(method)
  return effect === 'reads' || effect === 'signs'
}
