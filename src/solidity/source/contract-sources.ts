import type { Build, BuildContract } from '#solidity/build/build.ts'
import { isObject, optionalText } from '#solidity/build/json.ts'
import { nodesIn } from './ast-nodes.ts'

/** A source with its text. */
export interface SourceFile {
  readonly path: string
  readonly content: string
}

/**
 * The sources that a contract is made of: its own first, then those that it imports, and those that they import, each once.
 * Without AST, every source of the build. Those whose text is not known are left out.
 */
export function contractSources(build: Build, { path }: Pick<BuildContract, 'path'>): readonly SourceFile[] {
  const sources = new Map(build.sources.map((source) => [source.path, source]))
  const wanted = new Set([path])
  // Iterating over a set also visits what is added meanwhile.
  for (const each of wanted) {
    const { ast } = sources.get(each) ?? {}
    if (!isObject(ast)) {
      for (const other of sources.keys()) wanted.add(other)
      break
    }
    for (const node of nodesIn(ast, 'nodes')) {
      const imported = node['nodeType'] === 'ImportDirective' ? optionalText(node['absolutePath']) : undefined
      if (imported !== undefined) wanted.add(imported)
    }
  }
  return [...wanted].flatMap((each) => {
    const content = sources.get(each)?.content
    return content === undefined ? [] : { path: each, content }
  })
}
