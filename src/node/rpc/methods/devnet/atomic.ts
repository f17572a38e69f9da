import { defineMethod, type MethodTable } from '../../define-method.ts'
import { atomicStatus } from '../wallet/bundle-params.ts'

/** What the node's wallet does with bundles of calls. */
export const DEVNET_ATOMIC_METHODS = {
  /** Accounts that are delegated already stay so. */
  devnet_setAtomicBundles: defineMethod([atomicStatus], ({ settings }, status) => {
    settings.atomic = status
    return true
  }),
} satisfies Partial<MethodTable>
