import { unpack } from '#client/node/unpack.ts'
import { fromBase64 } from '#primitives/base64.ts'
import { utf8 } from '#primitives/utf8.ts'
import { RECORD_ID } from '#report/report-file.ts'
import { cleanRecord, type TestRecord } from '#report/test-record.ts'

/** Bytes of a record, unpacked. */
const MAX_RECORD_BYTES = 64 * 1024 * 1024

/**
 * The record that a report holds, within its limits: whoever gave the file may have changed it.
 *
 * @throws {Error} If it has none, or it cannot be read.
 */
export async function readRecord(report: Pick<Document, 'getElementById'>): Promise<TestRecord> {
  const base64 = report.getElementById(RECORD_ID)?.textContent ?? ''
  if (base64 === '') throw new Error('it has no record')
  const bytes = await unpack(fromBase64(base64), 'gzip', MAX_RECORD_BYTES)
  return cleanRecord(JSON.parse(utf8.decode(bytes)))
}
