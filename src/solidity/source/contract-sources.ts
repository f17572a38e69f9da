import { isObject } from '#primitives/json-object.ts'
import type { Build, BuildContract } from '#solidity/build/build.ts'
import { optionalText } from '#solidity/build/json.ts'
import { nodesIn } from './ast-nodes.ts'

/** A source with its text. */
export interface SourceFile {
  readonly path: string
  readonly content: string
}

/**
 * The sources that a contract is made of, each once: its own first, then its imports and theirs. Without an AST, every source
 * of the build. Sources without text are left out.
 */
export function contractSources(build: Build, { path }: Pick<BuildContract, 'path'>): readonly SourceFile[] {
  const sources = new Map(build.sources.map((source) => [source.path, source]))
  const wanted = new Set([path])
  // Iterating over a set also visits what is added along the way.
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
