// Checks that the page handles each script that does not come: a promise that needs an `import()` may be thrown away (by
// `void`, or as a statement) only with a handler for its failure, and no lazy part stands in a Suspense of React's alone.
// Usage: loads.mjs [folder that holds src/ui/]
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser'

const repository = path.resolve(process.argv[2] ?? '.')
const root = path.join(repository, 'src')

/** @typedef {any} Node - The parser's nodes, told apart by `type`. */

/** @typedef {{ file: string, source: string, program: Node, imported: Map<string, { file: string, name: string }>, functions: Map<string, Node> }} Module */

/** @param {Node} node @returns {Node[]} */
function childrenOf(node) {
  return Object.values(node)
    .flat()
    .filter((value) => typeof value?.type === 'string')
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

/**
 * The functions of a file by their names, and where its imported names come from.
 *
 * @param {string} file - Relative to `src/`.
 * @param {string} source
 * @returns {Module}
 */
function read(file, source) {
  const { program, errors } = parseSync(file, source)
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  /** @type {Module} */
  const found = { file, source, program, imported: new Map(), functions: new Map() }
  const look = (/** @type {Node} */ node) => {
    if (node.type === 'FunctionDeclaration' && node.id) found.functions.set(node.id.name, node)
    if (node.type === 'VariableDeclarator' && node.init && FUNCTIONS.has(node.init.type)) {
      found.functions.set(node.id.name, node.init)
    }
    if (node.type === 'ImportDeclaration') {
      const target = targetOf(file, node.source.value)
      for (const { local, imported } of node.specifiers) {
        if (target !== undefined && imported) found.imported.set(local.name, { file: target, name: imported.name })
      }
    }
    childrenOf(node).forEach(look)
  }
  look(program)
  return found
}

/** @param {string} file @param {string} specifier */
function targetOf(file, specifier) {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : undefined
}

/** @type {Map<string, Module>} */
const modules = new Map()
for (const name of existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : []) {
  const file = name.replaceAll(path.sep, '/')
  if (!/^ui\/.*(?<!\.(?:test|bench))\.tsx?$/.test(file)) continue
  modules.set(file, read(file, readFileSync(path.join(root, name), 'utf8')))
}

/** Functions whose promise fails if a script does not come. @type {Set<Node>} */
const needing = new Set()

/** The function that a call names, if it is one of the page. @param {Module} module @param {Node} callee @returns {Node} */
function calledBy(module, callee) {
  if (callee.type === 'ParenthesizedExpression') return calledBy(module, callee.expression)
  if (FUNCTIONS.has(callee.type)) return callee
  if (callee.type !== 'Identifier') return undefined
  const own = module.functions.get(callee.name)
  if (own) return own
  const from = module.imported.get(callee.name)
  return from && modules.get(from.file)?.functions.get(from.name)
}

/** Whether a variable stands anywhere but in its declaration and in assignments to it. @param {Module} module @param {Node} variable */
function isRead(module, variable) {
  /** @type {(node: Node) => boolean} */
  const look = (node) => {
    if (node.type === 'Identifier') return node.name === variable.name
    const isWritten = node.type === 'AssignmentExpression' && node.left.type === 'Identifier'
    return childrenOf(node).some(
      (child) =>
        !(isWritten && child === node.left) &&
        !(node.type === 'VariableDeclarator' && child === node.id) &&
        look(child),
    )
  }
  return variable.type !== 'Identifier' || look(module.program)
}

/**
 * Whether the value of an expression is a promise that fails if a script does not come.
 *
 * @param {Module} module
 * @param {Node} node
 * @returns {boolean}
 */
function mayFail(module, node) {
  switch (node.type) {
    case 'ImportExpression':
      return true
    case 'AwaitExpression':
    case 'ParenthesizedExpression':
    case 'ChainExpression':
      return mayFail(module, node.argument ?? node.expression)
    case 'ConditionalExpression':
      return mayFail(module, node.consequent) || mayFail(module, node.alternate)
    case 'LogicalExpression':
      return mayFail(module, node.right)
    // A promise that is kept is somebody else's to handle, if anything reads it.
    case 'AssignmentExpression':
      return mayFail(module, node.right) && !isRead(module, node.left)
    case 'ArrayExpression':
      return someFail(module, node.elements)
    case 'MemberExpression':
      return mayFail(module, node.object)
    case 'CallExpression': {
      const { callee, arguments: given } = node
      const called = calledBy(module, callee)
      if (called && needing.has(called)) return true
      if (callee.type !== 'MemberExpression') return false
      const { name } = callee.property
      if (callee.object.name === 'Promise') return name !== 'allSettled' && someFail(module, given)
      // A handler that throws again is one all the same: it says what has failed.
      if (name === 'catch' || (name === 'then' && given.length > 1)) return false
      return mayFail(module, callee.object)
    }
    default:
      return false
  }
}

/** @param {Module} module @param {readonly Node[]} nodes - An array may have holes. @returns {boolean} */
function someFail(module, nodes) {
  return nodes.some((node) => node && mayFail(module, node))
}

/**
 * Whether a function gives on the failure of a script: it awaits or returns it outside of a `try` with a `catch`.
 *
 * @param {Module} module
 * @param {Node} called
 */
function givesOn(module, called) {
  if (called.body.type !== 'BlockStatement' && mayFail(module, called.body)) return true
  /** @type {(node: Node) => boolean} */
  const look = (node) => {
    if (FUNCTIONS.has(node.type)) return false
    if (node.type === 'TryStatement' && node.handler)
      return [node.handler, node.finalizer].some((part) => part && look(part))
    if (node.type === 'AwaitExpression' && mayFail(module, node.argument)) return true
    if (node.type === 'ReturnStatement' && node.argument && mayFail(module, node.argument)) return true
    return childrenOf(node).some(look)
  }
  return look(called.body)
}

/** Every function of a file, with a name or without. @param {Node} node @returns {Node[]} */
function functionsIn(node) {
  const inside = childrenOf(node).flatMap(functionsIn)
  return FUNCTIONS.has(node.type) ? [node, ...inside] : inside
}

const all = [...modules.values()].flatMap((module) => functionsIn(module.program).map((node) => ({ module, node })))
for (let before = -1; before < needing.size; ) {
  before = needing.size
  for (const { module, node } of all) if (!needing.has(node) && givesOn(module, node)) needing.add(node)
}

/** @type {string[]} */
const breaches = []
for (const module of modules.values()) {
  const suspends = /<Suspense\b/.test(module.source)
  const look = (/** @type {Node} */ node) => {
    const thrownAway =
      node.type === 'ExpressionStatement'
        ? node.expression
        : node.type === 'UnaryExpression' && node.operator === 'void'
          ? node.argument
          : undefined
    if (thrownAway && thrownAway.type !== 'AwaitExpression' && mayFail(module, thrownAway)) {
      const line = module.source.slice(0, node.start).split('\n').length
      breaches.push(`src/${module.file}:${line}: nothing handles it if the script does not come`)
    }
    // Without a boundary a part that does not come takes the whole page away.
    const { callee, arguments: given } = node
    if (node.type === 'CallExpression' && callee.name === 'lazy' && suspends && given[0] && givesOn(module, given[0])) {
      const line = module.source.slice(0, node.start).split('\n').length
      breaches.push(
        `src/${module.file}:${line}: a lazy part stands in a LoadedPart or another LoadBoundary, not in Suspense`,
      )
    }
    childrenOf(node).forEach(look)
  }
  look(module.program)
}

for (const breach of breaches) console.error(breach)
if (breaches.length > 0) process.exitCode = 1
else console.log(`loads: ${modules.size} files of the page handle each script that does not come`)
