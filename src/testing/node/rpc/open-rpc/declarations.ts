import { parseSync, type TSInterfaceDeclaration, type TSTypeAliasDeclaration } from 'oxc-parser'

/** A type as declared in its file. */
export interface Declaration {
  readonly name: string
  readonly node: TSInterfaceDeclaration | TSTypeAliasDeclaration
  /** Whether it is exported. */
  readonly exported: boolean
  /** TSDoc of the declaration, and that of its members. */
  readonly docs: Docs
}

/** TSDoc by the offset of the node after it. */
export type Docs = (node: { readonly start: number }) => string | undefined

/**
 * The interfaces and type aliases of source files, by name.
 *
 * @param sources - Text by the name of its file.
 * @throws {Error} If a file does not parse, or two declare the same name.
 */
export function readDeclarations(sources: ReadonlyMap<string, string>): ReadonlyMap<string, Declaration> {
  const found = new Map<string, Declaration>()
  for (const [file, source] of sources) {
    const { program, comments, errors } = parseSync(file, source)
    if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
    const docs = docsOf(source, comments)
    for (const statement of program.body) {
      const exported = statement.type === 'ExportNamedDeclaration'
      const node = exported ? statement.declaration : statement
      if (node?.type !== 'TSInterfaceDeclaration' && node?.type !== 'TSTypeAliasDeclaration') continue
      const { name } = node.id
      if (found.has(name)) throw new Error(`${file}: ${name} is declared in another file as well`)
      // The comment stands before `export`.
      found.set(name, { name, node, exported, docs: (of) => docs(of === node ? statement : of) })
    }
  }
  return found
}

function docsOf(source: string, comments: readonly { readonly value: string; readonly end: number }[]): Docs {
  const byStart = new Map<number, string>()
  for (const { value, end } of comments) {
    if (!value.startsWith('*')) continue
    const gap = /^\s*/.exec(source.slice(end))?.[0].length ?? 0
    byStart.set(end + gap, plainText(value.slice(1)))
  }
  return ({ start }) => byStart.get(start)
}

/** A comment on one line, without stars, links and tags. */
function plainText(comment: string): string {
  return comment
    .replaceAll(/^\s*\* ?/gm, '')
    .replace(/^@[^]*/m, '')
    .replaceAll(/\{@link ([^}|]*?)\s*(\|[^}]*)?\}/g, '`$1`')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
