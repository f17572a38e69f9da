/** An import of a Solidity source. */
export interface ImportDirective {
  /** As it is written, without the quotes. */
  readonly path: string
  /** Positions of the path in the source, with its quotes. */
  readonly from: number
  readonly to: number
}

/** Comments, strings, words and semicolons; whatever else stands in a source is skipped. */
const TOKENS =
  /\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n\r])*"?|'(?:\\.|[^'\\\n\r])*'?|[A-Za-z_$][\w$]*|;/g

/**
 * The imports of a source, found without parsing it: in a source with errors, too. solc has the last word on what it
 * imports.
 */
export function importsOf(source: string): readonly ImportDirective[] {
  const found: ImportDirective[] = []
  let isImport = false
  for (const { 0: token, index } of source.matchAll(TOKENS)) {
    const first = token[0]
    if (first === '/') continue
    if (first === '"' || first === "'") {
      if (isImport) found.push({ path: token.slice(1, -1), from: index, to: index + token.length })
      isImport = false
    } else if (token === 'import') isImport = true
    else if (token === ';') isImport = false
  }
  return found
}
