// Checks the running server from outside: recomputes a chain under load block by block, and times its partial blocks.
// Needs `npm run build:server`; exits with 77 (skipped) if the external checks are not available.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { rpc, startServer } from '../server.mjs'
import { generateLoad } from './chain-load.mjs'

const CHECKS = path.resolve(import.meta.dirname, '../../../shared/checks')
const SKIPPED = 77
const BLOCKS = 205
/** The least number of audited transactions of each type. */
const LEAST = { 0: 50, 1: 20, 2: 50, 4: 20 }

/**
 * @param {string} check
 * @param {readonly string[]} args
 * @returns {Promise<any>} The check's own report.
 */
async function run(check, args) {
  const folder = mkdtempSync(path.join(tmpdir(), 'blinknet-check-'))
  try {
    const report = path.join(folder, 'report.json')
    const child = spawn('node', [path.join(CHECKS, check), ...args, '--json', report], { stdio: 'inherit' })
    const [status] = await once(child, 'exit')
    if (status !== 0) throw new Error(`${check} ended with exit code ${status}`)
    return JSON.parse(readFileSync(report, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @template Result
 * @param {readonly string[]} args - Of the server.
 * @param {(url: string) => Result | Promise<Result>} judge
 * @returns {Promise<Result>}
 */
async function withServer(args, judge) {
  const server = await startServer(args)
  try {
    return await judge(server.url)
  } finally {
    await server.stop()
  }
}

async function auditUnderLoad() {
  const directory = mkdtempSync(path.join(tmpdir(), 'blinknet-audited-'))
  // All but the newest blocks are read from the directory.
  const args = ['--partial-ms', '15', '--data', directory, '--memory', '0']
  const report = await withServer(args, async (url) => {
    const { sent } = await generateLoad(url, { blocks: BLOCKS })
    console.log(`load: ${sent} transactions in ${BLOCKS} blocks`)
    // From here on at the normal pace: a slow machine audits for a while, and only the newest 256 blocks keep the state
    // that their proofs need.
    await rpc(url, 'devnet_setTiming', [{ partialMs: 200 }])
    return run('audit-chain.mjs', [url, '0', String(BLOCKS), '--fork', 'osaka'])
  }).finally(() => rmSync(directory, { recursive: true, force: true }))
  const { blocks, byType, logs } = report.stats
  if (blocks <= 200) throw new Error(`only ${blocks} blocks were audited`)
  if (logs === 0) throw new Error('no log was audited')
  for (const [type, least] of Object.entries(LEAST)) {
    if (!(byType[type] >= least)) throw new Error(`${byType[type] ?? 0} transactions of type ${type}, want ${least}`)
  }
}

if (existsSync(CHECKS)) {
  // Beside each other, as both wait for blocks most of the time.
  const checks = await Promise.allSettled([
    auditUnderLoad(),
    withServer([], (url) => run('preconf-check.mjs', [url, '--fork', 'osaka'])),
  ])
  for (const each of checks) if (each.status === 'rejected') throw each.reason
} else {
  console.log(`SKIPPED: the checks from outside are not at ${CHECKS}`)
  process.exitCode = SKIPPED
}
