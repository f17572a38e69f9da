import { toQuantity } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import type { RpcPermission } from '#rpc-types/methods/wallet.ts'
import { quote } from '../../../spec/parse-option.ts'
import type { NodeContext } from '../../context.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { parseAddress, parseBig } from '../../params/hex-params.ts'
import { cannotUnmarshal, jsonType, type Param, ParamError } from '../../params/param.ts'
import { sendingAccounts } from '../../sending/signer.ts'

/** Always granted, since the accounts are available to everyone. */
function permissions(context: NodeContext): readonly RpcPermission[] {
  return [
    {
      parentCapability: 'eth_accounts',
      caveats: [{ type: 'restrictReturnedAccounts', value: sendingAccounts(context) }],
    },
  ]
}

const object: Param<Readonly<Record<string, unknown>>> = {
  parse(value) {
    if (isObject(value)) return value
    throw cannotUnmarshal(jsonType(value), 'value of type object')
  },
}

/** The `chainId` of an object; the other members are for wallets with an interface. */
const chainId: Param<bigint> = { parse: (value) => parseBig(object.parse(value)['chainId'], 'chainId') }

const asset: Param<true> = {
  parse(value) {
    const { type, options } = object.parse(value)
    if (typeof type !== 'string') throw new ParamError('the type of the asset is missing')
    parseAddress(object.parse(options)['address'], 'options.address')
    return true
  },
}

/** Wallet basics: accounts, permissions, the chain. */
export const WALLET_METHODS = {
  /** There is only one chain. */
  wallet_addEthereumChain: defineMethod([chainId], ({ spec }, id) => {
    if (id === BigInt(spec.chainId)) return null
    throw new RpcRefusedError('invalid-params', `chain ${toQuantity(id)} cannot be added: ${onlyChain(spec)}`)
  }),

  /** Only accepts this chain. */
  wallet_switchEthereumChain: defineMethod([chainId], ({ spec }, id) => {
    if (id === BigInt(spec.chainId)) return null
    throw new RpcRefusedError('unrecognized-chain', `Unrecognized chain ID "${toQuantity(id)}": ${onlyChain(spec)}`)
  }),

  /** A node has no list of assets, so it accepts any. EIP-747 sends an object as params. */
  wallet_watchAsset: defineMethod([asset], (_context, _asset) => true, { takesObject: true }),

  wallet_getPermissions: defineMethod([], permissions),

  /** `eth_accounts` is granted; there is no other permission. */
  wallet_requestPermissions: defineMethod([object], (context, requested) => {
    const unknown = Object.keys(requested).find((capability) => capability !== 'eth_accounts')
    if (unknown === undefined) return permissions(context)
    throw new RpcRefusedError('invalid-params', `invalid argument 0: unknown permission ${quote(unknown)}`)
  }),
} satisfies Partial<MethodTable>

function onlyChain(spec: NodeContext['spec']): string {
  return `this node has chain ${toQuantity(spec.chainId)} only`
}
