import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { UsageError } from './usage-error.ts'

/** Signals that end a command. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs a command with this process's input and output. Signals end the command, not this process, which then still has
 * something to do.
 *
 * @param url - Stands in its arguments where they say `{url}`.
 * @returns Its status, as a shell has it: 128 and the number of the signal that ended it.
 * @throws {UsageError} If it cannot be started.
 */
export async function runCommand(
  command: readonly string[],
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const [program = '', ...args] = command.map((part) => part.replaceAll('{url}', url))
  // On Windows npm and its like are scripts, which only a shell runs.
  const shell = process.platform === 'win32'
  const child = spawn(program, shell ? args.map(quoted) : args, { stdio: 'inherit', env: { ...env }, shell })
  const passOn = (signal: NodeJS.Signals) => {
    // A terminal sends its own to all of its processes: a second one would be taken for impatience.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, passOn)
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => {
        const why = error.code === 'ENOENT' ? 'there is no such program' : error.message
        reject(new UsageError(`${program} cannot be run: ${why}.`, { cause: error }))
      })
      child.once('exit', (status, signal) => resolve(status ?? 128 + (signal === null ? 0 : constants.signals[signal])))
    })
  } finally {
    for (const signal of SIGNALS) process.off(signal, passOn)
  }
}

function quoted(argument: string): string {
  return /^[\w./:=@\\-]+$/.test(argument) ? argument : `"${argument.replaceAll('"', '""')}"`
}
