import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { InvalidOptionError } from '#node/spec/invalid-option-error.ts'
import { JournalError } from '#node/storage/journal.ts'
import { createSystemClock, type TimerHost } from '#primitives/system-clock.ts'
import { VERSION } from '#rpc-types/version.ts'
import { explainJournalError, explainListenError } from './cli/banner.ts'
import { parseCommand, type RunCommand } from './cli/cli.ts'
import { explainOtherOptions } from './cli/explain-other-options.ts'
import { helpText } from './cli/flags.ts'
import { UsageError } from './cli/usage-error.ts'
import { createProcessLog } from './process-log.ts'
import { recoveryThreads } from './recovery-threads.ts'
import { ChainStartError, logRejections, type NodeServer, outliveReaders, runNode } from './run-node.ts'
import { StateFileError } from './state/read-state-file.ts'

/** Beside the folder of this script, as both builds put them. */
const PAGE_FOLDER = path.resolve(fileURLToPath(import.meta.url), '../../page')
const RECOVERY_THREAD = new URL('./recovery-thread.js', import.meta.url)

/**
 * Exit codes: 1 could not run, 2 the command line, the genesis file or a state file makes no sense, 3 another process has
 * taken over the directory of the chain.
 */
const FAILED = 1
const BAD_USAGE = 2
const TAKEN_OVER = 3

/** Milliseconds for which a node that can store nothing any more tells its callers so. */
const TELLING_MS = 1_000

async function run(command: RunCommand): Promise<void> {
  const { quiet, logLevel } = command
  const log = createProcessLog(quiet ? 'error' : logLevel, process)
  // Node's MessagePort has `onmessage`, as the browser's has; its type declarations do not.
  const clock = createSystemClock(globalThis as unknown as TimerHost)
  logRejections(process, log)
  let isTakenOver = false
  const print = quiet ? () => {} : (text: string) => void process.stdout.write(`${text}\n`)
  const started: { node?: NodeServer } = {}
  const leave = async () => {
    try {
      await started.node?.leave()
    } catch (error) {
      log('error', 'what happened last could not be kept', error)
    }
    process.exit(TAKEN_OVER)
  }
  const running = await runNode(command, {
    clock,
    log,
    print,
    colours: process.stdout.isTTY,
    helpers: recoveryThreads(RECOVERY_THREAD, command.threads),
    pageFolder: PAGE_FOLDER,
    onTakenOver: () => {
      isTakenOver = true
      setTimeout(() => void leave(), TELLING_MS)
    },
  })
  started.node = running

  let stopping = false
  const stop = async () => {
    // Ctrl-C under npm arrives twice: from the terminal, and passed on by npm.
    if (stopping) return
    stopping = true
    try {
      await (isTakenOver ? running.leave() : running.close())
      process.exit(isTakenOver ? TAKEN_OVER : 0)
    } catch (error) {
      if (isTakenOver) process.exit(TAKEN_OVER)
      if (error instanceof StateFileError) log('error', error.message)
      else log('error', 'what happened last could not be kept', error)
      process.exit(FAILED)
    }
  }
  process.on('SIGINT', () => void stop())
  process.on('SIGTERM', () => void stop())
}

/**
 * Does what the command line says, and has the process end where that has failed.
 *
 * @returns Whether a chain runs.
 */
export async function runCommandLine(): Promise<boolean> {
  outliveReaders(process)
  const command = parseCommand(process.argv.slice(2))
  switch (command.kind) {
    case 'help':
      console.log(helpText())
      return false
    case 'version':
      console.log(VERSION)
      return false
    case 'bad':
      console.error(`${command.message}\nTry --help for the options.`)
      process.exitCode = BAD_USAGE
      return false
    case 'record':
    case 'check':
    case 'update':
    case 'prepare': {
      const { runSubcommand } = await import('./run-subcommand.ts')
      process.exitCode = await runSubcommand(command, {
        // Node's MessagePort has `onmessage`, as the browser's has.
        clock: createSystemClock(globalThis as unknown as TimerHost),
        helpers: command.kind === 'prepare' ? recoveryThreads(RECOVERY_THREAD, command.run.threads) : undefined,
        pageFolder: PAGE_FOLDER,
      })
      return false
    }
    case 'html':
    case 'rescue':
    case 'run':
      try {
        if (command.kind === 'html') {
          const { openHtml } = await import('./report/open-html.ts')
          const clock = createSystemClock(globalThis as unknown as TimerHost)
          console.log(await openHtml(command.file, command.into, clock))
          return false
        }
        if (command.kind === 'rescue') {
          const { rescue } = await import('./rescue.ts')
          const { data, into } = command
          console.log(await rescue(data, into, createSystemClock(globalThis as unknown as TimerHost)))
          return false
        }
        await run(command)
        return true
      } catch (thrown) {
        const one = thrown instanceof ChainStartError ? thrown.chain : undefined
        const error: unknown = thrown instanceof ChainStartError ? thrown.cause : thrown
        const which = one ? `Chain ${one.name}: ` : ''
        if (error instanceof UsageError || error instanceof InvalidOptionError) {
          console.error(
            `${which}${explainOtherOptions(error, one?.command.data ?? ('data' in command ? command.data : undefined))}`,
          )
          process.exitCode = BAD_USAGE
          return false
        }
        const sentence =
          error instanceof JournalError
            ? explainJournalError(error, one?.command.data ?? ('data' in command ? command.data : '') ?? '')
            : command.kind === 'run'
              ? explainListenError(error, command.hosts, command.port)
              : undefined
        if (sentence === undefined) throw error
        console.error(`${which}${sentence}`)
        process.exitCode = error instanceof JournalError && error.code === 'taken-over' ? TAKEN_OVER : FAILED
        return false
      }
  }
}
