// Checks the documents: links and their headings, the files that they name, tables, the length of ARCHITECTURE.md and its
// glossary; and the documents that comments name. Usage: documents.mjs [folder of the repository]
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Words of ARCHITECTURE.md, as `wc -w` counts them: what one reads in ten minutes. */
const MAX_WORDS = 2_500
/** Words of its glossary. */
const MAX_GLOSSARY = 40

/** Folders that hold what others have written, or what is made from the rest. */
const SKIPPED = new Set(['node_modules', 'dist', 'test-results', 'playwright-report', 'artifacts', 'cache', 'out'])
/** Folders whose comments may name documents. */
const SOURCES = /^(?:src|scripts|e2e|bench|test|examples)\/.*\.(?:tsx?|mjs)$/
/** A file with broken documents on purpose. */
const PLANTED = 'scripts/check/planted.mjs'

const FENCE = /^ *```/
const LINK = /(?<!!)\[[^\]]*\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)|!\[[^\]]*\]\(([^)\s]+)\)/g
/** A path from the root of the repository, in code marks. */
const NAMED_FILE = /`((?:src|scripts|docs|e2e|bench|test|examples|tsconfig|\.ci|\.github)\/[\w./-]*)`/g
/** A document, as comments name it. */
const NAMED_DOCUMENT = /\b((?:docs\/[\w/-]+|ARCHITECTURE|CONTRIBUTING)\.md)(?:#([\w-]+))?/g

/** A line that stands for a text or a table that is not there yet. */
const PLACEHOLDER = /^[A-Z_]{4,}$/

const root = path.resolve(process.argv[2] ?? '.')
/** @type {string[]} */
const found = []

/** Files below the root, with `/`. @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name)
    if (!entry.isDirectory()) return [name]
    const isHidden = entry.name.startsWith('.') && entry.name !== '.github'
    return isHidden || SKIPPED.has(entry.name) ? [] : filesBelow(name)
  })
}

/** Lines outside of code blocks, with their numbers. @param {string} text */
function prose(text) {
  let isCode = false
  /** @type {{ line: string, number: number }[]} */
  const lines = []
  for (const [index, line] of text.split('\n').entries()) {
    if (FENCE.test(line)) isCode = !isCode
    else if (!isCode) lines.push({ line, number: index + 1 })
  }
  return lines
}

/** The names by which GitHub links to the headings of a document. @param {string} text @returns {Set<string>} */
function anchorsOf(text) {
  /** @type {Set<string>} */
  const anchors = new Set()
  for (const { line } of prose(text)) {
    const heading = /^#{1,6} +(.*)$/.exec(line)?.[1]
    if (heading === undefined) continue
    const shown = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    const name = shown
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    let anchor = name
    for (let count = 1; anchors.has(anchor); count++) anchor = `${name}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

const files = filesBelow('')
/** @type {ReadonlyMap<string, string>} */
const documents = new Map(
  files.filter((file) => file.endsWith('.md')).map((file) => [file, readFileSync(path.join(root, file), 'utf8')]),
)
if (documents.size === 0) throw new Error(`no documents under ${root}: nothing was checked`)
/** @type {ReadonlyMap<string, Set<string>>} */
const anchors = new Map([...documents].map(([file, text]) => [file, anchorsOf(text)]))
/** Documents that another one leads to. @type {Set<string>} */
const reached = new Set()

/**
 * @param {string} place - Where it is named, for the report.
 * @param {string} target - From the root.
 * @param {string | undefined} anchor
 */
function expectPlace(place, target, anchor) {
  if (!existsSync(path.join(root, target))) return void found.push(`${place}: there is no ${target}`)
  if (anchor !== undefined && anchors.get(target)?.has(anchor) === false)
    found.push(`${place}: ${target} has no heading #${anchor}`)
}

/** @param {string} file @param {string} place @param {string} line */
function checkLinks(file, place, line) {
  for (const [, link, picture] of line.matchAll(LINK)) {
    const address = link ?? picture ?? ''
    if (/^[a-z]+:/.test(address)) continue
    const [name = '', anchor] = address.split('#')
    const target = name === '' ? file : path.posix.join(path.posix.dirname(file), name)
    if (target !== file) reached.add(target)
    expectPlace(place, target, anchor)
  }
  for (const [, name = ''] of line.matchAll(NAMED_FILE)) expectPlace(place, name, undefined)
}

/** Cells of a line of a table. @param {string} line */
function cells(line) {
  return line
    .replace(/`[^`]*`/g, (code) => code.replaceAll('\\|', ''))
    .replaceAll('\\|', '')
    .split('|').length
}

/** Every row of a table has as many cells as its head. @param {string} file @param {string} text */
function checkTables(file, text) {
  /** @type {number | undefined} */
  let width
  for (const { line, number } of prose(text)) {
    if (!line.startsWith('|')) width = undefined
    else if (width === undefined) width = cells(line)
    else if (cells(line) !== width) found.push(`${file}:${number}: this row has not as many cells as its table`)
  }
}

for (const [file, text] of documents) {
  for (const { line, number } of prose(text)) {
    const place = `${file}:${number}`
    checkLinks(file, place, line)
    if (PLACEHOLDER.test(line)) found.push(`${place}: “${line}” was to be replaced`)
  }
  checkTables(file, text)
}
for (const file of documents.keys()) {
  if (file.startsWith('docs/') && !reached.has(file)) found.push(`${file}:1: no other document leads here`)
}

for (const file of files.filter((name) => SOURCES.test(name) && name !== PLANTED)) {
  for (const [index, line] of readFileSync(path.join(root, file), 'utf8').split('\n').entries()) {
    for (const [, target = '', anchor] of line.matchAll(NAMED_DOCUMENT)) {
      expectPlace(`${file}:${index + 1}`, target, anchor)
    }
  }
}

const ARCHITECTURE = 'ARCHITECTURE.md'
const architecture = documents.get(ARCHITECTURE) ?? ''
const words = architecture.split(/\s+/).filter((word) => word !== '').length
if (words > MAX_WORDS) found.push(`${ARCHITECTURE}:1: ${words} words, ${MAX_WORDS} at most: what is left goes to docs/`)
const glossary = /^## Glossary\n(.*?)(?=^## |$(?![\s\S]))/ms.exec(architecture)?.[1] ?? ''
const explained = [...glossary.matchAll(/^\| ([^|]+?) \| /gm)].map(([, word = '']) => word).slice(1)
if (explained.length === 0) found.push(`${ARCHITECTURE}:1: it has no glossary`)
if (explained.length > MAX_GLOSSARY)
  found.push(`${ARCHITECTURE}:1: its glossary has ${explained.length} words, ${MAX_GLOSSARY} at most`)
for (const [index, word] of explained.entries()) {
  const before = explained[index - 1]
  if (before !== undefined && before >= word)
    found.push(`${ARCHITECTURE}:1: in its glossary, “${word}” stands after “${before}”: by the alphabet, and each once`)
}

for (const line of found) console.error(line)
console.log(
  `documents: ${documents.size}, ${words} words in ${ARCHITECTURE}, ${explained.length} in its glossary, ${found.length} violations`,
)
process.exitCode = found.length === 0 ? 0 : 1
