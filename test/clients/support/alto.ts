import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * The newest version whose safe mode can work with EntryPoint 0.7 and 0.8: since 0.0.19 it looks in the trace for the result of a
 * function that returns one, instead of reverting with it.
 */
const VERSION = '0.0.18'
const FOLDER = path.resolve('.cache', `alto-${VERSION}`)
const MAIN = path.join(FOLDER, 'node_modules', '@pimlico', 'alto', 'esm', 'cli', 'alto.js')
/** How long it may take to listen, in milliseconds: it deploys contracts of its own first. */
const START_MS = 120_000
/** Characters of its output that an error repeats. */
const MAX_TOLD = 4_000

export interface AltoOptions {
  readonly rpcUrl: string
  readonly entryPoints: readonly string[]
  /** Keys of accounts with ether: that which sends bundles, and that which deploys. */
  readonly executorKey: string
  readonly utilityKey: string
}

/** A bundler that runs. */
export interface Alto {
  readonly url: string
  close(): Promise<void>
}

/** Installs alto from the npm registry, once: it is a tool of these tests, with hundreds of packages. */
function install(): void {
  if (existsSync(MAIN)) return
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(
    path.join(FOLDER, 'package.json'),
    JSON.stringify({ private: true, dependencies: { '@pimlico/alto': VERSION } }),
  )
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: FOLDER, stdio: 'inherit' })
}

/**
 * Starts alto in safe mode, at a free port.
 *
 * @throws {Error} If it does not listen in time; the message has the end of what it printed.
 */
export async function startAlto({ rpcUrl, entryPoints, executorKey, utilityKey }: AltoOptions): Promise<Alto> {
  install()
  const child = spawn(
    process.execPath,
    [
      MAIN,
      ...['--entrypoints', entryPoints.join(',')],
      ...['--executor-private-keys', executorKey, '--utility-private-key', utilityKey],
      ...['--rpc-url', rpcUrl, '--network-name', 'local', '--port', '0'],
      ...['--safe-mode', 'true', '--min-executor-balance', '0', '--log-level', 'info'],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const close = async () => {
    process.off('exit', kill)
    kill()
    await ended
  }
  let printed = ''
  try {
    const port = await new Promise<number>((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`alto ${why}; it printed ${printed.slice(-MAX_TOLD)}`))
      const timer = setTimeout(() => fail('did not start'), START_MS)
      void ended.then(() => fail('has ended'))
      for (const output of [child.stdout, child.stderr]) {
        output.on('data', (data: Buffer) => {
          printed = (printed + data.toString('utf8')).slice(-2 * MAX_TOLD)
          const listening = /Server listening at http:\/\/\S+:(\d+)/.exec(printed)
          if (!listening) return
          clearTimeout(timer)
          resolve(Number(listening[1]))
        })
      }
    })
    return { url: `http://127.0.0.1:${port}`, close }
  } catch (error) {
    await close()
    throw error
  }
}
