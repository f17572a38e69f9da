// Checks that each folder imports only what the tables of ARCHITECTURE.md allow, and that there are no import cycles. Usage:
// layers.mjs [folder that holds ARCHITECTURE.md and src/]
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

const repository = path.resolve(process.argv[2] ?? '.')
const root = path.join(repository, 'src')
const ARCHITECTURE = 'ARCHITECTURE.md'

/**
 * What ARCHITECTURE.md does not say of a folder of `src/`: the `packages` that it may import, the folders whose files it may
 * name by URL (`new URL('…', import.meta.url)`) without importing them, and those that only its tests may import.
 *
 * @type {Readonly<Record<string, { packages?: readonly string[], byUrl?: readonly string[], tests?: readonly string[] }>>}
 */
const BESIDES = {
  compiler: { packages: ['viem', 'virtual:solc', 'virtual:solidity-packages'] },
  solidity: { packages: ['@noble/hashes'], tests: ['node', 'compiler'] },
  fates: { tests: ['node'] },
  worker: { packages: ['idb'] },
  server: {
    packages: ['ws', 'viem', 'qr', 'quickjs-emscripten-core', '@jitl/quickjs-singlefile-cjs-release-sync', 'node:*'],
  },
  library: { packages: ['node:*'] },
  coverage: {
    packages: ['istanbul-lib-coverage', 'istanbul-lib-report', 'istanbul-reports', '@playwright/test', 'node:*'],
    tests: ['library'],
  },
  expect: { packages: ['viem', 'node:*'], tests: ['library'] },
  hardhat: { packages: ['viem', 'node:*'] },
  playwright: { packages: ['@playwright/test', 'viem', 'node:*'] },
  client: { packages: ['viem', 'idb'], byUrl: ['worker', 'compiler', 'solidity'] },
  ui: {
    packages: [
      'react',
      'react-dom',
      'zustand',
      '@tanstack/react-query',
      '@tanstack/react-virtual',
      'wouter',
      'lucide-react',
      'blo',
      'cmdk',
      'fflate',
      'idb',
      'qr',
      'viem',
      '@codemirror/autocomplete',
      '@codemirror/commands',
      '@codemirror/language',
      '@codemirror/lint',
      '@codemirror/state',
      '@codemirror/view',
      '@replit/codemirror-lang-solidity',
    ],
  },
}

const architecture = readFileSync(path.join(repository, ARCHITECTURE), 'utf8')

/**
 * The rows of the first table below a heading, each as its cells.
 *
 * @param {string} heading
 * @returns {string[][]}
 */
function tableBelow(heading) {
  const below = architecture.split(`${heading}\n`)[1] ?? ''
  const table = /(?:^\|.*\n)+/m.exec(below)?.[0] ?? ''
  const rows = table.trim().split('\n').slice(2)
  if (rows.length === 0) throw new Error(`${ARCHITECTURE} has no table below “${heading}”: nothing was checked`)
  return rows.map((row) => row.split('|').slice(1, -1))
}

