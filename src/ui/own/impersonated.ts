import { create } from 'zustand'
import type { Address } from '#primitives/hex.ts'

/** Accounts that the chain sends for without their keys, as far as the page knows. */
export const useImpersonated = create<ReadonlySet<Address>>(() => new Set())

/** What that means. */
export const IMPERSONATED = 'Impersonated: this chain sends for the account without its key.'
