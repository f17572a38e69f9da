import { isObject } from '#primitives/json-object.ts'
import type { ForkHost, ForkTarget } from '../../../fork/fork-host.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { cannotUnmarshal, jsonType, optional, type Param, ParamError } from '../../params/param.ts'
import { integerWithin } from '../../params/plain-params.ts'
import { answeringNull, answeringTrue } from './answering.ts'
import { resetNode } from './state.ts'

/** Most characters of an endpoint's address. */
const MAX_URL = 2_048

const BLOCK_NUMBER = integerWithin(0, Number.MAX_SAFE_INTEGER)

/** The address of an endpoint. Errors do not repeat it: it may hold a key. */
const endpointUrl: Param<string> = {
  parse(value) {
    if (typeof value !== 'string') throw cannotUnmarshal(jsonType(value), 'value of type string')
    if (value.length <= MAX_URL && /^https?:\/\/./i.test(value)) return value
    throw new ParamError('the address of a JSON-RPC endpoint begins with http:// or https://')
  },
}

/** The options of `anvil_reset` and `hardhat_reset`: the chain to fork, if any. viem leaves its members out, or `null`. */
const resetOptions: Param<ForkTarget | undefined> = {
  parse(value) {
    if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'value of type struct')
    const { forking } = value
    if (forking === undefined || forking === null) return undefined
    if (!isObject(forking)) throw cannotUnmarshal(jsonType(forking), 'struct field forking')
    const given = <Parsed>(field: string, param: Param<Parsed>): Parsed | undefined => {
      const member = forking[field]
      return member === undefined || member === null ? undefined : param.parse(member)
    }
    const [url, number] = [given('jsonRpcUrl', endpointUrl), given('blockNumber', BLOCK_NUMBER)]
    return { ...(url !== undefined && { jsonRpcUrl: url }), ...(number !== undefined && { blockNumber: number }) }
  },
}

async function reset(context: CallerContext, target: ForkTarget | undefined): Promise<void> {
  const { fork, forkHost } = context
  const namesNothing = target?.jsonRpcUrl === undefined && target?.blockNumber === undefined
  // A chain that is no fork starts over, as does one that is kept, and one whose host has no other.
  const startsOver = fork && forkHost ? !target && forkHost.isKept : namesNothing
  if (startsOver) return resetNode(context)
  await hostFor(context, target?.jsonRpcUrl).reset(target)
}

const setUrl = (context: CallerContext, url: string) => hostFor(context, url).setUrl(url)

/**
 * The host, if the caller may name that address.
 *
 * @throws {RpcRefusedError}
 */
function hostFor({ caller, fork, forkHost }: CallerContext, url: string | undefined): ForkHost {
  if (url !== undefined && caller.foreign) {
    const why = 'a page of another site may not choose which hosts this node calls: do it from a program or localhost'
    throw new RpcRefusedError('unauthorized', why)
  }
  if (forkHost) return forkHost
  const why = fork
    ? 'this fork stays with its endpoint and block: open ?fork=URL@BLOCK or begin another one; an exported file of it goes on with blinknet --load-state FILE --fork-url URL'
    : 'this chain cannot be made a fork: start another one with --fork-url'
  throw new RpcRefusedError('server', why)
}

/** Methods that make the chain a fork of another one. */
export const ANVIL_FORK_METHODS = {
  /** Starts over, also as a fork. */
  anvil_reset: defineMethod([optional(resetOptions, undefined)], answeringNull(reset)),
  hardhat_reset: defineMethod([optional(resetOptions, undefined)], answeringTrue(reset)),

  /** The endpoint from which a fork fetches what it lacks. */
  anvil_setRpcUrl: defineMethod([endpointUrl], answeringNull(setUrl)),
  hardhat_setRpcUrl: defineMethod([endpointUrl], answeringTrue(setUrl)),
} satisfies Partial<MethodTable>
