import { writeFile } from 'node:fs/promises'
import type { TestInfo } from '@playwright/test'
import type { TestRecord } from '#report/test-record.ts'
import { reportOf } from '#server/report/report-page.ts'

/** The report's name in the folder of a test's results. */
const REPORT = 'failure.html'

/**
 * Writes the report of a test that has failed, and attaches it.
 *
 * @param chains - Chain files, in the order of the record's.
 * @param builds - Compilations that their contracts come from, as `buildsOf` packs them.
 */
export async function attachReport(
  record: TestRecord,
  chains: readonly Uint8Array[],
  builds: readonly Uint8Array[],
  info: Pick<TestInfo, 'attachments' | 'outputPath'>,
  folder?: string,
): Promise<void> {
  const file = info.outputPath(REPORT)
  await writeFile(file, await reportOf(record, chains, builds, folder))
  // `attach` would copy it.
  info.attachments.push({ name: REPORT, path: file, contentType: 'text/html' })
}
