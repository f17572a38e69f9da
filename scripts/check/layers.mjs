// Checks that each room imports only what the tables below allow, and that there are no import cycles. Usage:
// layers.mjs [folder that holds src/]
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

/**
 * The table of ARCHITECTURE.md. A room imports from itself, from the rooms in `rooms` and from the packages in
 * `packages`; `names` are the rooms whose files it may name by URL (`new URL('…', import.meta.url)`) without importing
 * them, `tests` those that only its tests may import.
 *
 * @typedef {{ rooms: readonly string[], packages: readonly string[], names?: readonly string[], tests?: readonly string[]
 * }} Room
 * @type {Readonly<Record<string, Room>>}
 */
const ROOMS = {
  primitives: { rooms: [], packages: [] },
  'rpc-types': { rooms: ['primitives'], packages: [] },
  engine: { rooms: ['primitives'], packages: [] },
  node: { rooms: ['primitives', 'rpc-types', 'engine', 'solidity'], packages: [] },
  transport: { rooms: ['primitives', 'rpc-types'], packages: [] },
  endpoint: { rooms: ['primitives'], packages: [] },
  compiler: {
    rooms: ['primitives', 'rpc-types', 'solidity'],
    packages: ['viem', 'virtual:solc', 'virtual:solidity-packages'],
  },
  solidity: { rooms: ['primitives', 'rpc-types'], packages: ['@noble/hashes'], tests: ['node', 'compiler'] },
  worker: { rooms: ['primitives', 'rpc-types', 'node', 'transport'], packages: ['idb'] },
  server: {
    rooms: ['primitives', 'rpc-types', 'node', 'transport', 'endpoint', 'solidity'],
    packages: ['ws', 'viem', 'qr', 'node:*'],
  },
  library: { rooms: ['primitives', 'rpc-types', 'node', 'transport', 'client', 'server'], packages: ['node:*'] },
  browser: { rooms: ['primitives', 'rpc-types', 'client'], packages: [] },
  expect: { rooms: ['primitives', 'rpc-types', 'solidity'], packages: ['viem', 'node:*'], tests: ['library'] },
  playwright: {
    rooms: ['primitives', 'rpc-types', 'transport', 'client', 'server', 'library', 'expect'],
    packages: ['@playwright/test', 'viem', 'node:*'],
  },
  client: {
    rooms: ['primitives', 'rpc-types', 'transport', 'endpoint', 'compiler', 'solidity'],
    packages: ['viem', 'idb'],
    names: ['worker', 'compiler', 'solidity'],
  },
  ui: {
    rooms: ['primitives', 'rpc-types', 'compiler', 'solidity', 'client'],
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

/** The rooms inside `src/node`, lowest first: each may import earlier ones. `node.ts` wires them all. */
const NODE_ROOMS = [
  { name: 'turns', packages: [] },
  { name: 'crypto', packages: ['@noble/curves', '@noble/hashes'] },
  { name: 'spec', packages: [] },
  { name: 'tx', packages: ['@ethereumjs/rlp'] },
  { name: 'state', packages: ['@ethereumjs/rlp'] },
  {
    name: 'evm',
    packages: [
      '@ethereumjs/common',
      '@ethereumjs/evm',
      '@ethereumjs/rlp',
      '@ethereumjs/util',
      '@noble/curves',
      '@noble/hashes',
    ],
  },
  { name: 'txpool', packages: [] },
  { name: 'payload', packages: ['@ethereumjs/rlp'] },
  { name: 'storage', packages: [] },
  { name: 'fork', packages: ['@ethereumjs/rlp'] },
  { name: 'sequencer', packages: [] },
  { name: 'persistence', packages: [] },
  { name: 'film', packages: [] },
  { name: 'rpc', packages: ['viem'] },
]

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

/** Tests and their helpers: `testing/<room>/` has the helpers for a room's tests, and may import what the room may. */
const TESTS = /\.(test|bench)\.tsx?$|^testing\//

/** Values that only tables worked out at build are made of, so that no script has more of them than it uses. */
const FACTS = ['rpc-types/facts.ts', 'rpc-types/node-options.ts']

/** @param {string} file - Relative to `src/`. @param {string} specifier - One of this project's own files. */
function targetOf(file, specifier) {
  if (!specifier.startsWith('.')) return specifier.slice(1)
  return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier))
}

