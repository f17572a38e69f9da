import type { NodeOptions } from '#rpc-types/node-options.ts'
import { AT_EACH_START } from '#rpc-types/option-tables.derived.ts'
import { VERSION } from '#rpc-types/version.ts'
import type { ForkRecord } from '../fork/fork.ts'
import type { SealedBlock } from '../payload/block.ts'
import { createSpec } from '../spec/create-spec.ts'
import { InvalidOptionError } from '../spec/invalid-option-error.ts'
import { quote } from '../spec/parse-option.ts'
import { JOURNAL_PARTS, type Journal, JournalError } from '../storage/journal.ts'
import { checkChain, checkFormat, corrupt } from './check-records.ts'
import { decodeJson } from './json-record.ts'
import { type ChainRecord, FORK_FORMAT, JOURNAL_FORMAT, META } from './records.ts'

/** The stored chain has other options than requested; the message names one. */
export class OtherOptionsError extends InvalidOptionError {
  /** The one that the message names. */
  readonly option: keyof NodeOptions | undefined

  constructor(message: string, option?: keyof NodeOptions) {
    super(message)
    this.option = option
  }
}

/** The journal's record of a new chain. */
export function chainRecordOf(
  options: NodeOptions,
  { header, hash }: SealedBlock,
  fork: ForkRecord | undefined,
): ChainRecord {
  return {
    format: fork ? FORK_FORMAT : JOURNAL_FORMAT,
    version: VERSION,
    options,
    genesisTimestamp: header.timestamp,
    genesisHash: hash,
    ...(fork && { fork }),
  }
}

/**
 * Reads the chain's record from the journal; `undefined` if the journal is empty. One that has anything else, but no such
 * record, is damaged: a new chain would delete what is left of the stored one.
 *
 * @throws {JournalError} `newer` or `corrupt`.
 */
export async function readChainRecord(journal: Pick<Journal, 'read' | 'readAll'>): Promise<ChainRecord | undefined> {
  const bytes = await journal.read('meta', META.chain)
  if (!bytes) {
    for (const part of JOURNAL_PARTS) {
      if ((await journal.readAll(part)).length > 0) throw corrupt('the record that describes it is missing')
    }
    return undefined
  }
  const record = decodeJson(bytes, 'description of the chain')
  checkFormat(record)
  if (record.format === JOURNAL_FORMAT || record.format === FORK_FORMAT) {
    checkChain(record)
    checkStoredOptions(record.options)
    const { format, version, genesisTimestamp, genesisHash, options, fork } = record
    return { format, version, options, genesisTimestamp, genesisHash, ...(fork && { fork }) }
  }
  const message = `the stored chain was written by Blinknet ${record.version}, in a format that this version does not know`
  throw new JournalError(record.format > FORK_FORMAT ? 'newer' : 'corrupt', message)
}

/**
 * @throws {JournalError} `corrupt`, not an option error: these are not what a person asked for now, so a person cannot
 * fix them.
 */
function checkStoredOptions(options: NodeOptions): void {
  try {
    createSpec(options)
  } catch (error) {
    if (!(error instanceof InvalidOptionError)) throw error
    throw corrupt(`its options are invalid: ${error.message}`, error)
  }
}

/**
 * The options with which the stored chain continues.
 *
 * @param given - The options requested now.
 * @throws {OtherOptionsError} If they differ from the stored ones.
 */
export function storedOptions({ options, genesisTimestamp }: ChainRecord, given: NodeOptions): NodeOptions {
  const stored = plain({ ...options, genesisTimestamp })
  const asked = plain({ ...options, genesisTimestamp, ...given })
  const names = (Object.keys(given) as (keyof NodeOptions)[]).filter((name) => !AT_EACH_START.includes(name))
  for (const name of names) {
    const merged = plain({ ...options, genesisTimestamp, [name]: given[name] })
    if (merged === stored) continue
    const was = options[name] === undefined ? `the default ${name}` : `${name} ${quote(options[name])}`
    throw new OtherOptionsError(
      `the stored chain was started with ${was}, not ${quote(given[name])}: leave it out, or begin another chain`,
      name,
    )
  }
  if (asked !== stored) throw new OtherOptionsError('the stored chain was started with other options')
  const chosen = Object.entries(given).filter(([name]) => AT_EACH_START.includes(name as keyof NodeOptions))
  return { ...lasting(options), ...Object.fromEntries(chosen) }
}

/**
 * Whether a new chain with these options equals the default chain.
 *
 * @throws {InvalidOptionError} If the options are invalid.
 */
export function beginsDefaultChain(options: NodeOptions): boolean {
  return plain(options) === plain({})
}

/** The options that a stored chain keeps. */
function lasting(options: NodeOptions): NodeOptions {
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => !AT_EACH_START.includes(name as keyof NodeOptions)),
  )
}

/** The chain-defining options as text, for comparison. */
function plain(options: NodeOptions): string {
  return JSON.stringify(createSpec(lasting(options)), (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value instanceof Uint8Array ? [...value] : value,
  )
}
