import { cp, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import type { Journal } from '#node/storage/journal.ts'
import { type FileJournal, type FileJournalOptions, openFileJournal } from '#server/journal/file-journal.ts'

/** For journals whose warnings are ignored. */
export const noWarning: FileJournalOptions['onWarning'] = (message, error) =>
  expect.fail(`${message}: ${String(error)}`)

/** A new, empty directory. */
export const createDirectory = () => mkdtemp(path.join(tmpdir(), 'blinknet-journal-'))

/** The journal's file in a directory. */
export const fileOf = (place: string) => path.join(place, 'blinknet.journal')

/** Overwrites a file's bytes at an offset. */
export async function overwrite(file: string, offset: number, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.write(bytes, 0, bytes.length, offset)
  await handle.close()
}

/** The directory of the running test. */
export interface TestDirectory {
  readonly directory: () => string
  /** Opens a journal that is closed after the test, by default in the test's directory. */
  openJournal(place?: string, options?: Partial<FileJournalOptions>): Promise<FileJournal>
  /** A copy of the directory in its current state, as a process would leave it that died now. */
  copyAsAfterCrash(): Promise<string>
}

/** Creates a directory for each test of the enclosing file, and removes it afterwards. */
export function directoryOfEachTest(): TestDirectory {
  let directory: string
  const opened: Journal[] = []
  beforeEach(async () => {
    directory = await createDirectory()
  })
  afterEach(async () => {
    for (const journal of opened.splice(0)) await journal.close()
    await rm(directory, { recursive: true })
  })
  return {
    directory: () => directory,
    async openJournal(place = directory, options = {}) {
      const journal = await openFileJournal(place, { onWarning: noWarning, ...options })
      opened.push(journal)
      return journal
    },
    async copyAsAfterCrash() {
      const copy = path.join(directory, 'copy')
      await rm(copy, { recursive: true, force: true })
      await cp(fileOf(directory), fileOf(copy))
      return copy
    },
  }
}
