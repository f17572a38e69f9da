import type { LogMethods } from '#rpc-types/families/log-methods.ts'
import type { MethodTable } from '../define-method.ts'

/** Does not compile while a method of the contract is missing. */
export const LOG_METHODS: MethodTable<keyof LogMethods> = {}
