import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestInfo } from '@playwright/test'
import { expect, test } from 'vitest'
import { createChain } from '#library/index.ts'
import { cleanRecord } from '#report/test-record.ts'
import { recordOf } from '#server/report/report-page.ts'
import { writeTemplate } from '#testing/report/template.ts'
import { attachReport } from './attach-report.ts'
import { buildsOf } from './builds-of.ts'

test('a report is one file in the folder of the test’s results, whatever the test and its chains are called', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'blinknet-report-'))
  try {
    await writeTemplate(folder)
    const results = path.join(folder, 'results')
    const attachments: TestInfo['attachments'] = []
    const outputPath = (...names: readonly string[]) => path.join(results, ...names)
    await mkdir(results)
    const record = cleanRecord({ titles: ['../../evil', '</script>'], chains: [{ name: '../../../etc/passwd' }] })
    await attachReport(record, [Uint8Array.of(1)], [], { attachments, outputPath }, folder)
    expect(await readdir(results)).toEqual(['failure.html'])
    expect((await readdir(folder)).toSorted()).toEqual(['page.br', 'results', 'template.html'])
    expect(attachments).toEqual([{ name: 'failure.html', path: outputPath('failure.html'), contentType: 'text/html' }])
    expect(await recordOf(await readFile(outputPath('failure.html'), 'utf8'))).toEqual(record)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('chains whose nodes know no sources add none to a report', async () => {
  const chain = await createChain({ clock: 'manual' })
  expect(await buildsOf([chain, chain])).toEqual([])
  await chain.close()
})
