import { isObject } from '#primitives/json-object.ts'
import { type CallArgs, callArgs } from '../calls/call-params.ts'
import { parseUint64 } from '../params/hex-params.ts'
import type { Param } from '../params/param.ts'

/** A transaction object as sent; members that were left out or `null` are `undefined`. */
export interface TransactionArgs extends CallArgs {
  /** EIP-2718. */
  readonly type: bigint | undefined
  /** Whether there is an authorization list, even an empty one. */
  readonly authorizes: boolean
}

/** The transaction object of `eth_sendTransaction`; unknown members are ignored. */
export const transactionArgs: Param<TransactionArgs> = {
  parse(value) {
    const args = callArgs.parse(value)
    const fields = isObject(value) ? value : {}
    const present = (name: string) => fields[name] !== undefined && fields[name] !== null
    return {
      ...args,
      type: present('type') ? parseUint64(fields['type'], 'TransactionArgs.type') : undefined,
      authorizes: present('authorizationList'),
    }
  },
}
