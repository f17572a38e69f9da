import { createNode, type Node, type NodeDeps } from '#node/node.ts'

/**
 * Opens a chain file as a film, in memory. It is checked as an import is.
 *
 * @throws {ChainFileError | JournalError | InvalidOptionError | ExecutionTimeoutError} If no node can run its chain.
 */
export async function openFilm(file: Uint8Array, deps: Pick<NodeDeps, 'clock' | 'log'>): Promise<Node> {
  const { journalOfFile, OPEN_LIMIT_MS } = await import('#node/persistence/journal-of-file.ts')
  const { journal } = await journalOfFile(file, deps.clock)
  return createNode({}, { ...deps, journal, film: true, onChecked: () => {}, openLimitMs: OPEN_LIMIT_MS })
}
