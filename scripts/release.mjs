// What a release changes besides package.json. Usage:
//   release.mjs version       `npm version` runs it: the unreleased changes get the version's heading, and every file that
//                             names the version gets the new one
//   release.mjs check TAG     refuses a tag that is not the version of package.json, or that the changelog does not know
//   release.mjs notes TAG     prints what the changelog says of a release
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const CHANGELOG = 'CHANGELOG.md'
const UNRELEASED = '## Unreleased\n'
/**
 * Files that name the version, each with what stands before and after it.
 *
 * @type {readonly (readonly [file: string, before: string, after: string])[]}
 */
export const NAMED = [
  ['src/rpc-types/version.ts', "VERSION = '", "'"],
  ['docs/server.md', 'blinknet-', '.tgz'],
  ['examples/dapp/package.json', 'blinknet-', '.tgz'],
  ['examples/hardhat/package.json', 'blinknet-', '.tgz'],
]
const VERSION = /\d+\.\d+\.\d+(?:-[a-z]+(?:\.\d+)*)?/

/**
 * The changelog with the unreleased changes under the heading of a version.
 *
 * @param {string} text
 * @param {string} version
 * @param {string} date - As `2026-11-28`.
 * @throws {Error} If nothing is unreleased.
 */
export function released(text, version, date) {
  if (notesOf(text, 'Unreleased') === '') throw new Error(`${CHANGELOG} has nothing under “Unreleased”`)
  return text.replace(UNRELEASED, () => `${UNRELEASED}\n## ${version}, ${date}\n`)
}

/**
 * What the changelog says under a heading, without it; empty if there is no such heading.
 *
 * @param {string} text
 * @param {string} version - Of the heading, which may go on with a date.
 */
export function notesOf(text, version) {
  const sections = text.split(/^## /m).slice(1)
  const section = sections.find((each) => each.split(/[,\n]/, 1)[0] === version) ?? ''
  return section.slice(section.indexOf('\n') + 1).trim()
}

/**
 * The text with another version, wherever the first one stands between two texts.
 *
 * @param {string} text
 * @param {string} before
 * @param {string} after
 * @param {string} version
 * @throws {Error} If it stands nowhere.
 */
export function renamed(text, before, after, version) {
  const [head = '', ...parts] = text.split(before)
  let count = 0
  const changed = parts.map((part) => {
    const found = VERSION.exec(part)
    if (found?.index !== 0 || !part.startsWith(after, found[0].length)) return part
    count++
    return version + part.slice(found[0].length)
  })
  if (count === 0) throw new Error(`no version stands between “${before}” and “${after}”`)
  return [head, ...changed].join(before)
}

const read = (/** @type {string} */ file) => readFileSync(file, 'utf8')

/** @returns {string} */
function currentVersion() {
  return JSON.parse(read('package.json')).version
}

function writeVersion() {
  const version = currentVersion()
  writeFileSync(CHANGELOG, released(read(CHANGELOG), version, new Date().toISOString().slice(0, 10)))
  for (const [file, before, after] of NAMED) writeFileSync(file, renamed(read(file), before, after, version))
  execFileSync('git', ['add', CHANGELOG, ...NAMED.map(([file]) => file)])
}

/** @param {string} tag */
function checkTag(tag) {
  const version = currentVersion()
  if (tag !== `v${version}`) throw new Error(`the tag is ${tag}, and package.json has the version ${version}`)
  if (notesOf(read(CHANGELOG), version) === '') throw new Error(`${CHANGELOG} says nothing of ${version}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [command, tag = ''] = process.argv.slice(2)
  if (command === 'version') writeVersion()
  else if (command === 'check') checkTag(tag)
  else if (command === 'notes') console.log(notesOf(read(CHANGELOG), tag.replace(/^v/, '')))
  else throw new Error('usage: release.mjs version | check TAG | notes TAG')
}
