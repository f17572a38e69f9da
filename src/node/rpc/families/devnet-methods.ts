import type { DevnetMethods } from '#rpc-types/families/devnet-methods.ts'
import type { MethodTable } from '../define-method.ts'

/** Does not compile while a method of the contract is missing. */
export const DEVNET_METHODS: MethodTable<keyof DevnetMethods> = {}