/** @param {string} file - Relative to `src/`. */
function folderOf(file) {
  return file.split('/')[0] ?? ''
}

/** The room of a file; test helpers belong to the room they are for. @param {string} file - Relative to `src/`. */
function roomOf(file) {
  return file.replace(/^testing\//, '').split('/')[0] ?? ''
}

/** Rank of the room inside `node`; `node.ts` itself is above all. @param {string} file - Relative to `src/`. */
function nodeRank(file) {
  const parts = file.split('/')
  if (parts.length === 2) return NODE_ROOMS.length
  return NODE_ROOMS.findIndex(({ name }) => name === parts[1])
}

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
  const room = ROOMS[roomOf(file)]
  if (!room) return `src/${roomOf(file)} is no room of the table in scripts/check/layers.mjs`
  const inNode = folderOf(file) === 'node'
  const rank = nodeRank(file)
  if (inNode && rank < 0 && !isTest)
    return `src/node/${file.split('/')[1]} is no room of the table in scripts/check/layers.mjs`

  const isRelative = specifier.startsWith('.')
  if (!isRelative && !specifier.startsWith('#')) {
    if (isTest) return undefined
    const packages = inNode ? (NODE_ROOMS[rank]?.packages ?? []) : room.packages
    return packages.includes(packageName(specifier)) ? undefined : `this room may not use the package ${specifier}`
  }

  const target = targetOf(file, specifier)
  const targetRoom = roomOf(target)
  if (kind === 'url') {
    if (targetRoom === roomOf(file) || room.names?.includes(targetRoom)) return undefined
    return `src/${roomOf(file)} may not name a file of src/${targetRoom}`
  }
  // AssemblyScript knows no subpaths.
  const mayClimb = inNode || file.startsWith('engine/assembly/')
  if (!mayClimb && specifier.startsWith('../')) return `${specifier} climbs; write #${target}`
  if (!/\.(tsx?|css|json|sol)$/.test(target)) return `${specifier} must be named with its extension`
  if (!isTest && TESTS.test(target)) return `${specifier} is for tests only`
  if (isRelative && folderOf(target) !== folderOf(file)) return `${specifier} leaves its room; write #${target}`
  if (FACTS.includes(target) && kind === 'import' && !isTest && !file.endsWith('.derived.ts')) {
    return `${specifier} is for tables that are worked out at build (*.derived.ts)`
  }
  if (targetRoom !== roomOf(file)) {
    if (isTest && room.tests?.includes(targetRoom)) return undefined
    return room.rooms.includes(targetRoom) ? undefined : `src/${roomOf(file)} may not import src/${targetRoom}`
  }
  if (inNode && !isTest) {
    const targetRank = nodeRank(target)
    if (targetRank < 0 || targetRank > rank) {
      return `src/node/${file.split('/')[1]} may not import src/node/${target.split('/')[1]}`
    }
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

/** Rooms whose folders count as one, since nearly all of their types meet in the context of every method. */
const UNDIVIDED = ['node/rpc', 'rpc-types']

/** The folder of a source file; `undefined` for tests. @param {string} file */
function placeOf(file) {
  if (TESTS.test(file)) return undefined
  const folder = path.posix.dirname(file)
  return UNDIVIDED.find((room) => `${folder}/`.startsWith(`${room}/`)) ?? folder
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

const root = path.resolve(process.argv[2] ?? '.', 'src')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => /\.tsx?$/.test(file))
  .toSorted()
if (files.length === 0) throw new Error(`no sources under ${root}: nothing was checked`)

const found = violations(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]))
for (const { file, line, message } of found) console.error(`src/${file}:${line}: ${message}`)
console.log(`layers: ${files.length} files, ${found.length} violations`)
process.exitCode = found.length === 0 ? 0 : 1
