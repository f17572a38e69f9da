import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { signedTransfers } from '../bench/transfers.mjs'
import { test as base, expect } from './playground.ts'

type Hash = `0x${string}`

const CLOSINGS = 8
const KILLS = 3
const SENT_A_ROUND = 12
/** A step that waits for the node says which one it was if it does not end. */
const STEP_MS = 60_000
const AUDIT = path.resolve(import.meta.dirname, '../../shared/checks/audit-chain.mjs')

async function openTab(context: BrowserContext, chain: string): Promise<Page> {
  const page = await context.newPage()
  // Nothing is looked at.
  await page.goto(`/settings?chain=${chain}`)
  await page.waitForFunction(() => window.devnet !== undefined)
  await page.evaluate(() => window.devnet?.ready)
  return page
}

/** A browser whose profile outlives it. */
interface Profile {
  readonly folder: string
  open(): Promise<BrowserContext>
}

const test = base.extend<{ profile: Profile }>({
  profile: async ({ baseURL, launchOptions }, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'blinknet-profile-'))
    const options = { ...launchOptions, ...(baseURL && { baseURL }) }
    await use({ folder, open: () => chromium.launchPersistentContext(folder, options) })
    rmSync(folder, { recursive: true, force: true })
  },
})

/**
 * Sends transactions in order from the page, and reports each acknowledgement at once. A repeated transaction that the
 * chain already has counts as acknowledged.
 */
function send(page: Page, raws: readonly Hash[]): Promise<void> {
  return page.evaluate(async (list) => {
    for (const raw of list) {
      let hash: unknown
      try {
        hash = await window.devnet?.request({ method: 'eth_sendRawTransaction', params: [raw] })
      } catch (error) {
        if (/already known|nonce too low/.test(String(error))) continue
        throw error
      }
      await (window as unknown as { acknowledge: (hash: unknown) => Promise<void> }).acknowledge(hash)
    }
  }, raws)
}

const request = (page: Page, method: string, params: readonly unknown[] = []): Promise<unknown> =>
  page.evaluate((call) => window.devnet?.request(call), { method, params })

/** How often each transaction is in a sealed block. */
async function sealedTimes(page: Page): Promise<Map<string, number>> {
  const head = Number(await request(page, 'eth_blockNumber'))
  const times = new Map<string, number>()
  for (let number = 1; number <= head; number++) {
    const block = (await request(page, 'eth_getBlockByNumber', [`0x${number.toString(16)}`, false])) as {
      transactions: string[]
    }
    for (const hash of block.transactions) times.set(hash, (times.get(hash) ?? 0) + 1)
  }
  return times
}

