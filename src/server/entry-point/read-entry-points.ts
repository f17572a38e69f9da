import { createRequire } from 'node:module'
import path from 'node:path'
import { create2Address } from '#node/evm/contract-address.ts'
import { CREATE2_DEPLOYER } from '#node/spec/preinstalled-contracts.ts'
import { concatBytes } from '#primitives/bytes.ts'
import { type Address, bytesToHex, type Hex, hexToBytes } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import { ENTRY_POINTS, type EntryPointVersion } from '#server/cli/entry-points.ts'
import { readTextFile } from '#server/cli/read-text-file.ts'
import { UsageError } from '#server/cli/usage-error.ts'

/** The package whose artifacts have the creation codes. They are under the GPL, and no part of Blinknet. */
const PACKAGE = '@account-abstraction/contracts'
const ARTIFACT = 'artifacts/EntryPoint.json'
/** Ten times that of any version. */
const MAX_ARTIFACT_BYTES = 4 * 1024 * 1024
const MAX_MANIFEST_BYTES = 1024 * 1024

/** An EntryPoint and what the CREATE2 deployer is sent to make it. */
export interface EntryPointCode {
  readonly version: EntryPointVersion
  readonly address: Address
  /** The salt, then the creation code. */
  readonly data: Hex
}

/** A package that was found. */
interface FoundPackage {
  /** As its `package.json` says. */
  readonly version: string
  readonly creationCode: Uint8Array
}

/**
 * Reads the creation codes of EntryPoints from the packages of a project: {@link PACKAGE}, and others that a `package.json`
 * from the folder upwards names as aliases of it. A code is the right one if it gives the contract's address.
 *
 * @throws {UsageError} If one is not installed; the message says what to install.
 */
export async function readEntryPoints(
  versions: readonly EntryPointVersion[],
  folder: string,
): Promise<readonly EntryPointCode[]> {
  const packages: FoundPackage[] = []
  for (const name of [PACKAGE, ...(await aliasesFrom(folder))]) {
    const found = await findPackage(name, folder)
    if (found) packages.push(found)
  }
  return versions.map((version) => codeOf(version, packages, folder))
}

function codeOf(version: EntryPointVersion, packages: readonly FoundPackage[], folder: string): EntryPointCode {
  const { address, salt } = ENTRY_POINTS[version]
  const saltBytes = hexToBytes(salt)
  const found = packages.find(
    ({ creationCode }) => create2Address(CREATE2_DEPLOYER, saltBytes, creationCode) === address,
  )
  if (found) return { version, address, data: bytesToHex(concatBytes(saltBytes, found.creationCode)) }
  const wanted = `${PACKAGE}@${version}.0`
  const install = packages.length === 0 ? wanted : `aa${version.replace('.', '')}@npm:${wanted}`
  const others = packages.length === 0 ? '' : `, where ${packages.map((each) => each.version).join(' and ')} is`
  throw new UsageError(
    `The EntryPoint ${version} is not installed in ${folder}${others}: npm install --save-dev ${install}`,
  )
}

/** The package of that name as a program in the folder finds it. */
async function findPackage(name: string, folder: string): Promise<FoundPackage | undefined> {
  const { resolve } = createRequire(path.join(folder, 'any.js'))
  let file: string
  try {
    file = resolve(`${name}/${ARTIFACT}`)
  } catch {
    // Not installed, or of another form.
    return undefined
  }
  const artifact = await readJson(file, MAX_ARTIFACT_BYTES)
  const bytecode = artifact?.['bytecode']
  if (typeof bytecode !== 'string' || !/^0x(?:[0-9a-f]{2})+$/i.test(bytecode)) return undefined
  const manifest = await readJson(path.join(path.dirname(file), '..', 'package.json'), MAX_MANIFEST_BYTES)
  const version = manifest?.['version']
  return {
    version: typeof version === 'string' ? version : 'another version',
    creationCode: hexToBytes(bytecode),
  }
}

/** Names that dependencies give the package, as `"aa07": "npm:@account-abstraction/contracts@0.7.0"`. */
async function aliasesFrom(folder: string): Promise<readonly string[]> {
  const names = new Set<string>()
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const manifest = await readJson(path.join(at, 'package.json'), MAX_MANIFEST_BYTES)
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
      const listed = manifest?.[kind]
      if (!isObject(listed)) continue
      for (const [name, spec] of Object.entries(listed)) {
        if (typeof spec === 'string' && spec.startsWith(`npm:${PACKAGE}@`)) names.add(name)
      }
    }
    if (at === path.dirname(at)) return [...names]
  }
}

/** The object in a file; `undefined` if it is missing or none. */
async function readJson(file: string, mostBytes: number): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const json: unknown = JSON.parse(await readTextFile(file, mostBytes, '--entrypoint'))
    return isObject(json) ? json : undefined
  } catch {
    return undefined
  }
}
