import type { DevKey } from '#rpc-types/dev-keys.ts'
import { NEXT_DEV_KEYS } from '#rpc-types/next-dev-keys.ts'

/** The accounts that send the load: none of the development accounts, so that it never uses their nonces. */
export const LOAD_ACCOUNTS: readonly DevKey[] = NEXT_DEV_KEYS
