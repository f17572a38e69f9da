import { open } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '#primitives/clock.ts'
import { isReport } from '#report/report-file.ts'
import { ask } from '#rpc-types/ask.ts'
import type { FilmMoments } from '#rpc-types/methods/devnet.ts'
import { UsageError } from '#server/cli/usage-error.ts'
import { loadChain } from '#server/state/load-chain.ts'
import { readStateFile, StateFileError, whyMissing } from '#server/state/read-state-file.ts'
import { filmReport } from './report-page.ts'

/** Characters that tell whether a file is a report. */
const BEGINNING = 100

/** Where a film of a chain file goes, if nobody says: beside it, `chain.blinknet` to `chain.html`. */
export function htmlBeside(file: string): string {
  const { dir, base } = path.parse(file)
  return path.join(dir, `${base.replace(/(\.blinknet)?(\.gz)?$/, '')}.html`)
}

/**
 * Writes the film of a chain file as one HTML file, which a browser opens from a disk.
 *
 * @param into - The HTML file; default: {@link htmlBeside}. One that is there already is only replaced if it is a report.
 * @param folder - The template's, in tests.
 * @returns What was written, for a person.
 * @throws {UsageError} If there is no such chain file, it holds no chain, or the HTML file cannot be written.
 */
export async function openHtml(file: string, into: string | undefined, clock: Clock, folder?: string): Promise<string> {
  const target = into ?? htmlBeside(file)
  const chain = await readChain(file)
  let moments: FilmMoments
  try {
    const log = () => {}
    const { node, close } = await loadChain(chain, {}, { clock, log, film: true })
    moments = (await ask(node, 'devnet_getMoments')) as FilmMoments
    await close()
  } catch (error) {
    throw error instanceof StateFileError ? unopened(file, error) : error
  }
  const html = await filmReport(path.basename(file), chain, folder)
  await write(target, html)
  const size = (html.length / 1_000_000).toFixed(1)
  return `${target}: ${moments.count} moments, ${size} MB. Open it in a browser; it needs no network.`
}

async function readChain(file: string): Promise<Uint8Array> {
  try {
    const found = await readStateFile(file)
    if (!found) throw new StateFileError(await whyMissing(file))
    if (found.kind === 'chain') return found.file
    throw new StateFileError('it is a state in JSON, which has no blocks')
  } catch (error) {
    throw error instanceof StateFileError ? unopened(file, error) : error
  }
}

function unopened(file: string, error: StateFileError): UsageError {
  return new UsageError(`${file} cannot be opened: ${error.message}.`, { cause: error })
}

async function write(target: string, html: string): Promise<void> {
  try {
    // Read first: what is there may be somebody's.
    const handle = await open(target, 'a+')
    try {
      const { size } = await handle.stat()
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0)
      if (size > 0 && !isReport(buffer.toString('utf8', 0, bytesRead))) {
        throw new UsageError(
          `${target} is there already, and is no report of Blinknet: name another file after --html.`,
        )
      }
      await handle.truncate(0)
      await handle.writeFile(html)
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${target} cannot be written: ${(error as Error).message}.`, { cause: error })
  }
}
