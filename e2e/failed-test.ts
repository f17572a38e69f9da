import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromiumLaunch } from '../scripts/browsers/chromium.mjs'

/** A test of a dapp that says “Paid” too early. It knows the source of one of its contracts. */
const SPEC = `
import { expect, test } from 'blinknet/playwright'

const DAPP = 'http://dapp.test/'
const PAGE = \`<!doctype html><title>Shop</title><body style="font: 32px sans-serif; padding: 2rem; background: #dbeafe">
<h1>Shop</h1><button>Pay</button><p role="status"></p>
<script>
  document.querySelector('button').onclick = async () => {
    console.log('paying')
    console.error('\\\\u202egnp.exe </script' + '><script>alert(1)</script' + '>')
    const [from] = await ethereum.request({ method: 'eth_requestAccounts' })
    await ethereum.request({ method: 'eth_sendTransaction', params: [{ from, to: from, value: '0x7' }] })
    document.querySelector('[role=status]').textContent = 'Paid'
  }
</script>\`

test.describe('checkout </script><script>alert(2)</script>', () => {
  test('a payment is shown as paid once it is sealed', async ({ page, chain }) => {
    await page.route(DAPP, (route) => route.fulfill({ contentType: 'text/html', body: PAGE }))
    await page.goto(DAPP)
    await test.step('pay', async () => {
      await page.getByRole('button', { name: 'Pay' }).click()
      await chain.tick(2)
      await expect(page.getByRole('status')).toHaveText('Paid')
    })
    await chain.seal()
    await chain.tick(3)
    await expect(page.getByRole('status')).toHaveText('Sealed', { timeout: 500 })
  })
})
`

/** What a test that failed has left. */
export interface FailedTest {
  readonly stdout: string
  /** Path of the report. */
  readonly report: string
  /** Path of the chain's file. */
  readonly chain: string
  /** Names of all files in the folder of results. */
  readonly files: readonly string[]
  readonly remove: () => Promise<void>
}

/** Has a test of `blinknet/playwright` fail, in a folder of its own. Needs `npm run build`. */
export async function failTest(): Promise<FailedTest> {
  const folder = await mkdtemp(path.join(tmpdir(), 'blinknet-failing-'))
  const root = path.resolve('.')
  const packages = path.join(folder, 'node_modules')
  await mkdir(path.join(packages, '@playwright'), { recursive: true })
  await symlink(root, path.join(packages, 'blinknet'))
  await symlink(path.join(root, 'node_modules/@playwright/test'), path.join(packages, '@playwright/test'))
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }\n')
  await writeFile(path.join(folder, 'shop.spec.ts'), SPEC)
  const use = JSON.stringify({ launchOptions: chromiumLaunch('shell') })
  await writeFile(
    path.join(folder, 'playwright.config.ts'),
    `export default { reporter: 'list', workers: 1, use: ${use} }\n`,
  )
  // Not what the test that runs this one has.
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(TEST_|PW|PLAYWRIGHT_|NODE_OPTIONS|FORCE_COLOR)/.test(name),
  )
  const { error, stdout } = await new Promise<{ error: Error | null; stdout: string }>((resolve) => {
    const cli = path.join(root, 'node_modules/@playwright/test/cli.js')
    execFile(process.execPath, [cli, 'test'], { cwd: folder, env: Object.fromEntries(own) }, (failure, output) =>
      resolve({ error: failure, stdout: output }),
    )
  })
  const results = path.join(folder, 'test-results')
  const files = error ? await readdir(results, { recursive: true }) : []
  const report = files.find((name) => name.endsWith('failure.html'))
  const chain = files.find((name) => path.basename(name) === 'chain.blinknet')
  if (report === undefined || chain === undefined) throw new Error(`the test left no report: ${stdout}`)
  const remove = () => rm(folder, { recursive: true })
  return { stdout, report: path.join(results, report), chain: path.join(results, chain), files, remove }
}