/** What a cell names as code, without the slash of a folder. @param {string | undefined} cell */
const namesIn = (cell = '') => Array.from(cell.matchAll(/`([^`]+?)\/?`/g), ([, name = '']) => name)

const folderRows = tableBelow('## Folders').map(([layer = '', names, , imports = '']) => ({
  layer: layer.trim(),
  names: namesIn(names),
  imports,
}))

/** Folders of `src/`, and those that each may import: by their names, or by the number of their layer. */
const FOLDERS = new Map(
  folderRows.flatMap(({ names, imports }) => {
    const layers = Array.from(imports.matchAll(/\b\d\b/g), ([layer]) => layer)
    const allowed = folderRows.flatMap((row) => (layers.includes(row.layer) ? row.names : []))
    return names.map((name) => [name, [...allowed, ...namesIn(imports)]])
  }),
)

/** Parts of a folder of `src/`, lowest first: each may import earlier ones. What stands beside them wires them all. */
const PARTS = new Map([
  ['node', tableBelow('### Inside the node').flatMap(([names]) => namesIn(names))],
  ['ui', tableBelow('### Inside the page').flatMap(([names]) => namesIn(names))],
])

/** The packages that each part of `src/node` may import. */
const NODE_PACKAGES = new Map(
  tableBelow('### Inside the node').flatMap(([names, , packages]) =>
    namesIn(names).map((name) => [name, namesIn(packages)]),
  ),
)

/**
 * @typedef {{ specifier: string, kind: 'import' | 'types' | 'url', line: number }} Reference
 * @typedef {{ file: string, line: number, message: string }} Violation
 */

/**
 * Everything that a source file imports, re-exports or names by URL, as in `import url from 'x.ts?worker&url'`.
 *
 * @param {string} file
 * @param {string} source
 * @returns {Reference[]}
 * @throws {Error} If the file does not parse, or an import is not a literal.
 */
function references(file, source) {
  const { program, errors } = parseSync(file, source)
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  /** @type {Reference[]} */
  const found = []
  const lineOf = (/** @type {number} */ offset) => source.slice(0, offset).split('\n').length
  const add = (/** @type {Reference['kind']} */ kind, /** @type {{ start: number } | null | undefined} */ node) => {
    if (!node) return
    if (!('value' in node) || typeof node.value !== 'string') {
      throw new Error(`${file}:${lineOf(node.start)}: an import must name its file literally`)
    }
    const [specifier = '', query] = node.value.split('?')
    found.push({ kind: query === 'worker&url' ? 'url' : kind, specifier, line: lineOf(node.start) })
  }
  new Visitor({
    ImportDeclaration: (node) => add(node.importKind === 'type' ? 'types' : 'import', node.source),
    ExportNamedDeclaration: (node) => add(node.exportKind === 'type' ? 'types' : 'import', node.source),
    ExportAllDeclaration: (node) => add('import', node.source),
    ImportExpression: (node) => add('import', node.source),
    TSImportType: (node) => add('types', node.source),
    NewExpression: (node) => {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'URL') return
      const [target, base] = node.arguments
      const fromHere = base && source.slice(base.start, base.end) === 'import.meta.url'
      if (fromHere) add('url', target)
    },
  }).visit(program)
  return found
}

/** How many files or folders of a cycle its report names. */
const SHOWN_OF_CIRCLE = 8

/** Tests and their helpers: `testing/<folder>/` has those for a folder's tests, and may import what the folder may. */
const TESTS = /\.(test|bench)\.tsx?$|^testing\//

/** Values that only tables worked out at build are made of, so that no script has more of them than it uses. */
const FACTS = ['rpc-types/facts.ts', 'rpc-types/node-options.ts']

/** @param {string} file - Relative to `src/`. @param {string} specifier - One of this project's own files. */
function targetOf(file, specifier) {
  if (!specifier.startsWith('.')) return specifier.slice(1)
  return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier))
}

/** The folder of `src/` that a file stands in. @param {string} file - Relative to `src/`. */
function outerFolder(file) {
  return file.split('/')[0] ?? ''
}

/** The folder that a file belongs to; helpers of tests belong to that of the tests. @param {string} file - Relative to `src/`. */
function folderOf(file) {
  return outerFolder(file.replace(/^testing\//, ''))
}

/**
 * Where a file's part stands among those of its folder, lowest first; -1 if the table has none of its name. A component's
 * styles stand where the component does.
 *
 * @param {string} file - Relative to `src/`.
 * @returns {number | undefined} `undefined` if the folder is not divided. A file beside the parts is above them all.
 */
function rankOf(file) {
  const parts = PARTS.get(outerFolder(file))
  const [, part = '', ...inside] = file.split('/')
  const rank = parts?.indexOf(part.replace('.module.css', '.tsx'))
  return rank === -1 && inside.length === 0 ? parts?.length : rank
}

/** A folder of `src/`, or a part of one. @param {string} file */
const placeName = (file) => `src/${file.split('/').slice(0, 2).join('/')}`

/** @param {string} specifier */
function packageName(specifier) {
  if (specifier.startsWith('node:')) return 'node:*'
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/**
 * Why `file` may not refer to `specifier`; `undefined` if it may.
 *
 * @param {string} file - Relative to `src/`, with `/`.
 * @param {Reference} reference
 * @returns {string | undefined}
 */
function objection(file, { specifier, kind }) {
  const isTest = TESTS.test(file)
  const folder = folderOf(file)
  const allowed = FOLDERS.get(folder)
  const besides = BESIDES[folder]
  if (!allowed) return `src/${folder} is no folder of the table in ${ARCHITECTURE}`
  const rank = isTest ? undefined : rankOf(file)
  if (rank === -1) return `${placeName(file)} is no folder of the table in ${ARCHITECTURE}`

  const inNode = outerFolder(file) === 'node'
  const isRelative = specifier.startsWith('.')
  if (!isRelative && !specifier.startsWith('#')) {
    if (isTest) return undefined
    const packages = inNode ? NODE_PACKAGES.get(file.split('/')[1] ?? '') : besides?.packages
    return packages?.includes(packageName(specifier)) ? undefined : `this folder may not use the package ${specifier}`
  }

  const target = targetOf(file, specifier)
  const targetFolder = folderOf(target)
  if (kind === 'url') {
    if (targetFolder === folder || besides?.byUrl?.includes(targetFolder)) return undefined
    return `src/${folder} may not name a file of src/${targetFolder}`
  }
  // AssemblyScript knows no subpaths.
  const mayClimb = inNode || file.startsWith('engine/assembly/')
  if (!mayClimb && specifier.startsWith('../')) return `${specifier} climbs; write #${target}`
  if (!/\.(tsx?|css|json|sol)$/.test(target)) return `${specifier} must be named with its extension`
  if (!isTest && TESTS.test(target)) return `${specifier} is for tests only`
  if (isRelative && outerFolder(target) !== outerFolder(file)) return `${specifier} leaves its folder; write #${target}`
  if (FACTS.includes(target) && kind === 'import' && !isTest && !file.endsWith('.derived.ts')) {
    return `${specifier} is for tables that are worked out at build (*.derived.ts)`
  }
  if (targetFolder !== folder) {
    if (isTest && besides?.tests?.includes(targetFolder)) return undefined
    return allowed.includes(targetFolder) ? undefined : `src/${folder} may not import src/${targetFolder}`
  }
  if (rank !== undefined) {
    const targetRank = rankOf(target) ?? -1
    if (targetRank < 0 || targetRank > rank) return `${placeName(file)} may not import ${placeName(target)}`
  }
  return undefined
}

