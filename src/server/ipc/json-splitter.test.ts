import { expect, test } from 'vitest'
import { JsonSplitter } from './json-splitter.ts'

function split(text: string, size: number): { messages: readonly string[]; begunBytes: number } {
  const messages: string[] = []
  const splitter = new JsonSplitter((message) => messages.push(message))
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.subarray(at, at + size))
  return { messages, begunBytes: splitter.begunBytes }
}

test.each<[what: string, text: string, messages: readonly string[], begun: number]>([
  ['lines', '{"a":1}\n[2]\r\n', ['{"a":1}', '[2]'], 0],
  ['values without anything between them', '{"a":{"b":[]}}[{}]{}', ['{"a":{"b":[]}}', '[{}]', '{}'], 0],
  [
    'brackets and quotation marks within strings',
    '{"}":"[\\"{","\\\\":"é}"} {}',
    ['{"}":"[\\"{","\\\\":"é}"}', '{}'],
    0,
  ],
  ['a value that has not ended', ' {"a":', [], 5],
  ['what is no object, up to the end of its line', 'hello {\n}\n"{"\n7', ['hello {\n', '}\n', '"{"\n'], 1],
  ['brackets that do not match', '{]{}\n', ['{]', '{}'], 0],
])('%s', (_what, text, messages, begunBytes) => {
  for (const size of [1, 2, 3, 1_000]) expect(split(text, size)).toEqual({ messages, begunBytes })
})
