import { expect, test } from 'vitest'
import { madeSection, markdownTable } from '#testing/primitives/made-section.ts'
import document from './openrpc.json'

test('docs/json-rpc.md lists the methods of the OpenRPC document, by namespace and in alphabetical order', () => {
  const namespaces = new Map<string, string[]>()
  for (const { name } of document.methods) {
    const namespace = name.replace(/[._].*/, '')
    namespaces.set(namespace, [...(namespaces.get(namespace) ?? []), `\`${name}\``])
  }
  const rows = [...namespaces].map(([namespace, names]) => [`\`${namespace}\``, names.join(', ')])
  const made = markdownTable(['Namespace', 'Methods'], rows)
  expect(madeSection('docs/json-rpc.md', 'methods', made)).toBe(made)
})
