import type { METHOD_FACTS } from '#rpc-types/facts.ts'
import type { MethodSubject } from '#rpc-types/method.ts'
import type { MethodName } from '#rpc-types/methods.ts'
import { SUBJECTS } from './subjects.derived.ts'

const NOTHING = { about: 'nothing' } as const

/** What a method is about, which decides who answers it on a fork. */
export function subjectOf(method: MethodName): MethodSubject {
  return SUBJECTS[method] ?? NOTHING
}

type Facts = typeof METHOD_FACTS
type NamesAbout<About extends MethodSubject['about']> = {
  [Name in keyof Facts]: Facts[Name]['subject']['about'] extends About ? Name : never
}[keyof Facts]

/** The methods that are about something that the endpoint may have. */
export type RoutedMethod = Exclude<keyof Facts, NamesAbout<'nothing' | 'own'>>

/** The methods about blocks of both sides. */
export type JoinedMethod = NamesAbout<'both'>
