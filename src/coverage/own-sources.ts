/** Folders of other people's sources, wherever they stand. */
const OTHERS: ReadonlySet<string> = new Set(['node_modules', 'lib'])
/** Tests and scripts of Foundry, and what they stand in. */
const TESTS = /(?:\.[ts]\.sol$)|(?:^|\/)(?:test|tests|script|scripts)\//
/** Longest name of one folder or file in a report, and deepest folder. */
const MAX_PART = 100
const MAX_PARTS = 24

/** Which sources a report is about. */
export interface SourceChoice {
  /** Beginnings of paths, or patterns with `*` and `**`; by default all sources of the project but for libraries and tests. */
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}

/** Whether a source is to be in a report. @param path - As the compiler knows it. */
export function isChosen(path: string, { include, exclude = [] }: SourceChoice): boolean {
  if (exclude.some((pattern) => matches(path, pattern))) return false
  if (include) return include.some((pattern) => matches(path, pattern))
  if (path.startsWith('/') || path.startsWith('@') || /^[A-Za-z][A-Za-z+.-]*:/.test(path)) return false
  const parts = path.split(/[\\/]/)
  return !parts.includes('..') && !parts.some((part) => OTHERS.has(part)) && !TESTS.test(path)
}

function matches(path: string, pattern: string): boolean {
  if (!pattern.includes('*'))
    return path === pattern || path.startsWith(pattern.endsWith('/') ? pattern : `${pattern}/`)
  return likePattern(path.split('/'), pattern.split('/'))
}

/** `**` is any number of folders, `*` any part of a name. Not by a regular expression, which a pattern could make slow. */
function likePattern(path: readonly string[], pattern: readonly string[]): boolean {
  // Which beginnings of the path the pattern so far stands for.
  let fits = path.map((_, i) => i === 0).concat(path.length === 0)
  for (const part of pattern) {
    const next = fits.map(() => false)
    for (let at = 0; at < fits.length; at++) {
      if (part === '**') next[at] = fits.slice(0, at + 1).includes(true)
      else if (at > 0 && fits[at - 1] && likeName(path[at - 1] ?? '', part)) next[at] = true
    }
    fits = next
  }
  return fits.at(-1) ?? false
}

function likeName(name: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*')
  if (others.length === 0) return name === pattern
  if (!name.startsWith(first)) return false
  let at = first.length
  const last = others.pop() ?? ''
  for (const part of others) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}

/**
 * The path of a source in reports, which write files by it: letters, digits and a few signs, and no way out of a folder.
 *
 * @param taken - Paths that other sources have; this one's is added.
 */
export function reportPath(path: string, taken: Set<string>): string {
  const parts = path
    .split(/[\\/]/)
    .map((part) => part.replaceAll(/[^\w.@ +-]/g, '_').slice(0, MAX_PART))
    .filter((part) => !/^\.*$/.test(part.trim()))
  const clean = parts.slice(-MAX_PARTS).join('/') || 'source'
  let unique = clean
  // A file system may not tell small letters from capital ones.
  for (let number = 2; taken.has(unique.toLowerCase()); number++) unique = `${clean}.${number}`
  taken.add(unique.toLowerCase())
  return unique
}

/** A name of a contract or a function for people: what no identifier has is left out. */
export function cleanName(name: string): string {
  return name.replaceAll(/[^\w$.(),[\] ]/g, '').slice(0, 200) || '?'
}
