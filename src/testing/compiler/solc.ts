import { readdirSync, readFileSync } from 'node:fs'
import * as soljson from 'solc/soljson.js'
import { type Compiled, compile as compileWith } from '#compiler/compile.ts'
import type { CompilerSettings, Files } from '#compiler/messages.ts'
import { PackageError, type ReadPackage } from '#compiler/packages.ts'
import { bindSolc, type Soljson } from '#compiler/soljson.ts'

export const SOLC = bindSolc(soljson as unknown as Soljson)

export const SETTINGS: CompilerSettings = { optimizer: true, runs: 200, evmVersion: 'osaka', viaIR: false }

/** The file of a source that is compiled alone. */
const FILE = 'Contract.sol'

/** The packages that the page has, of any version. */
export const PACKAGES = [
  { name: '@openzeppelin/contracts', folder: 'openzeppelin-contracts/contracts', version: '5.0.0' },
  {
    name: '@openzeppelin/contracts-upgradeable',
    folder: 'openzeppelin-contracts-upgradeable/contracts',
    version: '5.0.0',
  },
]

/** Reads a package as it is installed. */
export const readInstalled: ReadPackage = async (name) => {
  const folder = `node_modules/${name}`
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.sol'))
  return Object.fromEntries(paths.map((file) => [file, readFileSync(`${folder}/${file}`, 'utf8')]))
}

/** Reads no package, as without a network. */
export const readNothing: ReadPackage = async () => {
  throw new PackageError('there was no answer')
}

/** Compiles with the real compiler, as the worker does: one source, or files by path. */
export function compile(
  sources: string | Files,
  settings: CompilerSettings = SETTINGS,
  readPackage: ReadPackage = readInstalled,
): Promise<Compiled> {
  const files = typeof sources === 'string' ? { [FILE]: sources } : sources
  return compileWith(SOLC, { files, settings }, { packages: PACKAGES, readPackage })
}
