// Vite's plugin that packs Solidity packages for the page, each into one file: for the build, the development server and
// the workers of both.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

const ID = 'virtual:solidity-packages'
const RESOLVED = `\0${ID}`
/** Keeps the packed files between runs. */
const FOLDER = '.cache/solidity-packages'

/** What can be imported without a file of one's own; `folder` is where Foundry's remappings find it. */
export const SOLIDITY_PACKAGES = [
  { name: '@openzeppelin/contracts', folder: 'openzeppelin-contracts/contracts' },
  { name: '@openzeppelin/contracts-upgradeable', folder: 'openzeppelin-contracts-upgradeable/contracts' },
]

/** Compiled artifacts, and contracts for the package's own tests. */
const LEFT_OUT = /^(build|mocks|node_modules)\//

/**
 * The sources of a package by path.
 *
 * @param {string} folder
 * @throws {Error} If there are none.
 */
export function sourcesOf(folder) {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  const paths = names.map((name) => name.split(path.sep).join('/'))
  const sources = paths.filter((name) => name.endsWith('.sol') && !LEFT_OUT.test(name)).toSorted()
  if (sources.length === 0) throw new Error(`${folder} has no Solidity sources: run npm ci`)
  return Object.fromEntries(sources.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]))
}

/**
 * The module `virtual:solidity-packages`, see `src/compiler/solidity-packages.d.ts`.
 *
 * @returns {import('vite').Plugin}
 */
export function solidityPackages() {
  let root = ''
  return {
    name: 'blinknet-solidity-packages',
    configResolved(config) {
      root = config.root
    },
    resolveId: (id) => (id === ID ? RESOLVED : undefined),
    load(id) {
      if (id !== RESOLVED) return undefined
      const packed = SOLIDITY_PACKAGES.map(({ name, folder }) => {
        const source = path.join(root, 'node_modules', name)
        const sources = sourcesOf(source)
        const { version } = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8'))
        const title = name.replace(/^@/, '').replaceAll('/', '-')
        // A neutral file extension, so that no host unpacks it.
        const file = path.join(root, FOLDER, `solidity-${title}-${version}.bin`)
        if (!existsSync(file)) {
          mkdirSync(path.dirname(file), { recursive: true })
          writeFileSync(file, gzipSync(JSON.stringify(sources), { level: 9 }))
        }
        return { name, folder, version, file, bytes: readFileSync(file).byteLength }
      })
      const imports = packed.map(({ file }, i) => `import url${i} from ${JSON.stringify(`${file}?url`)}`)
      const entries = packed.map(({ file: _file, ...rest }, i) => `{ ...${JSON.stringify(rest)}, url: url${i} }`)
      return [...imports, `export const PACKAGES = [${entries.join(', ')}]`].join('\n')
    },
  }
}
