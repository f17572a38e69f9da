import { METHOD_FACTS } from '#rpc-types/facts.ts'
import type { Approval, MethodFacts } from '#rpc-types/method.ts'

/** What a wallet asks a person before a call, by the method's names. */
export const APPROVALS: Readonly<Record<string, Approval>> = Object.fromEntries(
  Object.entries<MethodFacts>(METHOD_FACTS).flatMap(([name, { approval, aliases = [] }]) =>
    approval ? [name, ...aliases].map((each) => [each, approval] as const) : [],
  ),
)

/** Methods that hand in what the dapp has signed already: nobody is asked. */
export const SIGNED_ALREADY: readonly string[] = Object.entries<MethodFacts>(METHOD_FACTS).flatMap(
  ([name, { effect }]) => (effect === 'submits' || effect === 'awaits' ? [name] : []),
)