/**
 * What a file or folder imports, with the place of one such import.
 *
 * @typedef {Map<string, Map<string, { file: string, line: number }>>} Graph
 * @typedef {{ imports: Map<string, { file: string, line: number }>, index: number, low: number, waits: boolean }}
 * Vertex
 */

/**
 * @param {ReadonlyMap<string, readonly Reference[]>} files - What each imports; names relative to `src/`.
 * @param {(file: string) => string | undefined} vertexOf - The vertex that a file belongs to, if any.
 * @returns {Graph}
 */
function graphOf(files, vertexOf) {
  /** @type {Graph} */
  const graph = new Map()
  for (const [file, found] of files) {
    const from = vertexOf(file)
    if (from === undefined) continue
    const imports = graph.get(from) ?? new Map()
    graph.set(from, imports)
    for (const { kind, specifier, line } of found) {
      if (kind === 'url' || !/^[.#]/.test(specifier)) continue
      const to = vertexOf(targetOf(file, specifier))
      if (to !== undefined && (to !== from || from === file)) imports.set(to, { file, line })
    }
  }
  return graph
}

/**
 * Import cycles, including type-only ones: sets of files or folders that all need each other (Tarjan's strongly
 * connected components).
 *
 * @param {Graph} graph
 * @param {string} of - What they are cycles of.
 * @returns {Violation[]} One per cycle, at an import that closes it.
 */
function circles(graph, of) {
  /** @type {Map<string, Vertex>} */
  const vertices = new Map()
  for (const [name, imports] of graph) vertices.set(name, { imports, index: -1, low: 0, waits: false })
  /** @type {string[]} */
  const waiting = []
  /** @type {Violation[]} */
  const closed = []
  let next = 0
  /** @param {string} name @param {Vertex} vertex */
  const visit = (name, vertex) => {
    vertex.index = vertex.low = next++
    vertex.waits = true
    waiting.push(name)
    for (const target of vertex.imports.keys()) {
      const other = vertices.get(target)
      if (!other) continue
      if (other.index < 0) visit(target, other)
      if (other.waits) vertex.low = Math.min(vertex.low, other.low)
    }
    if (vertex.low < vertex.index) return
    const circle = waiting.splice(waiting.indexOf(name))
    for (const each of circle) /** @type {Vertex} */ (vertices.get(each)).waits = false
    const closing = circle.map((each) => vertex.imports.get(each)).find((place) => place !== undefined)
    if (closing === undefined) return
    const message = `a circle of ${of}: ${circle.slice(0, SHOWN_OF_CIRCLE).join(', ')}${circle.length > SHOWN_OF_CIRCLE ? ' …' : ''}`
    closed.push({ ...closing, message })
  }
  for (const [name, vertex] of vertices) if (vertex.index < 0) visit(name, vertex)
  return closed
}

/** Folders that count as one with all that is in them, since nearly all of their types meet in the context of every method. */
const UNDIVIDED = ['node/rpc', 'rpc-types']

/** The folder of a source file; `undefined` for tests. @param {string} file */
function placeOf(file) {
  if (TESTS.test(file)) return undefined
  const folder = path.posix.dirname(file)
  return UNDIVIDED.find((undivided) => `${folder}/`.startsWith(`${undivided}/`)) ?? folder
}

/**
 * All violations of the table, import cycles of files, and import cycles of folders.
 *
 * @param {Iterable<readonly [file: string, source: string]>} files - Names relative to `src/`, with `/`.
 * @returns {Violation[]}
 */
function violations(files) {
  /** @type {Violation[]} */
  const found = []
  /** @type {Map<string, Reference[]>} */
  const all = new Map()
  for (const [file, source] of files) {
    all.set(file, references(file, source))
    for (const reference of all.get(file) ?? []) {
      const message = objection(file, reference)
      if (message) found.push({ file, line: reference.line, message })
    }
  }
  return [
    ...found,
    ...circles(
      graphOf(all, (file) => file),
      'imports',
    ),
    ...circles(graphOf(all, placeOf), 'folders'),
  ]
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => /\.tsx?$/.test(file))
  .toSorted()
if (files.length === 0) throw new Error(`no sources under ${root}: nothing was checked`)

const found = violations(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]))
for (const { file, line, message } of found) console.error(`src/${file}:${line}: ${message}`)

const named = [...FOLDERS.keys(), ...[...PARTS].flatMap(([folder, parts]) => parts.map((part) => `${folder}/${part}`))]
const gone = named.filter((name) => !existsSync(path.join(root, name)))
for (const name of gone) console.error(`${ARCHITECTURE}:1: there is no src/${name}`)
console.log(`layers: ${files.length} files, ${found.length + gone.length} violations`)
process.exitCode = found.length + gone.length === 0 ? 0 : 1
