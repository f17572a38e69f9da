import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, gzip } from 'node:zlib'
import { readReport, writeReport } from '#report/report-file.ts'
import { cleanRecord, type TestRecord } from '#report/test-record.ts'

/** Beside the folder of this bundle, as the package has it. */
const TEMPLATE_FOLDER = path.resolve(fileURLToPath(import.meta.url), '../../report')

/** Bytes of a record, unpacked. */
const MAX_RECORD_BYTES = 64 * 1024 * 1024

const packed = promisify(gzip)
const unpacked = promisify(gunzip)
const unpackedPart = promisify(brotliDecompress)

/** Templates that were read, by their folders. */
const templates = new Map<string, Promise<string>>()

/** @throws {NodeJS.ErrnoException} If the package lacks it. */
async function readTemplate(folder: string): Promise<string> {
  const html = await readFile(path.join(folder, 'template.html'), 'utf8')
  const parts = html.split(/<!-- file ([\w-]+\.br) -->/)
  // Every second part is the name of a file.
  const filled = parts.map(async (part, i) => (i % 2 === 0 ? part : readPart(path.join(folder, part))))
  return (await Promise.all(filled)).join('')
}

/** A script of the template, as browsers unpack it. */
async function readPart(file: string): Promise<string> {
  return (await packed(await unpackedPart(await readFile(file)), { level: 9 })).toString('base64')
}

/**
 * One HTML file that shows chains as films, with a test that they are of.
 *
 * @param chains - Chain files, in the order of the record's.
 * @param builds - Compilations, as `ReportParts` has them, before Base64.
 */
export async function reportOf(
  record: TestRecord,
  chains: readonly Uint8Array[],
  builds: readonly Uint8Array[],
  folder: string = TEMPLATE_FOLDER,
): Promise<string> {
  const template = templates.get(folder) ?? readTemplate(folder)
  templates.set(folder, template)
  const json = await packed(JSON.stringify(record))
  const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  return writeReport(await template, {
    record: toText(json),
    chains: chains.map(toText),
    builds: builds.map(toText),
  })
}

/** A film without a test, of one chain file. */
export function filmReport(name: string, file: Uint8Array, folder?: string): Promise<string> {
  return reportOf(cleanRecord({ chains: [{ name }] }), [file], [], folder)
}

/** The record that a report holds; `undefined` if the text is no report. */
export async function recordOf(html: string): Promise<TestRecord | undefined> {
  const parts = readReport(html)
  if (!parts) return undefined
  const json = await unpacked(Buffer.from(parts.record, 'base64'), { maxOutputLength: MAX_RECORD_BYTES })
  return cleanRecord(JSON.parse(json.toString('utf8')))
}
