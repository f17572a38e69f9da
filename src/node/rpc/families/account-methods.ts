import type { AccountMethods } from '#rpc-types/families/account-methods.ts'
import type { MethodTable } from '../define-method.ts'

/** Does not compile while a method of the contract is missing. */
export const ACCOUNT_METHODS: MethodTable<keyof AccountMethods> = {}
