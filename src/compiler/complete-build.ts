import { isObject, type JsonObject } from '#primitives/json-object.ts'
import type { Build, BuildContract, Code } from '#solidity/build/build.ts'
import { BuildError } from '#solidity/build/json.ts'
import { readStandardJson } from '#solidity/build/read-standard-json.ts'
import type { BuildTexts } from '#solidity/worker/pack-build.ts'
import { type Solc, versionOf } from './soljson.ts'
import { inputWith } from './standard-json.ts'

/**
 * Compiles a build's sources once more for what its output lacks: ASTs, layouts, entries of functions, metadata. Contracts
 * whose code is not the same, byte by byte, are left out.
 *
 * @param texts - As `PackedBuild`, unpacked.
 * @param onRead - Called before the compiler runs.
 * @returns `undefined` if it is of another compiler, its sources are not all there, or no code is the same.
 */
export function completeBuild(
  solc: Pick<Solc, 'version' | 'compile'>,
  texts: Uint8Array<ArrayBuffer>,
  onRead: () => void = () => {},
): BuildTexts | undefined {
  try {
    const [compiler, givenInput, givenOutput, claimed] = JSON.parse(new TextDecoder().decode(texts)) as string[]
    // Sources that nobody compiled have no code to compare with.
    if (compiler !== versionOf(solc) || claimed !== undefined) return undefined
    const given: unknown = JSON.parse(givenInput ?? '')
    const input = isObject(given) ? wholeInput(given) : undefined
    if (input === undefined) return undefined
    onRead()
    const output: unknown = JSON.parse(solc.compile(input))
    const known = readStandardJson({ input: given, output: JSON.parse(givenOutput ?? ''), compiler })
    const left = onlySame(output, known, readStandardJson({ input: JSON.parse(input), output, compiler }))
    return left && { compiler, input, output: JSON.stringify(left) }
  } catch (error) {
    if (error instanceof BuildError || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** A compilation's input with all outputs asked for; `undefined` if it is not Solidity, or has sources without their texts. */
function wholeInput({ language, sources, settings }: JsonObject): string | undefined {
  if (language !== 'Solidity' || !isObject(sources) || !isObject(settings)) return undefined
  const files = Object.entries(sources).map(([path, source]) => [
    path,
    isObject(source) ? source['content'] : undefined,
  ])
  if (files.length === 0 || files.some(([, content]) => typeof content !== 'string')) return undefined
  const { stopAfter: _stop, modelChecker: _checker, ...rest } = settings
  return inputWith(Object.fromEntries(files) as Readonly<Record<string, string>>, rest)
}

/** An output with only those contracts whose code is also in another build; `undefined` if there are none. */
function onlySame(output: unknown, known: Build, made: Build): JsonObject | undefined {
  const before = new Map(known.contracts.map((contract) => [keyOf(contract), contract]))
  const same = new Set(made.contracts.filter((contract) => isSame(contract, before.get(keyOf(contract)))).map(keyOf))
  if (same.size === 0 || !isObject(output) || !isObject(output['contracts'])) return undefined
  const contracts = Object.entries(output['contracts']).map(([path, named]) => [
    path,
    Object.fromEntries(Object.entries(isObject(named) ? named : {}).filter(([name]) => same.has(`${path}:${name}`))),
  ])
  return { ...output, contracts: Object.fromEntries(contracts) }
}

function keyOf({ path, name }: BuildContract): string {
  return `${path}:${name}`
}

function isSame(made: BuildContract, known: BuildContract | undefined): boolean {
  if (!known || !made.deployed || made.deployed.bytes.length === 0) return false
  return hasBytes(made.deployed, known.deployed) && hasBytes(made.creation, known.creation)
}

function hasBytes(made: Code | undefined, known: Code | undefined): boolean {
  if (!made || !known) return made === known
  return made.bytes.length === known.bytes.length && made.bytes.every((byte, i) => byte === known.bytes[i])
}
