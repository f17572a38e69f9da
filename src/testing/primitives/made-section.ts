import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../../..')

/**
 * The section of a document that is made here. With `UPDATE_DOCS=1`, as `npm run docs` sets it, it is written first.
 *
 * @param name - As its marks have it: `<!-- name: made by … -->` and `<!-- /name -->`.
 * @returns `undefined` if the document has no such marks.
 */
export function madeSection(file: string, name: string, made: string): string | undefined {
  const document = path.join(ROOT, file)
  const section = new RegExp(`(?<=<!-- ${name}: made by \`npm run docs\` -->\n)[\\s\\S]*?(?=<!-- /${name} -->)`)
  if (process.env['UPDATE_DOCS'] === '1') {
    writeFileSync(
      document,
      readFileSync(document, 'utf8').replace(section, () => `\n${made}\n`),
    )
  }
  return section.exec(readFileSync(document, 'utf8'))?.[0].slice(1, -1)
}

/** A table in Markdown. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
  return `${line(head)}|${'---|'.repeat(head.length)}\n${rows.map(line).join('')}`
}
