import type { METHOD_FACTS } from '#rpc-types/facts.ts'
import type { MethodSubject } from '#rpc-types/method.ts'
import type { MethodName } from '#rpc-types/methods.ts'
import { SUBJECTS } from './subjects.derived.ts'

const NOTHING = { about: 'nothing' } as const

/** What a method is about, which decides who answers it on a fork. */
export function subjectOf(method: MethodName): MethodSubject {
  return SUBJECTS[method] ?? NOTHING
}

type Subjects = { readonly [Name in MethodName]: (typeof METHOD_FACTS)[Name]['subject']['about'] }

/** The methods that are about something that the endpoint may have. */
export type RoutedMethod = { [Name in MethodName]: Subjects[Name] extends 'nothing' | 'own' ? never : Name }[MethodName]

/** The methods about blocks of both sides. */
export type JoinedMethod = { [Name in MethodName]: Subjects[Name] extends 'both' ? Name : never }[MethodName]
