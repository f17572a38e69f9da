import { AnswerError } from '#node/fork/answers.ts'
import { Fork } from '#node/fork/fork.ts'
import { ForkError } from '#node/fork/fork-error.ts'
import { type ForkHeader, readForkHeader } from '#node/fork/fork-header.ts'
import { codeEntry, type KeptEntry, KeptRows } from '#node/fork/kept-rows.ts'
import { ProofError } from '#node/fork/reveal.ts'
import type { Remote } from '#node/fork/state-source.ts'
import { type Account, EMPTY_CODE_HASH } from '#node/state/state-reader.ts'
import { createPacer } from '#node/turns/pacer.ts'
import { fromBase64, isBase64, toBase64 } from '#primitives/base64.ts'
import { ByteReaderError } from '#primitives/byte-reader.ts'
import { bytesToBigInt } from '#primitives/bytes.ts'
import type { Clock } from '#primitives/clock.ts'
import { harmlessLine } from '#primitives/harmless-line.ts'
import { type Address, type Hash, type Hex, toQuantity } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import { isNestedDeeperThan } from '#primitives/json-text.ts'
import { canonicalJson, RecordedFork, type RecordedOutcome } from './recorded-fork.ts'

/** The first line. */
const MAGIC = 'blinknet fork file 1'
const MAX_LINES = 300_000
/** Levels of JSON, as of an endpoint's answer. */
const MAX_LEVELS = 128
/** Slots of one account: a row of what a fork keeps has no more. */
const MAX_SLOTS = 20_000
const NODES_PER_ROW = 4_096
/** Blocks whose hashes contracts can read. */
const HASHES = 256
/** Most characters of a line, or of a reason, in an error. */
const SHOWN = 60
const MAX_REASON = 400

/** A text is no fork file, or says what its proofs do not. */
export class ForkFileError extends Error {
  override readonly name = 'ForkFileError'

  constructor(message: string, options?: ErrorOptions) {
    super(harmlessLine(message, MAX_REASON), options)
  }
}

/**
 * The file's text: a line for each value, code and node, in a fixed order. The same values are the same text, and two
 * recordings of the same block merge line by line.
 */
export function encodeForkFile(recorded: RecordedFork): string {
  const { fork } = recorded
  const { header, hash, json } = fork.header
  const { state } = fork.block
  const nodes = new Set<string>()
  const codes = new Map<Hash, Uint8Array>()
  const lines = [MAGIC, `chain ${fork.chainId}`, `at ${header.number} ${hash}`, `header ${canonicalJson(json)}`]
  for (const [address, slots] of recorded.accounts()) {
    const { account, accountProof, storageProof } = state.prove(address, slots)
    lines.push(`account ${address} ${inWords(account)}`)
    if (account && account.codeHash !== EMPTY_CODE_HASH) codes.set(account.codeHash, state.codes.get(account.codeHash))
    for (const { slot, value } of storageProof) lines.push(`slot ${address} ${slot} ${wordOf(value)}`)
    for (const node of [...accountProof, ...storageProof.flatMap(({ proof }) => proof)]) nodes.add(toBase64(node))
  }
  const ancestors = ancestorsOf(recorded)
  lines.push(...[...ancestors.values()].map((block) => `block ${block}`))
  for (const [call, outcome] of recorded.answers()) {
    if (!ancestors.has(call)) lines.push(`answer [${call},${outcome}]`)
  }
  const coded = [...codes].map(([codeHash, code]) => `code ${codeHash} ${toBase64(code)}`)
  lines.push(...coded.sort())
  for (const node of [...nodes].sort()) lines.push(`node ${node}`)
  return `${lines.join('\n')}\n`
}

/** How a file says what an account is. */
function inWords(account: Account | undefined): string {
  if (!account) return 'absent'
  const { nonce, balance, codeHash } = account
  return `nonce ${nonce} balance ${balance}${codeHash === EMPTY_CODE_HASH ? '' : ` code ${codeHash}`}`
}

function wordOf(value: Uint8Array): Hex {
  return toQuantity(bytesToBigInt(value))
}

/** Blocks without their transactions by the call for each: those that the fork's block proves, newest first. */
export function ancestorsOf(recorded: RecordedFork): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const { number, parentHash } = recorded.fork.header.header
  let expected = parentHash
  for (let at = number - 1; at >= 0 && found.size < HASHES; at--) {
    const params = [toQuantity(at), false]
    const outcome = recorded.answer('eth_getBlockByNumber', params)
    if (!outcome || !('result' in outcome) || outcome.result === null) break
    const { hash, header } = readForkHeader(outcome.result)
    if (hash !== expected) break
    found.set(canonicalJson(['eth_getBlockByNumber', params]), canonicalJson(outcome.result))
    expected = header.parentHash
  }
  return found
}

