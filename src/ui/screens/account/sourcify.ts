import { keccak256, stringToBytes } from 'viem'
import { isShipped } from '#client/solidity-compiler.ts'
import type { Address, Hex } from '#primitives/hex.ts'
import { type JsonObject, parsedJson } from '#primitives/json-object.ts'
import { isNestedDeeperThan } from '#primitives/json-text.ts'
import type { Claim } from '#solidity/build/build.ts'
import {
  type ContractMetadata,
  claimedOutput,
  inputOf,
  isMetadata,
  isSourcifyAnswer,
  readMetadata,
  readSourcifyAnswer,
  sourcesOf,
} from '#solidity/build/contract-metadata.ts'
import { BuildError } from '#solidity/build/json.ts'
import { metadataHashIn, metadataHashOf } from '#solidity/code/metadata-hash.ts'
import type { PackedBuild } from '#solidity/worker/pack-build.ts'
import { packTexts } from '#solidity/worker/pack-texts.ts'
import { isAbi } from '#ui/decode/parse-abi.ts'
import type { ChosenFile } from '#ui/screens/contracts/project/found-files.ts'
import { ProjectError } from '#ui/screens/contracts/project/read-project.ts'

/** The file that has a contract's metadata in Sourcify's folders, beside the folder `sources`. */
export const METADATA_FILE = 'metadata.json'
/** Longest metadata or answer, and most bytes of the sources beside it. */
const MAX_METADATA_BYTES = 8 << 20
const MAX_SOURCES_BYTES = 16 << 20
/** Most levels of lists and objects in it: far more than structs in an ABI take, and few enough for any browser's stack. */
const MAX_DEPTH = 1_000
/** Characters that are hashed before others have the page's thread. */
const AT_ONCE = 1 << 18

/** A contract as Sourcify gives it: its metadata, and the sources that it names. */
export interface GivenContract {
  readonly kind: 'metadata'
  readonly metadata: ContractMetadata
  /** By path. Those that are missing were not given. */
  readonly sources: ReadonlyMap<string, string>
  /** The file's hash on IPFS, by which the code may name it; `undefined` if nobody can tell. */
  readonly ipfsHash: Hex | undefined
}

/** Whether the page has the compiler and all sources, so that it can compile them and compare the code. */
export function isCompilable({ metadata, sources }: GivenContract): boolean {
  return isShipped(metadata.compiler) && metadata.language === 'Solidity' && sources.size === metadata.sources.length
}

/** The compiler's standard JSON input of a contract. */
export function inputFile({ metadata, sources }: GivenContract): Blob {
  return new Blob([JSON.stringify(inputOf(metadata, sources))])
}

/**
 * The contract in Sourcify's folders (`full_match/1/0x…/metadata.json`), or beside a single `metadata.json`; `undefined` if
 * there is no metadata.
 *
 * @param address - Whose it has to be, if several are there.
 * @throws {ProjectError} If there is only that of other contracts, or it cannot be read.
 */
export async function findGiven(files: readonly ChosenFile[], address: Address): Promise<GivenContract | undefined> {
  const named = files.filter(({ path }) => path.slice(path.lastIndexOf('/') + 1) === METADATA_FILE)
  const own = named.filter(({ path }) => path.toLowerCase().includes(address))
  const all = await compilersAmong(own.length > 0 ? own : named)
  const [chosen, ...more] = all
  if (!chosen) return undefined
  const others = all.flatMap(({ file: { path } }) => /0x[0-9a-f]{40}/.exec(path.toLowerCase())?.[0] ?? [])
  if (more.length > 0 || (own.length === 0 && others.length > 0)) {
    throw new ProjectError(
      own.length > 0
        ? `it has the metadata of ${address} ${all.length} times; choose the folder of one chain`
        : others.length > 0
          ? `it has no metadata of ${address}, but of ${others[0]}`
          : `it has ${all.length} files ${METADATA_FILE}; choose the folder of one contract`,
    )
  }
  const { file, bytes, value } = chosen
  const folder = file.path.slice(0, -METADATA_FILE.length)
  const beside = files.filter((other) => other !== file && other.path.startsWith(folder))
  return given(() => readMetadata(value), await textsOf(beside), bytes)
}

