/** A value of a TOML file, as far as a project's settings need them. */
export type TomlValue = string | number | boolean | readonly TomlValue[]

/** A table's keys with their values, by the table's name. */
export type TomlTables = ReadonlyMap<string, ReadonlyMap<string, TomlValue>>

/** Characters that are read; a project's settings have a few thousand. */
const MAX_CHARACTERS = 1_000_000
/** Deepest list within lists. */
const MAX_DEPTH = 8

/** A table's head, or a key with its equals sign. Blanks stay within a line, so that matching takes linear time. */
const HEAD = /\[{1,2}[ \t]*([^\]\r\n]{1,200}?)[ \t]*\]{1,2}/y
const KEY = /(?:([\w-]{1,100})|"([^"\r\n]{1,100})"|'([^'\r\n]{1,100})')[ \t]*=[ \t]*/y
const BLANKS = /(?:[ \t\r\n]|#[^\n]*)+/y
const REST_OF_LINE = /[^\n]*/y
const STRING = /"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'/y
const BARE = /[^\s,\]}#]+/y

/**
 * Reads the tables of a TOML file: strings, numbers, booleans and lists of them. Other values, such as inline tables, are
 * skipped, and so are lines that cannot be read.
 *
 * @see {@link https://toml.io/en/v1.0.0 | TOML}
 */
export function readToml(text: string): TomlTables {
  const toml = text.slice(0, MAX_CHARACTERS)
  const tables = new Map<string, Map<string, TomlValue>>()
  let table = tableIn(tables, '')
  let at = 0

  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(toml)
    if (found) at = pattern.lastIndex
    return found ?? undefined
  }
  const value = (depth: number): TomlValue | undefined => {
    if (toml[at] === '[') return depth < MAX_DEPTH ? list(depth) : undefined
    const quoted = take(STRING)
    if (quoted) return quoted[2] ?? (quoted[1] ?? '').replaceAll(/\\(["\\])/g, '$1')
    return bareValue(take(BARE)?.[0])
  }
  const list = (depth: number): TomlValue | undefined => {
    const items: TomlValue[] = []
    at++
    while (at < toml.length) {
      take(BLANKS)
      if (toml[at] === ']') {
        at++
        return items
      }
      const before = at
      const item = value(depth + 1)
      if (item !== undefined) items.push(item)
      take(BLANKS)
      if (toml[at] === ',') at++
      else if (at === before) return undefined
    }
    return undefined
  }

  while (at < toml.length) {
    take(BLANKS)
    const head = take(HEAD)
    if (head) {
      table = tableIn(tables, (head[1] ?? '').replaceAll(/["'\s]/g, ''))
      continue
    }
    const key = take(KEY)
    const read = key && value(0)
    if (key && read !== undefined) table.set(key[1] ?? key[2] ?? key[3] ?? '', read)
    take(REST_OF_LINE)
  }
  return tables
}

function tableIn(tables: Map<string, Map<string, TomlValue>>, name: string): Map<string, TomlValue> {
  const table = tables.get(name) ?? new Map<string, TomlValue>()
  tables.set(name, table)
  return table
}

function bareValue(text: string | undefined): TomlValue | undefined {
  if (text === 'true') return true
  if (text === 'false') return false
  return text !== undefined && /^[+-]?\d[\d_]*$/.test(text) ? Number(text.replaceAll('_', '')) : undefined
}
