import { APPROVALS } from '#client/wallet/approvals.derived.ts'
import type { Address } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import type { OpenRpcMethod } from '#rpc-types/open-rpc.ts'
import { refName } from '#ui/screens/rpc-console/schema/resolve-schema.ts'

/** Where a request names the account that it is from. */
export interface AccountPlace {
  /** Position among the parameters. */
  readonly at: number
  /** Whether it is the member `from` of an object there. */
  readonly isMember: boolean
  /** Whether the node sends or signs for the account: it then needs the key, or impersonates it. */
  readonly needsKey: boolean
}

/** Where a method's parameters name the account that sends, signs or calls; `undefined` if they do not. */
export function accountPlace(method: OpenRpcMethod): AccountPlace | undefined {
  const approval = Object.hasOwn(APPROVALS, method.name) ? APPROVALS[method.name] : undefined
  switch (approval?.asks) {
    case 'message':
      return { at: approval.account, isMember: false, needsKey: true }
    case 'typed-data':
      return { at: 0, isMember: false, needsKey: true }
    case 'transaction':
    case 'calls':
      return { at: 0, isMember: true, needsKey: true }
    default: {
      const at = method.params.findIndex(({ schema }) => refName(schema) === 'RpcCall')
      return at < 0 ? undefined : { at, isMember: true, needsKey: false }
    }
  }
}

/** The account that a request names; `undefined` if it names none. */
export function namedAccount({ at, isMember }: AccountPlace, params: readonly unknown[]): Address | undefined {
  const value = params[at]
  const named = isMember ? (isObject(value) ? value['from'] : undefined) : value
  return typeof named === 'string' && /^0x[\da-f]{40}$/i.test(named) ? (named.toLowerCase() as Address) : undefined
}

/** The parameters with another account. */
export function withAccount(
  { at, isMember }: AccountPlace,
  params: readonly unknown[],
  account: Address,
): readonly unknown[] {
  const filled: unknown[] = Array.from({ length: Math.max(at + 1, params.length) }, (_, i) => params[i] ?? null)
  const before = filled[at]
  filled[at] = isMember ? { ...(isObject(before) ? before : {}), from: account } : account
  return filled
}
