import { readFileSync } from 'node:fs'
import path from 'node:path'

const IMPORTS = /^\s*import\s[^;]*?["']([^"']+)["']\s*;/gm

/** A source and all that it imports from packages, by path. */
export function withImports(entry: string, text: string): Record<string, string> {
  const sources: Record<string, string> = { [entry]: text }
  const load = (from: string, content: string) => {
    for (const [, imported = ''] of content.matchAll(IMPORTS)) {
      const file = imported.startsWith('.') ? path.posix.join(path.posix.dirname(from), imported) : imported
      if (sources[file] !== undefined) continue
      const read = readFileSync(path.join('node_modules', file), 'utf8')
      sources[file] = read
      load(file, read)
    }
  }
  load(entry, text)
  return sources
}