/** The lines of a file, each read. */
interface Parts {
  chainId?: string
  at?: string
  header?: string
  readonly accounts: Map<Address, { said?: string; readonly slots: Map<Hash, string> }>
  readonly blocks: ForkHeader[]
  readonly answers: [method: string, params: readonly unknown[], outcome: RecordedOutcome][]
  readonly codes: KeptEntry[]
  readonly nodes: Uint8Array[]
}

export interface DecodeDeps {
  /** For messages. */
  readonly name: string
  readonly clock: Clock
  /** From which the fork fetches more. */
  readonly remote: Remote
}

/**
 * Reads a file's text, and proves every value of it.
 *
 * @throws {ForkFileError} If it is no fork file, or a value is not proven: the message names it.
 */
export async function decodeForkFile(text: string, { name, clock, remote }: DecodeDeps): Promise<RecordedFork> {
  try {
    const parts = parse(text)
    const { chainId, at, header } = parts
    if (chainId === undefined || at === undefined || header === undefined) {
      throw new ForkFileError('a line is missing: chain, at or header')
    }
    const block = readForkHeader(JSON.parse(header))
    if (at !== `${block.header.number} ${block.hash}`) {
      throw new ForkFileError(
        `it says that its block is ${at}, and its header is of ${block.header.number} ${block.hash}`,
      )
    }
    const record = { endpoint: name, chainId: Number(chainId), block: block.json }
    const fork = await Fork.reopen(record, entriesOf(parts), { remote, clock }, createPacer(clock))
    const recorded = new RecordedFork(fork)
    for (const [address, { said, slots }] of parts.accounts) {
      recorded.note(address, [...slots.keys()])
      requireSame(fork, address, said, slots)
    }
    for (const [method, params, outcome] of parts.answers) recorded.put(method, params, outcome)
    return recorded
  } catch (error) {
    const isAboutText =
      error instanceof AnswerError ||
      error instanceof ProofError ||
      error instanceof ByteReaderError ||
      error instanceof ForkError ||
      error instanceof SyntaxError
    if (!isAboutText) throw error
    throw new ForkFileError(error.message, { cause: error })
  }
}

/** What a fork would have kept that has fetched all this. */
function* entriesOf({ accounts, blocks, codes, nodes }: Parts): Generator<KeptEntry, void> {
  yield* codes
  const portions = Array.from({ length: Math.ceil(nodes.length / NODES_PER_ROW) }, (_, i) =>
    nodes.slice(i * NODES_PER_ROW, (i + 1) * NODES_PER_ROW),
  )
  const ancestors = [...blocks].sort((one, other) => other.header.number - one.header.number)
  yield* new KeptRows([
    ...portions.map((portion) => ({ kind: 'nodes', nodes: portion }) as const),
    ...[...accounts].map(
      ([address, { slots }]) => ({ kind: 'proof', address, slots: [...slots.keys()], nodes: [] }) as const,
    ),
    ...ancestors.map(({ json }) => ({ kind: 'header', json: JSON.stringify(json) }) as const),
  ]).entries()
}

/** @throws {ForkFileError} If the file says anything else than its proofs. */
function requireSame(
  { block }: Fork,
  address: Address,
  said: string | undefined,
  slots: ReadonlyMap<Hash, string>,
): void {
  const { state } = block
  const proven = inWords(state.account(address))
  if (said !== proven) {
    const what = said === undefined ? 'has slots and no line of its own' : `is "${said}" in its line`
    throw new ForkFileError(`account ${address} ${what}, and "${proven}" by its proof`)
  }
  for (const [slot, value] of slots) {
    const is = wordOf(state.storage(address, slot))
    if (is !== value)
      throw new ForkFileError(`slot ${slot} of ${address} is ${value} in its line, and ${is} by its proof`)
  }
}

function parse(text: string): Parts {
  const lines = text.split(/\r?\n/)
  if (lines[0] !== MAGIC) {
    const other = /^blinknet fork file \d+$/.test(lines[0] ?? '') ? ': another version of Blinknet has written it' : ''
    throw new ForkFileError(`it is no fork file${other}`)
  }
  if (lines.length > MAX_LINES) throw new ForkFileError(`it has more than ${MAX_LINES} lines`)
  const parts: Parts = { accounts: new Map(), blocks: [], answers: [], codes: [], nodes: [] }
  for (const [i, line] of lines.entries()) {
    if (line === MAGIC || line === '') continue
    const space = line.indexOf(' ')
    const [kind, rest] = [line.slice(0, space), line.slice(space + 1)]
    const read = Object.hasOwn(LINES, kind) ? LINES[kind] : undefined
    if (!read?.(rest, parts)) {
      const merge = /^[<=>|]{7}/.test(line) ? ' Git has left a conflict there: take one side, and record again.' : ''
      throw new ForkFileError(`line ${i + 1} is none of a fork file: ${harmlessLine(line, SHOWN)}.${merge}`)
    }
  }
  return parts
}

