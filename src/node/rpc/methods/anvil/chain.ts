import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { hash } from '../../params/hex-params.ts'
import { integerWithin } from '../../params/plain-params.ts'

function refuseChainId({ spec }: CallerContext, wanted: number): never {
  const why = 'its blocks, which are executed again to be traced and to be opened, were signed for that id'
  const advice = `start a chain with --chain-id ${wanted}, or several with --chains`
  throw new RpcRefusedError('server', `the chain keeps its id, ${spec.chainId}: ${why}; ${advice}`)
}

/** The chain as anvil's own methods tell of it. */
export const ANVIL_CHAIN_METHODS = {
  /** Refused. */
  anvil_setChainId: defineMethod([integerWithin(0, Number.MAX_SAFE_INTEGER)], refuseChainId),

  /** Seconds since the Unix epoch. */
  anvil_getGenesisTime: defineMethod([], ({ chain }) => chain.first().header.timestamp),

  /** There are no blob transactions. */
  anvil_getBlobByHash: defineMethod([hash], (_context, _versionedHash) => null),

  /** There are no blob transactions. */
  anvil_getBlobsByTransactionHash: defineMethod([hash], (_context, _hash) => null),
} satisfies Partial<MethodTable>
