import { hexToBytes } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import type { ByteRange, Code, FunctionEntry, GeneratedSource, ImmutableReference, LinkReference } from './build.ts'
import { BuildError, countAt, entriesAt, isCount, listAt, objectAt, optionalText, textAt } from './json.ts'

/** Longest code, in bytes; chains accept 24,576 by default. */
export const CODE_LIMIT = 1 << 20
/** Longest source map, in characters. */
export const SOURCE_MAP_LIMIT = 16 << 20
/** Most libraries, immutables and generated sources of one code, and most references to each. */
const REFERENCE_LIMIT = 4_096
/** Most internal functions of one code. */
const FUNCTION_LIMIT = 65_536

/**
 * Reads `evm.bytecode` or `evm.deployedBytecode` of standard JSON, or the same objects of Foundry's artifacts.
 *
 * @returns `undefined` if there is no code, as for an interface.
 * @throws {BuildError}
 */
export function readCode(value: unknown, where: string): Code | undefined {
  if (value === undefined || value === null) return undefined
  const code = objectAt(value, where)
  const object = textAt(code['object'] ?? '', `${where}.object`).replace(/^0x/, '')
  if (object === '') return undefined
  const bytes = readObject(object, where)
  const sourceMap = optionalText(code['sourceMap']) ?? ''
  if (sourceMap.length > SOURCE_MAP_LIMIT)
    throw new BuildError(`${where}.sourceMap has more than ${SOURCE_MAP_LIMIT} characters`)
  return {
    bytes,
    sourceMap,
    links: readLinks(code['linkReferences'], bytes.length, where),
    immutables: readImmutables(code['immutableReferences'], bytes.length, where),
    generatedSources: readGenerated(code['generatedSources'], where),
    functions: readFunctions(code['functionDebugData'], where),
  }
}

/** Reads hex with placeholders for libraries: `__$<hash>$__`, or `__path:Name____` from old compilers. */
function readObject(object: string, where: string): Uint8Array {
  if (object.length > 2 * CODE_LIMIT) throw new BuildError(`${where} has more than ${CODE_LIMIT} bytes`)
  const digits = object.replaceAll(/__.{38}/gs, '0'.repeat(40))
  try {
    return hexToBytes(`0x${digits}`)
  } catch {
    throw new BuildError(`${where}.object is not hex`)
  }
}

function readRange(value: unknown, size: number, where: string): ByteRange {
  const range = objectAt(value, where)
  const start = countAt(range['start'], `${where}.start`)
  const length = countAt(range['length'], `${where}.length`)
  if (start + length > size) throw new BuildError(`${where} is outside the code`)
  return { start, length }
}

function readLinks(value: unknown, size: number, where: string): LinkReference[] {
  const links: LinkReference[] = []
  for (const [path, libraries] of entriesAt(value, `${where}.linkReferences`, REFERENCE_LIMIT)) {
    for (const [library, ranges] of entriesAt(libraries, `${where}.linkReferences`, REFERENCE_LIMIT)) {
      for (const range of listAt(ranges, `${where}.linkReferences`, REFERENCE_LIMIT)) {
        links.push({ path, library, ...readRange(range, size, `${where}.linkReferences`) })
      }
    }
  }
  return links
}

function readImmutables(value: unknown, size: number, where: string): ImmutableReference[] {
  const immutables: ImmutableReference[] = []
  for (const [id, ranges] of entriesAt(value, `${where}.immutableReferences`, REFERENCE_LIMIT)) {
    for (const range of listAt(ranges, `${where}.immutableReferences`, REFERENCE_LIMIT)) {
      immutables.push({ id: Number(id), ...readRange(range, size, `${where}.immutableReferences`) })
    }
  }
  return immutables
}

function readGenerated(value: unknown, where: string): GeneratedSource[] {
  return listAt(value, `${where}.generatedSources`, REFERENCE_LIMIT)
    .filter(isObject)
    .map((source) => ({
      id: countAt(source['id'], `${where}.generatedSources.id`),
      name: optionalText(source['name']) ?? '#utility.yul',
    }))
}

function readFunctions(value: unknown, where: string): FunctionEntry[] {
  const functions: FunctionEntry[] = []
  for (const [name, debug] of entriesAt(value, `${where}.functionDebugData`, FUNCTION_LIMIT)) {
    if (!isObject(debug) || !isCount(debug['entryPoint'])) continue
    functions.push({
      name,
      id: isCount(debug['id']) ? debug['id'] : undefined,
      entry: debug['entryPoint'],
      parameterSlots: isCount(debug['parameterSlots']) ? debug['parameterSlots'] : 0,
      returnSlots: isCount(debug['returnSlots']) ? debug['returnSlots'] : 0,
    })
  }
  return functions
}
