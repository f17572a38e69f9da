import type { Address } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import type { AtomicStatus } from '#rpc-types/node-options.ts'
import { OPTION_KINDS } from '#rpc-types/option-tables.derived.ts'
import { parseAddress, parseBig, parseData } from '../../params/hex-params.ts'
import { jsonType, type Param, ParamError } from '../../params/param.ts'

/** A call of a bundle; values that were left out are `undefined`. */
export interface BundledCall {
  /** `undefined` creates a contract. */
  readonly to: Address | undefined
  readonly data: Uint8Array | undefined
  /** Wei. */
  readonly value: bigint | undefined
}

/** The parameter of `wallet_sendCalls`. */
export interface Bundle {
  readonly id: string | undefined
  readonly from: Address | undefined
  readonly chainId: bigint
  readonly atomicRequired: boolean
  /** Whether the sender may be delegated for it. */
  readonly upgrade: boolean
  /** Whether calls are sent although they are expected to fail. */
  readonly mayFail: boolean
  readonly calls: readonly BundledCall[]
  /** Names of the capabilities required by the bundle or one of its calls. */
  readonly requiredCapabilities: readonly string[]
}

type Fields = Readonly<Record<string, unknown>>

const VERSION = '2.0.0'
/** The capability that sends calls although they are expected to fail. */
const MAY_FAIL = 'mayFail'
const MAX_ID_LENGTH = 4_096

/** The id of a bundle. */
export const bundleId: Param<string> = {
  parse(value) {
    if (typeof value === 'string' && value.length <= MAX_ID_LENGTH) return value
    throw new ParamError(`the id of a bundle is a text of at most ${MAX_ID_LENGTH} characters`)
  },
}

/** @see {@link https://eips.ethereum.org/EIPS/eip-5792 | EIP-5792} */
export const bundle: Param<Bundle> = {
  parse(value) {
    const { version, id, from, chainId, atomicRequired, upgrade, calls, capabilities } = asObject(value, 'the bundle')
    if (version !== VERSION) throw new ParamError(`the version of a bundle must be "${VERSION}"`)
    if (typeof atomicRequired !== 'boolean') throw new ParamError('atomicRequired must be true or false')
    if (upgrade !== undefined && typeof upgrade !== 'boolean') throw new ParamError('upgrade must be true or false')
    if (!Array.isArray(calls) || calls.length === 0) throw new ParamError('a bundle must have at least one call')
    const items = calls.map((call: unknown, i) => asObject(call, `calls[${i}]`))
    const wanted = given(capabilities, (names) => asObject(names, 'capabilities'))
    return {
      id: given(id, (text) => bundleId.parse(text)),
      from: given(from, (text) => parseAddress(text, 'from')),
      chainId: parseBig(chainId, 'chainId'),
      atomicRequired,
      upgrade: upgrade ?? true,
      mayFail: wanted !== undefined && Object.hasOwn(wanted, MAY_FAIL),
      calls: items.map((call, i) => parseCall(call, `calls[${i}]`)),
      requiredCapabilities: [
        ...required(wanted).filter((name) => name !== MAY_FAIL),
        ...items.flatMap((call) => required(call['capabilities'])),
      ],
    }
  },
}

/** A status of the capability `atomic`. */
export const atomicStatus: Param<AtomicStatus> = {
  parse(value) {
    const { words } = OPTION_KINDS.atomic
    const status = words.find((word) => word === value)
    if (status !== undefined) return status
    throw new ParamError(`the status of atomic bundles must be one of ${words.join(', ')}`)
  },
}

/** The chain ids of `wallet_getCapabilities`. */
export const chainIds: Param<readonly bigint[]> = {
  parse(value) {
    if (!Array.isArray(value)) throw new ParamError(`the list of chain ids must be an array, not ${jsonType(value)}`)
    return value.map((item: unknown) => parseBig(item))
  },
}

function parseCall({ to, data, value }: Fields, field: string): BundledCall {
  return {
    to: given(to, (text) => parseAddress(text, `${field}.to`)),
    data: given(data, (text) => parseData(text, `${field}.data`)),
    value: given(value, (text) => parseBig(text, `${field}.value`)),
  }
}

function required(capabilities: unknown): string[] {
  if (capabilities === undefined || capabilities === null) return []
  return Object.entries(asObject(capabilities, 'capabilities'))
    .filter(([name, wanted]) => asObject(wanted, `capabilities.${name}`)['optional'] !== true)
    .map(([name]) => name)
}

function given<Value>(value: unknown, parse: (value: unknown) => Value): Value | undefined {
  return value === undefined || value === null ? undefined : parse(value)
}

function asObject(value: unknown, what: string): Fields {
  if (isObject(value)) return value
  throw new ParamError(`${what} must be an object, not ${value === undefined ? 'missing' : jsonType(value)}`)
}
