import { isObject } from '#primitives/json-object.ts'
import type { AbiEntry, AbiParameter } from './build.ts'
import { BuildError, listAt, optionalText, textAt } from './json.ts'

/** Most entries of one ABI, and most parameters of one entry or struct. */
const ABI_LIMIT = 10_000
/** Deepest struct within structs. */
const ABI_DEPTH_LIMIT = 32

const KINDS: ReadonlySet<string> = new Set(['function', 'constructor', 'fallback', 'receive', 'event', 'error'])
const MUTABILITIES: ReadonlySet<string> = new Set(['pure', 'view', 'nonpayable', 'payable'])

/** Reads an ABI, without entries of unknown kinds. @throws {BuildError} */
export function readAbi(value: unknown, where: string): AbiEntry[] {
  return listAt(value, where, ABI_LIMIT)
    .filter(isObject)
    .filter(({ type }) => KINDS.has(optionalText(type) ?? 'function'))
    .map((entry) => {
      const name = optionalText(entry['name'])
      const mutability = optionalText(entry['stateMutability']) ?? legacyMutability(entry)
      return {
        type: (optionalText(entry['type']) ?? 'function') as AbiEntry['type'],
        ...(name === undefined ? {} : { name }),
        inputs: readParameters(entry['inputs'], where, 0),
        ...(entry['outputs'] === undefined ? {} : { outputs: readParameters(entry['outputs'], where, 0) }),
        ...(MUTABILITIES.has(mutability ?? '')
          ? { stateMutability: mutability as NonNullable<AbiEntry['stateMutability']> }
          : {}),
        ...(entry['anonymous'] === true ? { anonymous: true } : {}),
      }
    })
}

/** Compilers before 0.4.16 wrote two flags instead of `stateMutability`. */
function legacyMutability({ payable, constant }: { payable?: unknown; constant?: unknown }): string | undefined {
  if (payable === true) return 'payable'
  if (constant === true) return 'view'
  return payable === false ? 'nonpayable' : undefined
}

function readParameters(value: unknown, where: string, depth: number): AbiParameter[] {
  if (depth > ABI_DEPTH_LIMIT) throw new BuildError(`${where} has structs more than ${ABI_DEPTH_LIMIT} levels deep`)
  return listAt(value, where, ABI_LIMIT)
    .filter(isObject)
    .map((parameter) => {
      const internalType = optionalText(parameter['internalType'])
      return {
        name: optionalText(parameter['name']) ?? '',
        type: textAt(parameter['type'], `${where}.type`),
        ...(internalType === undefined ? {} : { internalType }),
        ...(parameter['indexed'] === true ? { indexed: true } : {}),
        ...(parameter['components'] === undefined
          ? {}
          : { components: readParameters(parameter['components'], where, depth + 1) }),
      }
    })
}
