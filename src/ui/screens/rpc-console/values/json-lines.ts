import { spellOut } from '#ui/format/contract-text.ts'
import { valueHint } from './value-hint.ts'

/** One line of a formatted value. */
export interface JsonLine {
  readonly indent: number
  /** Name of the field, if any. */
  readonly name: string | undefined
  readonly text: string
  readonly kind: 'text' | 'number' | 'word' | 'bracket'
  /** The value in words. */
  readonly hint: string | undefined
  /** Whether another item follows in the same list or object. */
  readonly comma: boolean
}

/** A formatted value, up to `limit` lines. */
export interface JsonLines {
  readonly lines: readonly JsonLine[]
  /** Whether there is more of it. */
  readonly cut: boolean
}

/** Longest text shown in full; of a longer one only the start is shown. */
const MAX_TEXT = 600

/**
 * Formats a JSON value line by line.
 *
 * @param limit - The most lines; the rest of the value is not read.
 */
export function jsonLines(value: unknown, limit: number): JsonLines {
  const lines: JsonLine[] = []
  let cut = false

  function add(line: JsonLine): void {
    if (lines.length < limit) lines.push(line)
    else cut = true
  }

  function write(part: unknown, name: string | undefined, indent: number, comma: boolean): void {
    if (cut) return
    if (typeof part !== 'object' || part === null) {
      add({ indent, name, ...scalar(part, name), comma })
      return
    }
    const isList = Array.isArray(part)
    const entries: readonly (readonly [string | undefined, unknown])[] = isList
      ? (part as unknown[]).map((item) => [undefined, item] as const)
      : Object.entries(part).filter(([, item]) => item !== undefined)
    const [open, close] = isList ? ['[', ']'] : ['{', '}']
    const bracket = { kind: 'bracket', hint: undefined } as const
    if (entries.length === 0) {
      add({ indent, name, text: `${open}${close}`, ...bracket, comma })
      return
    }
    add({ indent, name, text: open, ...bracket, comma: false })
    for (const [i, [key, item]] of entries.entries()) {
      if (cut) return
      write(item, key, indent + 1, i < entries.length - 1)
    }
    add({ indent, name: undefined, text: close, ...bracket, comma })
  }

  write(value, undefined, 0, false)
  return { lines, cut }
}

function scalar(value: unknown, name: string | undefined): Pick<JsonLine, 'text' | 'kind' | 'hint'> {
  if (typeof value === 'string') {
    const text = value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}… ${value.length} characters` : value
    return { text: spellOut(JSON.stringify(text)), kind: 'text', hint: valueHint(value, name) }
  }
  const kind = typeof value === 'number' ? 'number' : 'word'
  return { text: JSON.stringify(value) ?? 'null', kind, hint: undefined }
}