/** Reads the rest of a line. @returns Whether it is one. */
type ReadLine = (rest: string, parts: Parts) => boolean

/** How each kind of line is read. */
const LINES: Readonly<Record<string, ReadLine>> = {
  chain: once('chainId', /^[1-9]\d{0,15}$/),
  at: once('at', /^\d{1,15} 0x[\da-f]{64}$/),
  header: once('header', /^\{/),
  account(rest, { accounts }) {
    const [, address, said] =
      /^(0x[\da-f]{40}) (absent|nonce \d{1,20} balance \d{1,78}(?: code 0x[\da-f]{64})?)$/.exec(rest) ?? []
    if (address === undefined || said === undefined) return false
    const known = accountIn(accounts, address as Address)
    if (known.said !== undefined && known.said !== said) {
      throw new ForkFileError(`account ${address} has two lines that contradict each other`)
    }
    known.said = said
    return true
  },
  slot(rest, { accounts }) {
    const [, address, slot, value] = /^(0x[\da-f]{40}) (0x[\da-f]{64}) (0x[\da-f]{1,64})$/.exec(rest) ?? []
    if (address === undefined || slot === undefined || value === undefined) return false
    const { slots } = accountIn(accounts, address as Address)
    const before = slots.get(slot as Hash)
    if (before !== undefined && before !== value) {
      throw new ForkFileError(`slot ${slot} of ${address} has two lines that contradict each other`)
    }
    slots.set(slot as Hash, value)
    if (slots.size > MAX_SLOTS) throw new ForkFileError(`account ${address} has more than ${MAX_SLOTS} slots`)
    return true
  },
  block(rest, { blocks, answers }) {
    const block = jsonOf(rest)
    const header = readForkHeader(block)
    if (blocks.some(({ hash }) => hash === header.hash)) return true
    if (blocks.length >= HASHES) throw new ForkFileError(`it has more than ${HASHES} blocks before its own`)
    blocks.push(header)
    answers.push(['eth_getBlockByNumber', [toQuantity(header.header.number), false], { result: block }])
    return true
  },
  answer(rest, { answers }) {
    const pair = jsonOf(rest)
    const [call, outcome] = Array.isArray(pair) && pair.length === 2 ? (pair as unknown[]) : []
    const [method, params] = Array.isArray(call) && call.length === 2 ? (call as unknown[]) : []
    if (typeof method !== 'string' || !Array.isArray(params) || !isOutcome(outcome)) return false
    answers.push([method, params, outcome])
    return true
  },
  code(rest, { codes }) {
    const [, hash, code] = /^(0x[\da-f]{64}) ([\da-zA-Z+/=]*)$/.exec(rest) ?? []
    if (hash === undefined || code === undefined || !isBase64(code)) return false
    codes.push(codeEntry(hash as Hash, fromBase64(code)))
    return true
  },
  node(rest, { nodes }) {
    if (!isBase64(rest)) return false
    nodes.push(fromBase64(rest))
    return true
  },
}

function once(name: 'chainId' | 'at' | 'header', form: RegExp): ReadLine {
  return (rest, parts) => {
    if (!form.test(rest)) return false
    if (name === 'header') jsonOf(rest)
    const before = parts[name]
    if (before !== undefined && before !== rest) {
      throw new ForkFileError(`it has two blocks (${harmlessLine(before, SHOWN)}): take one side, and record again`)
    }
    parts[name] = rest
    return true
  }
}

function accountIn(accounts: Parts['accounts'], address: Address) {
  const known = accounts.get(address) ?? { slots: new Map<Hash, string>() }
  accounts.set(address, known)
  return known
}

/** @throws {ForkFileError} If it is nested too deep. @throws {SyntaxError} If it is no JSON. */
function jsonOf(text: string): unknown {
  if (isNestedDeeperThan(text, MAX_LEVELS)) throw new ForkFileError(`JSON has more than ${MAX_LEVELS} levels`)
  return JSON.parse(text)
}

function isOutcome(value: unknown): value is RecordedOutcome {
  if (!isObject(value)) return false
  const { error } = value
  if (error === undefined) return Object.hasOwn(value, 'result')
  return isObject(error) && typeof error['code'] === 'number' && typeof error['message'] === 'string'
}
