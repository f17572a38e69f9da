import { ForkError } from '#node/fork/fork-error.ts'
import { BEACON_ROOTS_ADDRESS } from '#node/spec/system-contracts.ts'
import { harmlessLine } from '#primitives/harmless-line.ts'
import { type Hash, toQuantity } from '#primitives/hex.ts'
import type { ForkCommand } from '#server/cli/fork-flags.ts'
import { differences } from './differences.ts'
import { ancestorsOf, encodeForkFile } from './fork-file-text.ts'
import { readForkFile, writeForkText } from './fork-files.ts'
import { beginRecording, type ForkFileDeps, noRemote, remoteOf } from './open-recording.ts'
import type { RecordedFork } from './recorded-fork.ts'
import { isOfSystem, Recorder, ringSlot } from './recorder.ts'

/** Most characters of a call in a line. */
const LONGEST = 200
/** Accounts that are fetched at a time. */
const AT_A_TIME = 32

/**
 * Moves a fork file to another block of its chain: asks for the same values there, and tells what is different.
 *
 * @throws {ForkError} If the file is none, or the endpoint cannot be used; the file stays as it is.
 */
export async function update(
  { file, fork: endpoint }: { readonly file: string; readonly fork: ForkCommand },
  { clock, print }: ForkFileDeps,
): Promise<void> {
  const before = await readForkFile(file, { clock, remote: noRemote(file) })
  if (!before) throw new ForkError(`there is no ${file}: npx blinknet record makes it`)
  const remote = remoteOf(endpoint, print)
  try {
    const after = await beginRecording(remote, endpoint, clock)
    const { chainId } = before.fork
    if (after.fork.chainId !== chainId) {
      throw new ForkError(`${remote.name} has the chain id ${after.fork.chainId}, and ${file} is of chain ${chainId}`)
    }
    const recorder = new Recorder(after, remote)
    const accounts = before.accounts()
    for (let at = 0; at < accounts.length; at += AT_A_TIME) {
      const portion = accounts.slice(at, at + AT_A_TIME)
      await Promise.all(
        portion.map(([address, slots]) => {
          const wanted = isOfSystem(address) ? slots.map((slot) => moved(address, slot, before, after)) : slots
          return recorder.prove(address, wanted)
        }),
      )
    }
    const left = await askAgain(before, after, recorder)
    await writeForkText(file, encodeForkFile(after))
    print(`${file}: block ${inWords(before)} → ${inWords(after)} of chain ${chainId}`)
    for (const line of [...differences(before, after), ...left]) print(line)
  } finally {
    remote.close()
  }
}

function inWords({ fork }: RecordedFork): string {
  return `${fork.header.header.number} (${fork.header.hash})`
}

/** The slot that the system calls of the block after the new one write, where those after the old one write this. */
function moved(address: string, slot: Hash, before: RecordedFork, after: RecordedFork): Hash {
  const [{ header: then }, { header: now }] = [before.fork.header, after.fork.header]
  return ringSlot(slot, address === BEACON_ROOTS_ADDRESS ? now.timestamp - then.timestamp : now.number - then.number)
}

/**
 * Asks again for what nothing proves. What names the old block names the new one now.
 *
 * @returns Lines about what is not in the file any more.
 */
async function askAgain(before: RecordedFork, after: RecordedFork, recorder: Recorder): Promise<readonly string[]> {
  const ancestors = ancestorsOf(before)
  const further = after.fork.header.header.number - before.fork.header.header.number
  const asked = before.answers().map(async ([call]) => {
    const [method, params] = JSON.parse(call, (_name, value: unknown) => (value === before.at ? after.at : value)) as [
      string,
      unknown[],
    ]
    const now = ancestors.has(call) ? [toQuantity(Number(params[0]) + further), false] : params
    try {
      await recorder.ask(method, now)
      return []
    } catch (error) {
      // An error that the endpoint has answered is part of the file.
      if (!(error instanceof ForkError)) throw error
      if (error.answered) return []
      return [`left out: ${harmlessLine(JSON.stringify([method, now]), LONGEST)}: ${error.message}`]
    }
  })
  return (await Promise.all(asked)).flat()
}
