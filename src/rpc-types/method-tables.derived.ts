import { METHOD_FACTS } from './facts.ts'
import type { Effect, MethodFacts } from './method.ts'
import type { MethodName } from './methods.ts'

const facts = Object.entries(METHOD_FACTS) as readonly (readonly [MethodName, MethodFacts])[]

/** What a call of each method does. */
export const EFFECTS = Object.fromEntries(facts.map(([name, { effect }]) => [name, effect])) as Readonly<
  Record<MethodName, Effect>
>

/** The methods behind other names. */
export const ALIASES: Readonly<Record<string, MethodName>> = Object.fromEntries(
  facts.flatMap(([name, { aliases = [] }]) => aliases.map((alias) => [alias, name])),
)
