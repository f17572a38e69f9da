import path from 'node:path'
import { checkOptions } from '#node/spec/check-options.ts'
import { isObject } from '#primitives/json-object.ts'
import { checkNames, type OwnedChain, quote } from '#server/cli/chains-flag.ts'
import { checkEntryPoints, type EntryPointVersion } from '#server/cli/entry-points.ts'
import type { ForkCommand } from '#server/cli/fork-flags.ts'
import { readTextFile } from '#server/cli/read-text-file.ts'
import { UsageError } from '#server/cli/usage-error.ts'
import { type ForkRequest, forkCommandOf } from '#server/fork/fork-options.ts'

/** As of a genesis file: accounts of block 0 may be in it. */
const MAX_FILE_BYTES = 32 * 1024 * 1024
const NAME = /^[A-Za-z][\w-]{0,63}$/

/**
 * The chains of a file: an object that has for each name what `createChain` takes. Paths in it are seen from its folder.
 *
 * @throws {UsageError} If it cannot be read, or makes no sense.
 */
export async function readChainsFile(file: string): Promise<readonly OwnedChain[]> {
  const json = parseJson(await readTextFile(file, MAX_FILE_BYTES, '--chains'), file)
  if (!isObject(json)) throw invalid(file, 'it has to be an object with the options of each chain by its name')
  const entries = Object.entries(json)
  if (entries.length === 0) throw invalid(file, 'it names no chain')
  for (const [name] of entries) {
    if (NAME.test(name)) continue
    // An object's numbers come first, wherever they stand, and the first chain is also that of the bare address.
    const why = /^\d+$/.test(name)
      ? `write {"mainnet": {"chainId": ${name}}}, which answers at /${name} as well`
      : 'letters, digits, _ and -'
    throw invalid(file, `a chain's name begins with a letter, unlike ${quote(name)}: ${why}`)
  }
  checkNames(entries.map(([name]) => name))
  return entries.map(([name, value]) => chainOf(name, value, file))
}

function chainOf(name: string, value: unknown, file: string): OwnedChain {
  const fail = (why: string) => invalid(file, `the chain ${name}: ${why}`)
  if (!isObject(value)) throw fail('its options are an object')
  const { clock, fork, data, loadState, entrypoint, ...rest } = value
  if ('latest' in rest) throw fail('latest: call its path with ?latest=preconfirmed, or give all of them --latest')
  // The library says it as the command line and the page do.
  if ('mode' in rest) throw fail('there is no option "mode": clock is "auto" or "manual"')
  const options: unknown = { ...rest, ...(clock !== undefined && { mode: clock }) }
  try {
    checkOptions(options)
  } catch (error) {
    throw fail((error as Error).message)
  }
  if (data !== undefined && loadState !== undefined) {
    throw fail('data and loadState contradict each other: the chain lives in the directory')
  }
  const pathOf = (option: string, text: unknown) => {
    if (typeof text !== 'string' || text === '') throw fail(`${option} is the name of a file or a directory`)
    return path.resolve(path.dirname(file), text)
  }
  return {
    name,
    options,
    ...(data !== undefined && { data: pathOf('data', data) }),
    ...(loadState !== undefined && { loadState: pathOf('loadState', loadState) }),
    ...(entrypoint !== undefined && { entryPoints: entryPointsOf(entrypoint, fail) }),
    ...(fork !== undefined && { fork: forkOf(fork, fail) }),
  }
}

function entryPointsOf(value: unknown, fail: (why: string) => UsageError): readonly EntryPointVersion[] {
  try {
    return checkEntryPoints(value)
  } catch (error) {
    throw fail((error as Error).message)
  }
}

function forkOf(fork: unknown, fail: (why: string) => UsageError): ForkCommand {
  if (!isObject(fork)) throw fail('fork is an object with the url of an endpoint')
  try {
    return forkCommandOf(fork as unknown as ForkRequest)
  } catch (error) {
    throw fail((error as Error).message)
  }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid(file, `it is no JSON: ${(error as Error).message}`)
  }
}

function invalid(file: string, why: string): UsageError {
  return new UsageError(`${file} (--chains) makes no sense: ${why}.`)
}
