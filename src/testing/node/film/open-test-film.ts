import { MemoryJournal } from '#node/storage/memory-journal.ts'
import { entriesOfFile } from '#testing/node/persistence/chain-files.ts'
import { createTestNode, type TestNode } from '#testing/node/test-node.ts'

/** Opens a chain file as a film; the file is not checked. */
export async function openTestFilm(file: Uint8Array): Promise<TestNode> {
  const journal = new MemoryJournal()
  await journal.write(entriesOfFile(file).map((entry) => ({ kind: 'put', ...entry })))
  return createTestNode({}, { journal, film: true })
}
