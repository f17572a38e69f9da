import { inspect } from 'node:util'
import { LOG_LEVELS, type LogLevel } from './cli/cli.ts'

/** Takes text that people read. */
type Output = Pick<NodeJS.WriteStream, 'write'>

/**
 * Writes errors to the standard error output, and everything else to the standard output, as anvil does: programs that run
 * nodes for tests, such as prool, end one that writes anything else to its error output.
 *
 * @param upTo - Lines of a later level are left out.
 */
export function createProcessLog(
  upTo: LogLevel,
  { stdout, stderr }: { readonly stdout: Output; readonly stderr: Output },
): (level: LogLevel, message: string, details?: unknown) => void {
  return (level, message, details) => {
    if (LOG_LEVELS.indexOf(level) > LOG_LEVELS.indexOf(upTo)) return
    const text = details === undefined ? '' : `${typeof details === 'string' ? details : inspect(details)}\n`
    const output = level === 'error' ? stderr : stdout
    output.write(`${level}: ${message}\n${text}`)
  }
}
