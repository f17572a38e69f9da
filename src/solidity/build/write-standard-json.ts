import { bytesToHex } from '#primitives/hex.ts'
import type { Build, BuildContract, ByteRange, Code } from './build.ts'

/** The compiler's standard JSON input and output. */
export interface WrittenJson {
  readonly input: object
  readonly output: object
}

/** What a compiler outputs if the sources are compiled again; by default it would output nothing. */
const OF_CONTRACTS = { '*': { '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode'] } }

/**
 * Writes a build that was read from artifacts as standard JSON. `readStandardJson` reads the same build from it. What a
 * build does not have, such as metadata, is missing.
 */
export function writeStandardJson({ language, settings, sources, contracts }: Build): WrittenJson {
  const { optimizer, runs, viaIR, evmVersion, given } = settings
  const known = { optimizer: { enabled: optimizer, runs }, viaIR, ...(evmVersion !== undefined && { evmVersion }) }
  return {
    input: {
      language,
      settings: { ...(given ?? known), outputSelection: OF_CONTRACTS },
      sources: Object.fromEntries(
        sources.flatMap(({ path, content }) => (content === undefined ? [] : [[path, { content }]])),
      ),
    },
    output: {
      sources: Object.fromEntries(sources.map(({ path, id, ast }) => [path, { id, ast }])),
      contracts: gathered(
        contracts,
        ({ path }) => path,
        (ofSource) => Object.fromEntries(ofSource.map((contract) => [contract.name, writtenContract(contract)])),
      ),
    },
  }
}

function writtenContract({ abi, creation, deployed, storageLayout, userdoc, devdoc }: BuildContract): object {
  const evm = {
    ...(creation && { bytecode: writtenCode(creation) }),
    ...(deployed && { deployedBytecode: writtenCode(deployed) }),
  }
  return { abi, storageLayout, userdoc, devdoc, evm }
}

function writtenCode({ bytes, sourceMap, links, immutables, generatedSources, functions }: Code): object {
  return {
    object: bytesToHex(bytes).slice(2),
    sourceMap,
    generatedSources,
    linkReferences: gathered(
      links,
      ({ path }) => path,
      (ofSource) => gathered(ofSource, ({ library }) => library, writtenRanges),
    ),
    immutableReferences: gathered(immutables, ({ id }) => String(id), writtenRanges),
    functionDebugData: Object.fromEntries(
      functions.map(({ name, entry, ...rest }) => [name, { ...rest, entryPoint: entry }]),
    ),
  }
}

function writtenRanges(ranges: readonly ByteRange[]): readonly ByteRange[] {
  return ranges.map(({ start, length }) => ({ start, length }))
}

/** Groups items by key into an object; any name can be a key. */
function gathered<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  write: (same: readonly Item[]) => unknown,
): Readonly<Record<string, unknown>> {
  const byKey = new Map<string, Item[]>()
  for (const item of items) {
    const same = byKey.get(keyOf(item))
    if (same) same.push(item)
    else byKey.set(keyOf(item), [item])
  }
  return Object.fromEntries([...byKey].map(([key, same]) => [key, write(same)]))
}
