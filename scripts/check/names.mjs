// Checks what tools for types and style do not: that an exported type has a name of its own, that a comment stands alone
// and tells no timing, that neither comments nor titles of tests carry numbers of a tracker, that a long file says why it is
// long, that no test has a limit of time of its own that a busy machine breaks, and that no rule for a width is in pixels.
// Usage: names.mjs [folder]
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

/** Names that the package gives to its users at each of its entries. */
const OF_ENTRIES = ['Chain', 'ChainOptions']
const ENTRIES = /^src\/(library\/chain|browser\/index)\.ts$/

/** A comment is shown alone, above what it is about, so it cannot begin with a word that points elsewhere. */
const POINTER =
  /^(?:Those|These|That|Of|Likewise|The same|The others|The rest|Another one|Same|Its|Their|They|It|Ours|Both|Otherwise|Else|Also|And|Or|Nor|So(?! that)|Such|As above|As before|See above)\b/

/** A time that was measured, which stands where measurements do. */
const TIMING = /\d (?:ns|µs)\b|\b(?:takes?|took|costs?|some) [\d.,]+ ms\b/

/** A rule for windows or parts of a size in pixels, which stays as it is when a person wants larger text. */
const IN_PIXELS = /@(?:media|container)[^{]*\dpx\b[^{]*(?=\s\{)/g

/** A number of a tracker in a comment: `(A6)`, `(B11, B12)`. */
const TRACKED = /\([A-Z]\d{1,3}(?:, [A-Z]\d{1,3})*\)/

/** Numbers of a tracker at the end of a title, `(A6)`, `(15, 20)`, or at its beginning, `A6: `, `A17, B9: `. */
const ENDS_TRACKED = /\s\([A-Z]?\d{1,3}(?:, [A-Z]?\d{1,3})*\)$/
const BEGINS_TRACKED = /^[A-Z]{1,2}\d{1,3}(?:, [A-Z]{1,2}\d{1,3})*: /

/**
 * Words of the glossary that once meant more than one thing: where only one of the meanings may be used, and the word for the
 * other. A word is the whole of an identifier or a part of it, `forkedAt`.
 */
const WORDS = [
  {
    where: /^src\/(?:engine|node\/(?:crypto|evm|state))\//,
    word: /^forks?$|^fork[A-Z]/,
    rather: 'hardfork, or branch',
  },
  { where: /^src\/(?:engine|node\/state)\//, word: /journal/i, rather: 'undo log' },
  { where: /^src\/(?:node|server|transport|worker)\//, word: /^feeds?$|Feeds?$/, rather: 'publisher' },
  { where: /^src\/ui\/(?!page\/|screens\/(?:stage|views)\/)/, word: /^stages?$|Stages?$/, rather: 'status' },
]

/** What takes a title: `test(…)`, `test.step(…)`, `test.each(…)(…)`. */
const TITLED = new Set(['test', 'it', 'describe', 'bench'])

/** @param {{ type: string }} node - What is called. @returns {string} */
function rootOf(node) {
  const { type, name, object, callee } = /** @type {any} */ (node)
  if (type === 'Identifier') return name
  return object ? rootOf(object) : callee ? rootOf(callee) : ''
}

/** What takes a limit of its own, after a title or a function: `test(…, 60_000)`, `beforeAll(…, 60_000)`. */
const LIMITED = new Set([...TITLED, 'beforeAll', 'beforeEach', 'afterAll', 'afterEach'])
const UNIT_TESTS = /^(?:src|scripts|test\/clients)\/.*\.test\.tsx?$/
/** The limit of tests without one of their own, as vitest.config.ts has it: long enough for a machine that others use too. */
const LEAST_MS = 300_000

/** The limit that an argument sets, as a number or among options. @param {import('oxc-parser').Argument} argument */
function limitIn(argument) {
  const options = argument.type === 'ObjectExpression' ? argument.properties : []
  const values = [
    argument,
    ...options.flatMap((option) =>
      option.type === 'Property' && option.key.type === 'Identifier' && option.key.name === 'timeout'
        ? [option.value]
        : [],
    ),
  ]
  for (const value of values) {
    if (value.type === 'Literal' && typeof value.value === 'number') return { ms: value.value, start: value.start }
  }
  return undefined
}

/** Where titles are: tests, and what several of them share. */
const TESTS = /\.(?:test|spec|bench)\.tsx?$|^(?:e2e|test)\/|\.test\.js$/

/** Lines after which a file says at its top why it is longer than most. */
const LONG = 400

/** Measurements stand in benchmarks, and in the documents of their results. */
const SOURCES = /^src\/(?!.*\.(?:test|bench)\.)/

/** Programs that have breaches as texts and examples. */
const HAS_BREACHES = /^scripts\/check\/(?:names|planted)\.mjs$/

const root = path.resolve(process.argv[2] ?? '.')
const files = [
  ...readdirSync(root),
  ...['src', 'e2e', 'test', 'scripts', 'bench', 'examples']
    .filter((folder) => existsSync(path.join(root, folder)))
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        `${folder}/${file}`.split(path.sep).join('/'),
      ),
    ),
]
  .filter((file) => /\.(?:tsx?|mjs|js|css)$/.test(file) && !/(?:^|\/)(?:node_modules|dist)\/|\.gen\./.test(file))
  .toSorted()

/**
 * A file's syntax and its comments. AssemblyScript and styles are not parsed: their comments are found by their signs.
 *
 * @param {string} file
 * @param {string} source
 */
function parsed(file, source) {
  if (!/^src\/engine\/assembly\/|\.css$/.test(file)) return parseSync(file, source)
  const comments = Array.from(source.matchAll(/\/\*([^]*?)\*\/|(?<=^|[ \t])\/\/(.*)/gm), (match) => ({
    value: match[1] ?? match[2] ?? '',
    start: match.index,
  }))
  return { program: undefined, comments }
}

/** @typedef {import('oxc-parser').Program['body'][number]} Statement */

/** The name of a type that a statement declares. @param {Statement | import('oxc-parser').Declaration | null} node */
function typeOf(node) {
  if (!node || !('id' in node) || !node.id || !/Interface|TypeAlias|Class/.test(node.type)) return undefined
  return /** @type {{ name: string }} */ (node.id).name
}

/** The names of the types that a file declares and exports, and where. @param {readonly Statement[]} body */
function exportedTypes(body) {
  const declared = body.map(typeOf)
  return body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration') return []
    const own = typeOf(node.declaration)
    const listed = node.specifiers.filter(({ local, exported }) => {
      const [from, to] = [local, exported].map((name) => ('name' in name ? name.name : name.value))
      return node.source ? from !== to && node.exportKind === 'type' : declared.includes(from)
    })
    return [
      ...(own === undefined ? [] : [{ name: own, start: node.start }]),
      ...listed.map(({ exported, start }) => ({ name: 'name' in exported ? exported.name : exported.value, start })),
    ]
  })
}

/** @type {{ file: string, line: number, message: string }[]} */
const found = []
/** @type {Map<string, { file: string, line: number }[]>} */
const types = new Map()

for (const file of files) {
  if (HAS_BREACHES.test(file)) continue
  const source = readFileSync(path.join(root, file), 'utf8')
  const { program, comments } = parsed(file, source)
  const lineOf = (/** @type {number} */ at) => source.slice(0, at).split('\n').length
  for (const { value, start } of comments) {
    const text = value.replace(/^[\s*]+/, '')
    // The second line of a comment of `//` goes on with the first.
    const goesOn = /(?:^|\n)[ \t]*\/\/[^\n]*\n[ \t]*$/.test(source.slice(0, start))
    const line = lineOf(start)
    const pointer = goesOn ? undefined : POINTER.exec(text)?.[0]
    if (pointer) found.push({ file, line, message: `a comment begins with “${pointer}”` })
    const tracked = TRACKED.exec(text)?.[0]
    if (tracked) found.push({ file, line, message: `a comment has ${tracked}` })
    const timing = TIMING.exec(text)?.[0]
    if (timing && SOURCES.test(file)) found.push({ file, line, message: `a comment tells a timing, “${timing}”` })
  }
  if (SOURCES.test(file) && source.split('\n').length - 1 > LONG && !/^\/[/*]/.test(source))
    found.push({ file, line: 1, message: `more than ${LONG} lines, and its top does not say why` })
  for (const { 0: query, index } of file.endsWith('.css') ? source.matchAll(IN_PIXELS) : [])
    found.push({ file, line: lineOf(index), message: `“${query}” does not follow the size of text: in rem` })
  if (!program) continue
  const words = WORDS.filter(({ where }) => where.test(file))
  if (words.length > 0) {
    const look = (/** @type {{ name: string, start: number }} */ { name, start }) => {
      for (const { word, rather } of words)
        if (word.test(name))
          found.push({ file, line: lineOf(start), message: `“${name}” has another meaning: ${rather}` })
    }
    new Visitor({ Identifier: look, PrivateIdentifier: look }).visit(program)
  }
  if (TESTS.test(file)) {
    new Visitor({
      CallExpression: ({ callee, arguments: [title, ...others] }) => {
        const called = rootOf(callee)
        const limit = UNIT_TESTS.test(file) && LIMITED.has(called) ? others.map(limitIn).find(Boolean) : undefined
        if (limit && limit.ms < LEAST_MS)
          found.push({ file, line: lineOf(limit.start), message: `a limit of ${limit.ms} ms breaks on a busy machine` })
        if (!TITLED.has(called)) return
        if (!title) return
        const parts =
          title.type === 'Literal'
            ? [title.value]
            : title.type === 'TemplateLiteral'
              ? title.quasis.map(({ value }) => value.raw)
              : []
        const begins = BEGINS_TRACKED.exec(String(parts[0] ?? ''))
        const ends = ENDS_TRACKED.exec(String(parts.at(-1) ?? ''))
        const line = lineOf(title.start)
        if (begins) found.push({ file, line, message: `a title begins with ${begins[0].trim()}` })
        if (ends) found.push({ file, line, message: `a title ends with ${ends[0].trim()}` })
      },
    }).visit(program)
  }
  // An example is a project of its own.
  if (file.startsWith('examples/')) continue
  for (const { name, start } of exportedTypes(program.body))
    types.set(name, [...(types.get(name) ?? []), { file, line: lineOf(start) }])
}

for (const [name, places] of types) {
  const [first, ...others] = places
  if (OF_ENTRIES.includes(name) && places.every(({ file }) => ENTRIES.test(file))) continue
  for (const { file, line } of others)
    found.push({ file, line, message: `${first?.file} exports a type ${name} as well` })
}

for (const { file, line, message } of found) console.error(`${file}:${line}: ${message}`)
console.log(`names: ${files.length} files, ${types.size} types, ${found.length} violations`)
process.exitCode = found.length === 0 ? 0 : 1
