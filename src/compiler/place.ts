import type { MessagePlace } from './messages.ts'

/** A place in a file's text, with its line and column. */
export function placeIn(file: string, text: string, from: number, to: number): MessagePlace {
  const before = text.slice(0, from)
  const lineStart = before.lastIndexOf('\n') + 1
  let line = 1
  for (let at = before.indexOf('\n'); at >= 0; at = before.indexOf('\n', at + 1)) line++
  return { file, from, to, line, column: from - lineStart + 1 }
}
