import { METHOD_FACTS } from '#rpc-types/facts.ts'
import type { GuestRight, MethodFacts } from '#rpc-types/method.ts'

export type GuestCost = Exclude<GuestRight, 'never'>

/** What a guest may call, and what it costs. */
export const GUEST_COSTS: Readonly<Record<string, GuestCost>> = Object.fromEntries(
  Object.entries<MethodFacts>(METHOD_FACTS).flatMap(([name, { guest }]) => (guest === 'never' ? [] : [[name, guest]])),
)
