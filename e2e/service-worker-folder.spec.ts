import { execFileSync } from 'node:child_process'
import { AS_VISITOR } from './playground.ts'
import { CHAIN_ID, callIn, expect, fetchIn, openAt, test } from './service-worker.ts'
import { startStaticHost } from './static-host.ts'

test.use(AS_VISITOR)

const BASE = '/blinknet/'
const FOLDER = 'dist/in-folder'

test('a build for a folder of a host has its screens, its node and its service worker in that folder', async ({
  page,
}) => {
  // This test builds the page.
  test.slow()
  execFileSync('npx', ['vite', 'build', '--base', BASE, '--outDir', FOLDER, '--logLevel', 'warn'], { stdio: 'inherit' })
  const host = await startStaticHost({ folder: FOLDER, base: BASE })
  const playground = await openAt(page, `${host.url}?clock=manual`)
  expect(await callIn(page, 'eth_chainId')).toMatchObject(CHAIN_ID)
  // An address outside the folder belongs to the host.
  expect(await fetchIn(page, '/rpc', { method: 'POST' })).toMatchObject({ status: 404 })
  expect(playground.complaints.splice(0)).toEqual([expect.stringContaining('404')])

  await playground.tick(10)
  await playground.openSealedBlock(1)
  expect(new URL(page.url()).pathname).toBe(`${BASE}block/1`)
  await host.close()
  await page.reload()
  await playground.ready()
  await expect(page.getByRole('contentinfo', { name: 'RPC endpoint' })).toContainText(`${host.url}rpc`)
  expect(playground.complaints).toEqual([])
})
