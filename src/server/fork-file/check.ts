import { ForkError } from '#node/fork/fork-error.ts'
import { harmlessLine } from '#primitives/harmless-line.ts'
import type { ForkCommand } from '#server/cli/fork-flags.ts'
import { readForkFile } from './fork-files.ts'
import { type ForkFileDeps, noRemote, remoteOf } from './open-recording.ts'
import { canonicalJson, type RecordedOutcome } from './recorded-fork.ts'

/** Most characters of a call in a line. */
const LONGEST = 200

/**
 * Asks an endpoint whether a fork file is of the real chain: whether its block has that hash, from which all of the state
 * follows, and whether what is not proven is still answered so.
 *
 * @returns 0 if it is; 1 if something differs.
 * @throws {ForkError} If the file is none, is of another chain, or the endpoint cannot be asked.
 */
export async function check(
  { file, fork: endpoint }: { readonly file: string; readonly fork: ForkCommand },
  { clock, print }: ForkFileDeps,
): Promise<number> {
  const recorded = await readForkFile(file, { clock, remote: noRemote(file) })
  if (!recorded) throw new ForkError(`there is no ${file}`)
  const remote = remoteOf(endpoint, print)
  try {
    const { fork } = recorded
    await fork.checkBlock(remote)
    const { number, stateRoot } = fork.header.header
    const accounts = recorded.accounts()
    const slots = accounts.reduce((sum, [, each]) => sum + each.length, 0)
    print(`${file}: block ${number} of chain ${fork.chainId} has the hash ${fork.header.hash} at ${remote.name}, too.`)
    print(`${accounts.length} accounts and ${slots} slots are proven against its state root ${stateRoot}.`)
    const asked = recorded.answers().map(async ([call, text]) => {
      const [method, params] = JSON.parse(call) as [string, unknown[]]
      const now = await remote.ask(method, params).then(
        (result): RecordedOutcome => ({ result }),
        (error: unknown): RecordedOutcome | string => {
          if (!(error instanceof ForkError)) throw error
          return error.answered ? { error: error.answered } : error.message
        },
      )
      const shown = harmlessLine(call, LONGEST)
      if (typeof now === 'string') return { line: `not asked: ${shown}: ${now}`, differs: false }
      // The words and the data of an error are each endpoint's own.
      const isSame = 'error' in now ? text.startsWith('{"error"') : canonicalJson(now) === text
      return isSame ? undefined : { line: `differs: ${shown}`, differs: true }
    })
    const outcomes = await Promise.all(asked)
    for (const outcome of outcomes) if (outcome) print(outcome.line)
    const agree = outcomes.filter((outcome) => !outcome).length
    if (outcomes.length > 0)
      print(`${agree} of ${outcomes.length} answers about the time before, which nothing proves, agree.`)
    return outcomes.some((outcome) => outcome?.differs) ? 1 : 0
  } finally {
    remote.close()
  }
}
