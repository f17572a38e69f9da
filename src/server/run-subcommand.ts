import { ForkError } from '#node/fork/fork-error.ts'
import { InvalidOptionError } from '#node/spec/invalid-option-error.ts'
import { JournalError } from '#node/storage/journal.ts'
import { explainJournalError, explainListenError } from './cli/banner.ts'
import type { CommandLine } from './cli/cli.ts'
import { UsageError } from './cli/usage-error.ts'
import type { RunDeps } from './run-node.ts'
import { StateFileError } from './state/read-state-file.ts'

/** A command about a file. */
type FileCommand = Extract<CommandLine, { readonly kind: 'record' | 'check' | 'update' | 'prepare' }>

/** Statuses: 1 could not be done, 2 the command line makes no sense. */
const FAILED = 1
const BAD_USAGE = 2

/**
 * Does what a command about a file says. What is said of it goes to standard error where another command has the output.
 *
 * @returns The status of the process.
 */
export async function runSubcommand(
  command: FileCommand,
  deps: Pick<RunDeps, 'clock' | 'pageFolder'> & { readonly helpers: RunDeps['helpers'] },
): Promise<number> {
  const toError = (line: string) => void process.stderr.write(`${line}\n`)
  const toOutput = (line: string) => void process.stdout.write(`${line}\n`)
  const log = (level: 'error' | 'warn' | 'info', message: string) => {
    if (level !== 'info') toError(message)
  }
  const { clock } = deps
  try {
    switch (command.kind) {
      case 'record': {
        const { record } = await import('./fork-file/record.ts')
        return await record(command, { clock, print: toError, log, env: process.env })
      }
      case 'check': {
        const { check } = await import('./fork-file/check.ts')
        return await check(command, { clock, print: toOutput })
      }
      case 'update': {
        const { update } = await import('./fork-file/update.ts')
        await update(command, { clock, print: toOutput })
        return 0
      }
      case 'prepare': {
        const { prepare } = await import('./prepare.ts')
        const { helpers, ...rest } = deps
        return await prepare(command, { ...rest, ...(helpers && { helpers }), print: toError, log, env: process.env })
      }
      default:
        return command satisfies never
    }
  } catch (error) {
    const run = command.kind === 'prepare' ? command.run : undefined
    const isUsage = error instanceof UsageError || error instanceof InvalidOptionError
    const isExpected = isUsage || error instanceof ForkError || error instanceof StateFileError
    const sentence = isExpected
      ? error.message
      : error instanceof JournalError
        ? explainJournalError(error, '')
        : run && explainListenError(error, run.hosts, run.port)
    if (sentence === undefined) throw error
    toError(/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)
    return isUsage ? BAD_USAGE : FAILED
  }
}
