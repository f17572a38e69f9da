import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { CallerContext } from '../define-method.ts'
import type { Dialect } from './dialect.ts'

/** The dialect that the options ask for. */
export async function openDialect({ as }: NodeOptions): Promise<Dialect<CallerContext> | undefined> {
  switch (as) {
    case 'anvil':
      return (await import('./anvil.ts')).ANVIL
    case 'hardhat':
      return (await import('./hardhat.ts')).HARDHAT
    default:
      // Any other value is refused with the other options.
      return undefined
  }
}