/** The files that have a compiler's metadata: others, such as those of NFTs, are called the same. */
async function compilersAmong(files: readonly ChosenFile[]) {
  const found: { readonly file: ChosenFile; readonly bytes: Uint8Array; readonly value: JsonObject }[] = []
  for (const file of files) {
    if (file.file.size > MAX_METADATA_BYTES) continue
    const bytes = await bytesOf(file.file)
    const value = parsed(bytes)
    if (isMetadata(value)) found.push({ file, bytes, value })
  }
  return found
}

/**
 * The contract in an answer of Sourcify's API, or in metadata that has the texts of its sources; `undefined` if the file is
 * something else.
 *
 * @throws {ProjectError} If it cannot be read.
 */
export async function readGiven(file: Blob): Promise<GivenContract | undefined> {
  if (file.size > MAX_METADATA_BYTES) return undefined
  const bytes = await bytesOf(file)
  const value = parsed(bytes)
  if (isSourcifyAnswer(value)) return given(() => readSourcifyAnswer(value), [], bytes)
  return isMetadata(value) ? given(() => readMetadata(value), [], bytes) : undefined
}

/**
 * The build of a contract that the page cannot compile: what was given, beside the code of the chain.
 *
 * @param code - Deployed code, from the chain.
 */
export async function claim(contract: GivenContract, code: Hex): Promise<PackedBuild> {
  const { metadata, sources } = contract
  const input = JSON.stringify(inputOf(metadata, sources))
  const output = JSON.stringify(claimedOutput(metadata, sources, code))
  const { compiler } = metadata
  // Another contract may have the same sources, but other immutables in its code.
  return {
    id: hashOf(`${compiler}\n${input}\n${code}`),
    ...(await packTexts({ compiler, input, output }, claimOf(contract, code))),
  }
}

/** What ties what was given to some code. */
export function claimOf({ ipfsHash }: GivenContract, code: Hex): Claim {
  return ipfsHash !== undefined && ipfsHash === metadataHashIn(code) ? 'by hash' : 'by word'
}

const hashOf = (text: string) => keccak256(stringToBytes(text))

async function given(
  read: () => ContractMetadata,
  texts: readonly string[],
  bytes: Uint8Array,
): Promise<GivenContract> {
  try {
    const metadata = read()
    if (!isAbi(metadata.abi)) throw new ProjectError('its ABI cannot be read')
    const hashed = metadata.sources.flatMap(({ hash, content }) => (hash && content !== undefined ? [content] : []))
    const sources = sourcesOf(metadata, await byHash([...texts, ...hashed]))
    return { kind: 'metadata', metadata, sources, ipfsHash: await ipfsHashOf(bytes) }
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    throw new ProjectError(`its metadata cannot be read: ${error.message}`, { cause: error })
  }
}

/** Texts by their hash. */
async function byHash(texts: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  let characters = 0
  for (const text of texts) {
    found.set(hashOf(text), text)
    characters += text.length
    if (characters < AT_ONCE) continue
    characters = 0
    await new Promise((later) => setTimeout(later))
  }
  return found
}

/** Over plain http a page has no hash function of the browser. */
async function ipfsHashOf(bytes: Uint8Array): Promise<Hex | undefined> {
  const { subtle } = crypto as Partial<Crypto>
  return subtle && metadataHashOf(bytes, (block) => subtle.digest('SHA-256', block))
}

async function textsOf(files: readonly ChosenFile[]): Promise<readonly string[]> {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  if (bytes > MAX_SOURCES_BYTES) throw new ProjectError(`its sources have more than ${MAX_SOURCES_BYTES} bytes`)
  return Promise.all(files.map(({ file }) => file.text()))
}

async function bytesOf(file: Blob): Promise<Uint8Array> {
  return new Uint8Array(await file.arrayBuffer())
}

/** `undefined` if it is no JSON, or nested too deeply to be written again. */
function parsed(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes)
  return isNestedDeeperThan(text, MAX_DEPTH) ? undefined : parsedJson(text)
}