/** The page's chain over HTTP, for external checks. Bodies that come at the same time reach the page together. */
async function overHttp(page: Page): Promise<{ url: string; server: Server }> {
  let gathered: { readonly bodies: string[]; readonly answers: Promise<string[]> } | undefined
  const gather = () => {
    const bodies: string[] = []
    const answers = new Promise<void>((resolve) => void setImmediate(resolve)).then(() => {
      gathered = undefined
      return page.evaluate(answerAll, bodies)
    })
    return { bodies, answers }
  }
  const answer = async (incoming: IncomingMessage): Promise<string> => {
    let body = ''
    for await (const part of incoming) body += String(part)
    gathered ??= gather()
    const index = gathered.bodies.push(body) - 1
    return (await gathered.answers)[index] ?? ''
  }
  const server = createServer((incoming, outgoing) => {
    answer(incoming).then(
      (body) => outgoing.setHeader('Content-Type', 'application/json').end(body),
      (error: unknown) => outgoing.destroy(error as Error),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

/** Runs inside the page: answers JSON-RPC bodies by its provider. */
function answerAll(bodies: readonly string[]): Promise<string[]> {
  type Call = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] }
  const answerOne = async ({ id, method, params }: Call) => {
    try {
      return { jsonrpc: '2.0', id, result: await window.devnet?.request({ method, params }) }
    } catch (error) {
      const { code, message, data } = error as { code: number; message: string; data?: unknown }
      return { jsonrpc: '2.0', id, error: { code, message, data } }
    }
  }
  return Promise.all(
    bodies.map(async (body) => {
      const asked = JSON.parse(body) as Call | Call[]
      return JSON.stringify(await (Array.isArray(asked) ? Promise.all(asked.map(answerOne)) : answerOne(asked)))
    }),
  )
}

test('whichever tab is closed under load, every acknowledged transaction is sealed exactly once', async ({
  context,
}) => {
  test.setTimeout(600_000)
  const acknowledged: string[] = []
  await context.exposeFunction('acknowledge', (hash: string) => acknowledged.push(hash))
  const sign = signedTransfers(3)
  let leader = await openTab(context, 'closed')
  let follower = await openTab(context, 'closed')
  const gaps: number[] = []
  for (let round = 0; round < CLOSINGS; round++) {
    const sent = send(follower, await sign(SENT_A_ROUND))
    const before = acknowledged.length
    // In the middle of the load.
    await expect.poll(() => acknowledged.length, { intervals: [1] }).toBeGreaterThan(before + 2)
    const closedAt = Date.now()
    await leader.close()
    await request(follower, 'eth_blockNumber')
    gaps.push(Date.now() - closedAt)
    await sent
    leader = follower
    follower = await openTab(context, 'closed')
  }
  const last = acknowledged.at(-1) as Hash
  await leader.evaluate((hash) => window.devnet?.waitFor(hash, 'sealed'), last)
  const times = await sealedTimes(leader)
  const lost = acknowledged.filter((hash) => times.get(hash) !== 1)
  gaps.sort((a, b) => a - b)
  process.stdout.write(
    `${CLOSINGS} tabs closed, ${acknowledged.length} transactions acknowledged, ${lost.length} lost or doubled, ` +
      `median gap ${gaps[gaps.length >> 1]} ms, longest ${gaps.at(-1)} ms\n`,
  )
  expect(acknowledged).toHaveLength(CLOSINGS * SENT_A_ROUND)
  expect(lost).toEqual([])
})

test('whenever the browser is killed under load, every acknowledged transaction is sealed exactly once', async ({
  profile,
}) => {
  test.setTimeout(300_000)
  const acknowledged: string[] = []
  const sign = signedTransfers(3)
  /** Sent but perhaps not acknowledged: sent again after the kill, as a careful client does. */
  let unsure: Hash[] = []
  const open = () =>
    test.step(
      'the chain is opened',
      async () => {
        const context = await profile.open()
        await context.exposeFunction('acknowledge', (hash: string) => acknowledged.push(hash))
        return { context, page: await openTab(context, 'killed') }
      },
      { timeout: STEP_MS },
    )
  for (let round = 0; round < KILLS; round++) {
    const { context, page } = await open()
    const before = acknowledged.length
    const raws = [...unsure, ...(await sign(40))]
    const sent = send(page, raws).catch(() => {})
    await expect.poll(() => acknowledged.length, { intervals: [1] }).toBeGreaterThan(before + 15)
    await test.step(
      'the browser is killed',
      async () => {
        await killBrowser(profile)
        await Promise.all([sent, context.close().catch(() => {})])
      },
      { timeout: STEP_MS },
    )
    unsure = raws.slice(acknowledged.length - before)
  }
  const { context, page } = await open()
  await test.step('what was not acknowledged is sent again', () => send(page, unsure), { timeout: STEP_MS })
  const last = acknowledged.at(-1) as Hash
  await test.step(
    'the last transaction is sealed',
    () => page.evaluate((hash) => window.devnet?.waitFor(hash, 'sealed'), last),
    { timeout: STEP_MS },
  )
  const times = await test.step('the blocks are read', () => sealedTimes(page), { timeout: STEP_MS })
  const lost = acknowledged.filter((hash) => times.get(hash) !== 1)
  process.stdout.write(
    `${KILLS} browsers killed, ${acknowledged.length} transactions acknowledged, ${lost.length} lost or doubled\n`,
  )
  expect(lost).toEqual([])
  if (existsSync(AUDIT)) await test.step('the chain is audited', () => audit(page), { timeout: 2 * STEP_MS })
  await context.close()
})

test('a browser that was killed in the middle of a write loses nothing when it is killed again', async ({
  profile,
}) => {
  /** Mines a block, and resolves with its hash once the browser is dead. */
  const mineAndKill = async () => {
    const context = await profile.open()
    const page = await openTab(context, 'torn')
    await request(page, 'evm_mine')
    const block = (await request(page, 'eth_getBlockByNumber', ['latest', false])) as { hash: Hash }
    await killBrowser(profile)
    await context.close().catch(() => {})
    return block.hash
  }
  const mined = [await mineAndKill()]
  // As if it had been killed in the middle of one more write: the header of a record without its content.
  const [log = 'no log'] = databaseFiles(profile, /\.log$/)
  writeFileSync(log, Buffer.from([1, 2, 3, 4, 255, 0, 1]), { flag: 'a' })
  mined.push(await mineAndKill())
  const context = await profile.open()
  const page = await openTab(context, 'torn')
  for (const hash of mined) expect(await request(page, 'eth_getBlockByHash', [hash, false])).toMatchObject({ hash })
  await context.close()
})

test('a visitor whose browser has deleted its damaged storage is told so', async ({ profile }) => {
  const before = await profile.open()
  await openTab(before, 'damaged')
  await before.close()
  for (const file of databaseFiles(profile, /MANIFEST/)) writeFileSync(file, 'damaged')

  const context = await profile.open()
  const tabs = [await openTab(context, 'damaged'), await openTab(context, 'damaged')]
  for (const tab of tabs) {
    const notice = tab.getByRole('region', { name: 'The browser deleted the stored chains' })
    await expect(notice).toContainText('This chain is new')
    await notice.getByRole('button', { name: 'Close' }).click()
    await expect(notice).toBeHidden()
  }
  await context.close()
})

/** The files of Chromium's databases whose names match. */
function databaseFiles(profile: Profile, name: RegExp): string[] {
  const folder = path.join(profile.folder, 'Default/IndexedDB')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => name.test(file))
  return files.map((file) => path.join(folder, file))
}

/** Ends every process of the browser with that profile at once, as a power cut would. */
async function killBrowser({ folder }: Profile): Promise<void> {
  await once(spawn('pkill', ['-KILL', '-f', folder]), 'exit')
}

/** Lets the external check recompute every block of the page's chain. */
async function audit(page: Page): Promise<void> {
  const { url, server } = await overHttp(page)
  try {
    const head = Number(await request(page, 'eth_blockNumber'))
    const child = spawn('node', [AUDIT, url, '0', String(head), '--fork', 'osaka'], { stdio: 'pipe' })
    let output = ''
    for await (const part of child.stdout) output += part
    if (child.exitCode === null) await once(child, 'exit')
    expect(child.exitCode, output).toBe(0)
    process.stdout.write(`audit: ${output.trim().split('\n').at(-1)}\n`)
  } finally {
    server.close()
  }
}
