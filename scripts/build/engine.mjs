// A plugin for Vite and Vitest that compiles AssemblyScript to WebAssembly wherever `x.ts?wasm` is imported. The module
// exports `wasm`, the bytes, which are text in the script, a character each, so they are available in a page, a worker,
// Node.js and a test; compressed, Base64 is a quarter larger. `x.ts?traced-wasm` sets the constant TRACING to true,
// `x.ts?fused-wasm` sets FUSED and enables its SIMD features; `x.ts?vector-wasm` only enables them, and `x.ts?wide-wasm` sets
// WIDE, too.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import asc from 'assemblyscript/asc'
import { parseSync } from 'oxc-parser'

const QUERY = /\.ts\?(?:(traced|fused|vector|wide)-)?wasm$/
const SIMD = ['--enable', 'simd', '--enable', 'relaxed-simd']
/** The constants to set to true, and the features to enable, by query. */
const VARIANTS = {
  plain: { constant: undefined, features: [] },
  traced: { constant: 'TRACING', features: [] },
  fused: { constant: 'FUSED', features: SIMD },
  vector: { constant: undefined, features: SIMD },
  wide: { constant: 'WIDE', features: SIMD },
}
const CACHE = '.cache/engine'
const OPTIONS = [
  '-O3',
  '--runtime',
  'stub',
  '--noAssert',
  '--use',
  'abort=',
  '--enable',
  'bulk-memory',
  '--exportTable',
]

/**
 * @param {string} [cache] - The folder that keeps compiled modules.
 * @returns {import('vite').Plugin}
 */
export function engineBuild(cache = CACHE) {
  return {
    name: 'blinknet-engine-build',
    enforce: 'pre',
    async load(id) {
      const query = QUERY.exec(id)
      if (!query) return undefined
      const entry = id.slice(0, id.lastIndexOf('?'))
      for (const file of sourcesOf(entry)) this.addWatchFile(file)
      const text = (await compile(entry, /** @type {Variant} */ (query[1] ?? 'plain'), cache)).toString('latin1')
      return `import { bytesOfCharacters } from '#primitives/base64.ts'\nexport const wasm = bytesOfCharacters(${JSON.stringify(text)})`
    },
  }
}

/** @typedef {keyof typeof VARIANTS} Variant */

/**
 * The entry and all that it imports, however far away, in a fixed order.
 *
 * @param {string} entry
 * @throws {Error} If one does not parse or is not there.
 */
function sourcesOf(entry) {
  const found = new Set([entry])
  // Iterating over a set includes items added meanwhile.
  for (const file of found) {
    const { module, errors } = parseSync(file, readFileSync(file, 'utf8'))
    if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
    const exported = module.staticExports.flatMap(({ entries }) => entries)
    for (const { moduleRequest } of [...module.staticImports, ...exported]) {
      if (moduleRequest) found.add(path.join(path.dirname(file), moduleRequest.value))
    }
  }
  return [...found].toSorted()
}

/**
 * @param {string} entry - A file with AssemblyScript; what it exports, the module exports.
 * @param {Variant} variant
 * @param {string} cache
 * @throws {Error} If it does not compile.
 */
async function compile(entry, variant, cache) {
  const hash = createHash('sha256').update(
    JSON.stringify([asc.version, OPTIONS, path.basename(entry), variant, VARIANTS[variant]]),
  )
  for (const file of sourcesOf(entry)) hash.update(file).update(readFileSync(file))
  const cached = path.join(cache, `${hash.digest('hex')}.wasm`)
  const known = readIfThere(cached)
  if (known) return known

  const binary = await compileAnew(entry, variant)
  mkdirSync(cache, { recursive: true })
  // Several processes may write it at once.
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
 * Turns each comment `// @inline` into the decorator. TypeScript allows no decorators on functions, so its formatters
 * and parsers could not read the sources otherwise.
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
