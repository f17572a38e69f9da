import { METHOD_FACTS } from '#rpc-types/facts.ts'
import type { MethodFacts } from '#rpc-types/method.ts'

/** Parameters that make sense, with placeholders for what is there on this chain, by method. */
export const EXAMPLES: Readonly<Record<string, readonly unknown[]>> = Object.fromEntries(
  Object.entries<MethodFacts>(METHOD_FACTS).flatMap(([name, { example }]) => (example ? [[name, example]] : [])),
)
