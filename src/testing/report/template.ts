import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { DATA_PLACE, REPORT_BEGINNING } from '#report/report-file.ts'

/** Puts a small template of reports into a folder. */
export async function writeTemplate(folder: string): Promise<void> {
  const html = `${REPORT_BEGINNING}<html><body>${DATA_PLACE}<script id="page"><!-- file page.br --></script></body></html>`
  await writeFile(path.join(folder, 'template.html'), html)
  await writeFile(path.join(folder, 'page.br'), brotliCompressSync('page()'))
}
