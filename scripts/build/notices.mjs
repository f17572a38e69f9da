// Writes THIRD-PARTY-NOTICES.txt beside a build: every package whose code is in it, with its license text. A package
// without a license text, or with a license that is not listed below, fails the build.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { SOLIDITY_PACKAGES } from './solidity-packages.mjs'

const OUTPUT = 'THIRD-PARTY-NOTICES.txt'

/** SPDX identifiers of licenses compatible with shipping as part of MIT code. */
const ALLOWED = new Set([
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'MPL-2.0',
  'OFL-1.1',
  'Unlicense',
])

/** The page's faces, whose files are no modules. */
export const FACES = ['@fontsource-variable/geist', '@fontsource-variable/geist-mono']

/** Remarks that a package's own files lack. */
const REMARKS = new Map([
  [
    'solc',
    (/** @type {string} */ version) =>
      [
        'The file assets/solc-*.bin and the script that runs it are the Solidity compiler, which this package contains:',
        `Solidity ${version}, GPL-3.0-only, unchanged but for its packing. Its license is in licenses/GPL-3.0.txt,`,
        `its source, with the notices of what it contains, at https://github.com/ethereum/solidity/tree/v${version}.`,
        'It runs in a worker of its own, and speaks with the page by messages alone.',
      ].join('\n'),
  ],
])

/** Packages that name their license without its text. Any other one fails the build, so that somebody checks it. */
const WITHOUT_TEXT = new Set(['react-remove-scroll-bar', 'wouter', ...SOLIDITY_PACKAGES.map(({ name }) => name)])

const UNLICENSE_TEXT =
  'This is free and unencumbered software released into the public domain, see https://unlicense.org.'

/** @param {string} copyright */
const mitText = (copyright) => `MIT License

${copyright}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

/** Folders in node_modules of the packages in any bundle of this process. @type {Set<string>} */
const bundled = new Set()

/**
 * Records the packages in a bundle. For every build that is shipped, including workers.
 *
 * @returns {import('vite').Plugin}
 */
export function collectNotices() {
  return {
    name: 'blinknet-collect-notices',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk') continue
        for (const id of output.moduleIds) {
          const folder = packageFolder(id)
          if (folder !== undefined) bundled.add(folder)
        }
      }
    },
  }
}

/**
 * Writes the notices after the page's own bundle, which follows those of its workers. Must come after the other
 * plugins.
 *
 * @param {readonly string[]} unlisted - Packages of this build that come from virtual modules or by style sheets, so they are in
 *   no list of modules.
 * @returns {import('vite').Plugin}
 */
export function writeNotices(unlisted = ['solc', ...FACES, ...SOLIDITY_PACKAGES.map(({ name }) => name)]) {
  return {
    name: 'blinknet-write-notices',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler() {
        for (const name of unlisted) {
          bundled.add(path.join(this.environment.config.root, 'node_modules', name))
        }
        this.emitFile({ type: 'asset', fileName: OUTPUT, source: noticesOf([...bundled]) })
      },
    },
  }
}

/** @param {string} id - Of a module. */
function packageFolder(id) {
  const match = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id.replace(/^\0/, ''))
  return match?.[0]
}

/**
 * @param {readonly string[]} folders - Of packages.
 * @throws {Error} If one of them may not be shipped.
 */
export function noticesOf(folders) {
  const packages = new Map(folders.map(readPackage).map((found) => [`${found.name} ${found.version}`, found]))
  const sections = [...packages].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, found]) => section(found))
  const head = [
    'Blinknet is under the MIT license. This build contains the following packages of others, each under its own license.',
    `${packages.size} packages.`,
  ]
  return `${[head.join('\n'), ...sections].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

/** @typedef {{ name: string, version: string, license: string, source: string, text: string }} Package */

/** @param {string} folder @returns {Package} */
function readPackage(folder) {
  const { name, version, license, author, repository, homepage } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  )
  const what = `${name} ${version}`
  if (
    typeof license !== 'string' ||
    !license
      .replace(/[()]/g, '')
      .split(' OR ')
      .some((each) => ALLOWED.has(each))
  ) {
    throw new Error(`${what} is under ${JSON.stringify(license)}, which is not allowed: see scripts/build/notices.mjs`)
  }
  const text = licenseText(folder) ?? (WITHOUT_TEXT.has(name) ? standardText(license, author) : undefined)
  if (text === undefined) throw new Error(`${what} has no license text: see scripts/build/notices.mjs`)
  /** @type {string} */
  const url = typeof repository === 'string' ? repository : (repository?.url ?? homepage ?? '')
  const source = url.replace(/^git\+/, '').replace(/\.git$/, '')
  return { name, version, license, source: source || `https://www.npmjs.com/package/${name}`, text }
}

/** @param {string} folder */
function licenseText(folder) {
  const files = existsSync(folder) ? readdirSync(folder) : []
  const names = files.filter((file) => /^(licen[cs]e|copying|notice)/i.test(file) && !/\.[cm]?[jt]s$/.test(file))
  const texts = names.toSorted().map((name) => readFileSync(path.join(folder, name), 'utf8').trim())
  return texts.length > 0 ? texts.join('\n\n') : undefined
}

/**
 * The text of a license that a package only names.
 *
 * @param {string} license
 * @param {string | { name: string } | undefined} author - As `package.json` has it.
 */
function standardText(license, author) {
  if (license === 'Unlicense') return UNLICENSE_TEXT
  if (license !== 'MIT' || author === undefined) return undefined
  const holder = (typeof author === 'string' ? author : author.name).replace(/\s*[<(].*$/, '')
  return mitText(`Copyright (c) ${holder}`)
}

/** @param {Package} found */
function section({ name, version, license, source, text }) {
  const remark = REMARKS.get(name)?.(version)
  return [`${name} ${version}\n${license}\n${source}`, ...(remark === undefined ? [] : [remark]), text].join('\n\n')
}
