import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import document from './openrpc.json'

const DOCUMENT = path.resolve(import.meta.dirname, '../../../docs/json-rpc.md')
const SECTION = /(<!-- methods: made by `npm run docs` -->\n)([\s\S]*?)(<!-- \/methods -->)/

/** One row per namespace, its methods in alphabetical order. */
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

test('docs/json-rpc.md lists the methods of the OpenRPC document', () => {
  const text = readFileSync(DOCUMENT, 'utf8')
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(DOCUMENT, text.replace(SECTION, `$1${methodTable()}$3`))
  const [, , listed] = SECTION.exec(readFileSync(DOCUMENT, 'utf8')) ?? []
  expect(listed).toBe(methodTable())
})
