// Vite's plugin that splits solc for the page: for the build, the development server and the workers of both.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'

const ID = 'virtual:solc'
const RESOLVED = `\0${ID}`
/** Caches the binary between runs, since creating it takes 2 s. */
const FOLDER = '.cache/solc'

const require = createRequire(import.meta.url)

/**
 * `soljson.js` is one script of 9.2 MB: a packed WebAssembly module as text, then 70 kB that run it. The module is
 * unpacked here and stored as a gzip file of 5.9 MB, so that its download can show progress and be cached. The rest
 * becomes a function in an ES module, which needs neither `importScripts` nor `eval`.
 *
 * @param {string} source
 * @throws {Error} If it has another structure.
 */
function split(source) {
  const packed = /\}\)\("[A-Za-z0-9+/=]+", ?\d+\);/.exec(source)
  if (!source.startsWith('var Module = Module || {};\nModule["wasmBinary"] = (') || !packed) {
    throw new Error('soljson.js is not made of a packed binary and its runtime any more: see scripts/build/solc.mjs')
  }
  const end = packed.index + packed[0].length
  /** @type {Uint8Array} */
  const binary = runInNewContext(`${source.slice(0, end)}\nModule.wasmBinary`)
  return { binary, runtime: source.slice(end) }
}

/**
 * The module `virtual:solc`, see `src/compiler/solc-module.d.ts`.
 *
 * @returns {import('vite').Plugin}
 */
export function solc() {
  let root = ''
  return {
    name: 'blinknet-solc',
    configResolved(config) {
      root = config.root
    },
    resolveId: (id) => (id === ID ? RESOLVED : undefined),
    load(id) {
      if (id !== RESOLVED) return undefined
      const { version } = require('solc/package.json')
      const { binary, runtime } = split(readFileSync(require.resolve('solc/soljson.js'), 'utf8'))
      // A neutral file extension, so that no host unpacks it.
      const file = path.join(root, FOLDER, `solc-${version}.bin`)
      if (!existsSync(file)) {
        mkdirSync(path.dirname(file), { recursive: true })
        writeFileSync(file, gzipSync(binary, { level: 9 }))
      }
      return [
        `import url from ${JSON.stringify(`${file}?url`)}`,
        `export const BINARY = { url, bytes: ${readFileSync(file).byteLength} }`,
        // In a browser it must not detect Node.js.
        `export function start(Module) {\nvar process, require, module\n${runtime}\nreturn Module\n}`,
      ].join('\n')
    },
  }
}
