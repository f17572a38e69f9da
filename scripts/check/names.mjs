// Checks what tools for types and style do not: that an exported type has a name of its own, that a comment stands alone,
// and that titles of tests carry no numbers of a tracker. Usage: names.mjs [folder that holds src/]
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

/** Names that the package gives to its users at each of its entries. */
const OF_ENTRIES = ['Chain', 'ChainOptions']
const ENTRIES = /^src\/(library\/chain|browser\/index)\.ts$/

/** A comment is shown alone, above what it is about, so it cannot begin with a word that points elsewhere. */
const POINTER = /^(?:Those|These|Of|Likewise|The same|Its|Their|They|It|Both|Otherwise|Also|Such|As above|As before)\b/

/** Numbers of a tracker at the end of a title, `(A6)`, `(15, 20)`, or at its beginning, `A6: `, `A17, B9: `. */
const ENDS_TRACKED = /\s\([A-Z]?\d{1,3}(?:, [A-Z]?\d{1,3})*\)$/
const BEGINS_TRACKED = /^[A-Z]{1,2}\d{1,3}(?:, [A-Z]{1,2}\d{1,3})*: /

/** What takes a title: `test(…)`, `test.step(…)`, `test.each(…)(…)`. */
const TITLED = new Set(['test', 'it', 'describe', 'bench'])

/** @param {{ type: string }} node - What is called. @returns {string} */
function rootOf(node) {
  const { type, name, object, callee } = /** @type {any} */ (node)
  if (type === 'Identifier') return name
  return object ? rootOf(object) : callee ? rootOf(callee) : ''
}

const TEST = /\.(?:test|spec|bench)\.tsx?$/

const root = path.resolve(process.argv[2] ?? '.')
const files = ['src', 'e2e', 'test']
  .filter((folder) => existsSync(path.join(root, folder)))
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      `${folder}/${file}`.split(path.sep).join('/'),
    ),
  )
  .filter((file) => /\.tsx?$/.test(file) && !/^src\/engine\/assembly\/|\/node_modules\//.test(file))
  .toSorted()

/** @type {{ file: string, line: number, message: string }[]} */
const found = []
/** @type {Map<string, { file: string, line: number }[]>} */
const types = new Map()

for (const file of files) {
  const source = readFileSync(path.join(root, file), 'utf8')
  const { program, comments } = parseSync(file, source)
  const lineOf = (/** @type {number} */ at) => source.slice(0, at).split('\n').length
  for (const { value, start } of comments) {
    const text = value.replace(/^[\s*]+/, '')
    // The second line of a comment of `//` goes on with the first.
    const goesOn = /(?:^|\n)[ \t]*\/\/[^\n]*\n[ \t]*$/.test(source.slice(0, start))
    if (POINTER.test(text) && !goesOn)
      found.push({ file, line: lineOf(start), message: `a comment begins with “${text.split(/\s/, 1)[0]}”` })
  }
  if (TEST.test(file)) {
    new Visitor({
      CallExpression: ({ callee, arguments: [title] }) => {
        if (!TITLED.has(rootOf(callee))) return
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
    continue
  }
  if (!file.startsWith('src/') || file.startsWith('src/testing/')) continue
  for (const node of program.body) {
    const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : undefined
    if (!declared || !('id' in declared) || !declared.id || !/Interface|TypeAlias|Class/.test(declared.type)) continue
    const name = /** @type {{ name: string }} */ (declared.id).name
    types.set(name, [...(types.get(name) ?? []), { file, line: lineOf(declared.start) }])
  }
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
