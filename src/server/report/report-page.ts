import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { type ReportParts, readReport, replaceParts, writeReport } from '#report/report-file.ts'
import { cleanRecord, type TestRecord } from '#report/test-record.ts'

/** Beside the folder of this bundle, as the package has it. */
const TEMPLATE_FOLDER = path.resolve(fileURLToPath(import.meta.url), '../../report')

/** Bytes of a record, unpacked. */
const MAX_RECORD_BYTES = 64 * 1024 * 1024

const packed = promisify(gzip)
const unpacked = promisify(gunzip)

let template: Promise<string> | undefined

/** @throws {NodeJS.ErrnoException} If the package lacks it. */
async function readTemplate(folder: string): Promise<string> {
  const html = await readFile(path.join(folder, 'template.html'), 'utf8')
  const parts = html.split(/<!-- file ([\w-]+\.js\.gz) -->/)
  // Every second part is the name of a file.
  const filled = parts.map(async (part, i) => (i % 2 === 0 ? part : readFile(path.join(folder, part), 'base64')))
  return (await Promise.all(filled)).join('')
}

/**
 * One HTML file that shows chains as films, with a test that they are of.
 *
 * @param chains - Chain files, plain or packed with gzip, in the order of the record's.
 */
export async function reportOf(
  record: TestRecord,
  chains: readonly Uint8Array[],
  folder: string = TEMPLATE_FOLDER,
): Promise<string> {
  template ??= readTemplate(folder)
  const files = chains.map((file) => Buffer.from(file).toString('base64'))
  return writeReport(await template, { record: await packRecord(record), chains: files })
}

/** A film without a test, of one chain file. */
export function filmReport(name: string, file: Uint8Array, folder?: string): Promise<string> {
  return reportOf(cleanRecord({ chains: [{ name }] }), [file], folder)
}

/** The record that a report holds; `undefined` if the text is no report. */
export async function recordOf(html: string): Promise<TestRecord | undefined> {
  const parts = readReport(html)
  return parts && cleanRecord(JSON.parse((await unpackRecord(parts)).toString('utf8')))
}

/** The same report with another record. */
export async function withRecord(html: string, record: TestRecord): Promise<string> {
  const chains = readReport(html)?.chains ?? []
  return replaceParts(html, { record: await packRecord(record), chains })
}

async function packRecord(record: TestRecord): Promise<string> {
  return (await packed(JSON.stringify(record))).toString('base64')
}

function unpackRecord({ record }: ReportParts): Promise<Buffer> {
  return unpacked(Buffer.from(record, 'base64'), { maxOutputLength: MAX_RECORD_BYTES })
}
