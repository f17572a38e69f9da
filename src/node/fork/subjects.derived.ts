import { METHOD_FACTS } from '#rpc-types/facts.ts'
import type { MethodFacts, MethodSubject } from '#rpc-types/method.ts'

/** What methods are about, without those that are about nothing. */
export const SUBJECTS: Readonly<Record<string, MethodSubject>> = Object.fromEntries(
  Object.entries<MethodFacts>(METHOD_FACTS).flatMap(([name, { subject }]) =>
    subject.about === 'nothing' ? [] : [[name, subject]],
  ),
)
