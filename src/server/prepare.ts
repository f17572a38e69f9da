import { authority } from './cli/banner.ts'
import type { RunCommand } from './cli/cli.ts'
import { runCommand } from './cli/run-command.ts'
import { UsageError } from './cli/usage-error.ts'
import { type RunDeps, runNode } from './run-node.ts'
import { dumpTarget } from './state/chain-dump.ts'
import { StateFileError } from './state/read-state-file.ts'
import { replaceFile } from './state/replace-file.ts'

/** Where a command finds the chain's address: the second one is cast's, the third one forge's, above its configuration. */
const VARIABLES = ['BLINKNET_URL', 'ETH_RPC_URL', 'FOUNDRY_ETH_RPC_URL']

export interface PrepareCommand {
  readonly file: string
  /** The chain, which seals each transaction at once. */
  readonly run: RunCommand
  /** The program and its arguments. */
  readonly command: readonly string[]
}

interface PrepareDeps extends RunDeps {
  /** The environment of the command. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Runs a command against a chain, and writes the chain's file if the command ends well.
 *
 * The command finds the chain's address in environment variables, and in its arguments where they say `{url}`.
 *
 * @returns The command's status.
 * @throws {UsageError} If the chain, the file or the command makes no sense.
 * @throws {StateFileError} If the file cannot be written; it has what it had.
 */
export async function prepare({ file, run, command }: PrepareCommand, deps: PrepareDeps): Promise<number> {
  const { print, env } = deps
  const target = await targetOf(file)
  // A new chain begins at the same time in each run; one that is loaded has a time of its own.
  const options = run.loadState ? run.options : { mode: 'manual' as const, ...run.options }
  const server = await runNode({ ...run, options }, { ...deps, print: () => {} })
  try {
    const [host = '127.0.0.1'] = run.hosts
    const url = `http://${authority(host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host, server.port)}`
    const status = await runCommand(command, url, {
      ...env,
      ...Object.fromEntries(VARIABLES.map((name) => [name, url])),
    })
    if (status !== 0) {
      print(`${command[0]} has ended with status ${status}: ${file} is not written.`)
      return status
    }
    const chain = await server.exportChain()
    await replaceFile(target, chain).catch((error: unknown) => {
      throw new StateFileError(`the chain could not be written to ${target}: ${(error as Error).message}`, {
        cause: error,
      })
    })
    print(`${target} has the chain, ${chain.length} bytes: blinknet --load-state ${file}, or loadState in a test.`)
    return 0
  } finally {
    await server.close()
  }
}

/** @throws {UsageError} If no chain can be written there. */
async function targetOf(file: string): Promise<string> {
  try {
    return await dumpTarget(file)
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}.`, { cause: error })
  }
}
