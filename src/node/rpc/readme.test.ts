import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import document from './openrpc.json'

const README = path.resolve(import.meta.dirname, '../../../README.md')
const SECTION = /(<!-- methods: made by `npm run readme` -->\n)([\s\S]*?)(<!-- \/methods -->)/

/** One row a namespace, its methods in alphabetical order. */
function methodTable(): string {
  const namespaces = new Map<string, string[]>()
  for (const { name } of document.methods) {
    const namespace = name.replace(/[._].*/, '')
    namespaces.set(namespace, [...(namespaces.get(namespace) ?? []), name])
  }
  const rows = [...namespaces].map(
    ([namespace, names]) => `| \`${namespace}\` | ${names.map((name) => `\`${name}\``).join(', ')} |`,
  )
  return `\n| Namespace | Methods |\n|---|---|\n${rows.join('\n')}\n\n`
}

test('the README lists the methods of the OpenRPC document', () => {
  const readme = readFileSync(README, 'utf8')
  if (process.env['UPDATE_README'] === '1') writeFileSync(README, readme.replace(SECTION, `$1${methodTable()}$3`))
  const [, , listed] = SECTION.exec(readFileSync(README, 'utf8')) ?? []
  expect(listed).toBe(methodTable())
})
