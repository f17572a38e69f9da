import { isObject } from '#primitives/json-object.ts'
import type { SubscriptionKind } from '#rpc-types/subscriptions.ts'
import { GUEST_COSTS, type GuestCost } from './guest-costs.derived.ts'

/** What a guest's call costs; `undefined` if the method is the speaker's. */
export function costOf(method: string): GuestCost | undefined {
  return Object.hasOwn(GUEST_COSTS, method) ? GUEST_COSTS[method] : undefined
}

/** Subscriptions of the node that guests may have; whole blocks after each partial block are not among them. */
const SUBSCRIPTIONS: { readonly [Kind in SubscriptionKind]?: (mode: unknown) => boolean } = {
  logs: (query) => query === undefined || isObject(query),
  newPartialBlocks: (mode) => mode === undefined || mode === 'diff',
  newPartialBlockTransactions: (mode) => mode === undefined || typeof mode === 'boolean' || isObject(mode),
  newPendingTransactions: (full) => full === undefined || typeof full === 'boolean',
  pendingLogs: (query) => query === undefined || isObject(query),
  syncing: () => true,
  transactionReceipts: (query) => query === undefined || isObject(query),
}

const subscriptions: ReadonlyMap<unknown, (mode: unknown) => boolean> = new Map(Object.entries(SUBSCRIPTIONS))

/** Whether a guest may have this subscription of the node. */
export function mayFollow(kind: unknown, mode: unknown): boolean {
  return subscriptions.get(kind)?.(mode) === true
}
