// Compiles AssemblyScript to WebAssembly wherever `x.ts?wasm` is imported: a plugin for Vite and Vitest. The module then
// exports `wasm`, the bytes, which travel as text in the script: so they are there in a page, a worker, Node.js and a test.
// `x.ts?traced-wasm` is the same with the constant TRACING made true, `x.ts?fused-wasm` with FUSED and what it needs of SIMD.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import asc from 'assemblyscript/asc'

const QUERY = /\.ts\?(?:(traced|fused)-)?wasm$/
/** What is made true in the sources, and the features that are then allowed, by what the query says. */
const VARIANTS = {
  plain: { constant: undefined, features: [] },
  traced: { constant: 'TRACING', features: [] },
  fused: { constant: 'FUSED', features: ['--enable', 'simd', '--enable', 'relaxed-simd'] },
}
const CACHE = '.cache/engine'
const OPTIONS = ['-O3', '--runtime', 'stub', '--noAssert', '--use', 'abort=', '--enable', 'bulk-memory']

/** @returns {import('vite').Plugin} */
export function engineBuild() {
  return {
    name: 'blinknet-engine-build',
    enforce: 'pre',
    async load(id) {
      const query = QUERY.exec(id)
      if (!query) return undefined
      const entry = id.slice(0, id.lastIndexOf('?'))
      for (const file of sourcesBeside(entry)) this.addWatchFile(file)
      const text = (await compile(entry, /** @type {Variant} */ (query[1] ?? 'plain'))).toString('base64')
      return `export const wasm = Uint8Array.from(atob('${text}'), (character) => character.charCodeAt(0))`
    },
  }
}

/** @typedef {keyof typeof VARIANTS} Variant */

/** All that the entry may import. @param {string} entry */
function sourcesBeside(entry) {
  const folder = path.dirname(entry)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .toSorted()
    .map((file) => path.join(folder, file))
}

/**
 * @param {string} entry - A file with AssemblyScript; what it exports, the module exports.
 * @param {Variant} variant
 * @throws {Error} If it does not compile.
 */
async function compile(entry, variant) {
  const hash = createHash('sha256').update(
    JSON.stringify([asc.version, OPTIONS, path.basename(entry), variant, VARIANTS[variant]]),
  )
  for (const file of sourcesBeside(entry)) hash.update(file).update(readFileSync(file))
  const cached = path.join(CACHE, `${hash.digest('hex')}.wasm`)
  const known = readIfThere(cached)
  if (known) return known

  const binary = await compileAnew(entry, variant)
  mkdirSync(CACHE, { recursive: true })
  // Several processes may be at it.
  const partial = `${cached}.${process.pid}`
  writeFileSync(partial, binary)
  renameSync(partial, cached)
  return Buffer.from(binary)
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return readFileSync(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * A comment `// @inline` becomes the decorator, which stands before functions in AssemblyScript only: so formatters and
 * parsers of TypeScript can read the sources.
 *
 * @param {string | undefined} source
 */
function withDecorators(source) {
  return source?.replace(/^\/\/ @inline$/gm, '@inline') ?? null
}

/**
 * @param {string} entry
 * @param {Variant} variant
 */
async function compileAnew(entry, variant) {
  /** @type {Uint8Array | undefined} */
  let binary
  const { constant, features } = VARIANTS[variant]
  const diagnostics = asc.createMemoryStream()
  const { error } = await asc.main([entry, '--outFile', 'out.wasm', ...OPTIONS, ...features], {
    readFile(name, base) {
      const source = withDecorators(readIfThere(path.resolve(base, name))?.toString('utf8'))
      if (constant === undefined) return source
      return source?.replace(`const ${constant}: bool = false`, `const ${constant}: bool = true`) ?? null
    },
    writeFile(_name, contents) {
      binary = /** @type {Uint8Array} */ (contents)
    },
    listFiles: () => [],
    stderr: diagnostics,
  })
  if (error || !binary) throw new Error(`${entry} does not compile\n${diagnostics.toString()}`, { cause: error })
  return binary
}
