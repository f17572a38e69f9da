import type { DebugMethods } from '#rpc-types/families/debug-methods.ts'
import type { MethodTable } from '../define-method.ts'

/** Does not compile while a method of the contract is missing. */
export const DEBUG_METHODS: MethodTable<keyof DebugMethods> = {}
