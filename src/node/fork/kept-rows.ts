import { ByteReader, ByteReaderError } from '#primitives/byte-reader.ts'
import { ByteWriter } from '#primitives/byte-writer.ts'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import { isNestedDeeperThan } from '#primitives/json-text.ts'
import { utf8, utf8Bytes } from '#primitives/utf8.ts'
import { keccak256, keccak256Hex } from '../crypto/keccak.ts'
import { byteText } from '../state/byte-text.ts'
import { CodeStore } from '../state/code-store.ts'
import type { Account } from '../state/state-reader.ts'
import type { NodeRef } from '../state/trie-node.ts'
import type { ExecutionGuard } from '../turns/guard.ts'
import type { FindNode } from './reveal.ts'

/** Something that a fork has fetched, as it is kept with the chain. Nodes may be used by any row. */
export type KeptRow =
  /** A code. It is kept as the codes are that the chain itself brings. */
  | { readonly kind: 'code'; readonly hash: Hash; readonly code: Uint8Array }
  /** An account and slots of it, with the nodes of their proofs that were new. */
  | {
      readonly kind: 'proof'
      readonly address: Address
      readonly slots: readonly Hash[]
      readonly nodes: readonly Uint8Array[]
    }
  /** The way to a key, in the trie of accounts or the storage of `address`, for the sake of its nodes. */
  | {
      readonly kind: 'path'
      readonly address: Address | undefined
      readonly preimage: Hex
      readonly nodes: readonly Uint8Array[]
    }
  /** Nodes of a proof that was refused further down. */
  | { readonly kind: 'nodes'; readonly nodes: readonly Uint8Array[] }
  /** What an endpoint without proofs has told of an account, if it was new, and of its slots. */
  | {
      readonly kind: 'told'
      readonly address: Address
      readonly account: Account | undefined
      readonly slots: readonly (readonly [slot: Hash, value: bigint])[]
    }
  /** The header of a block before the fork, as JSON: the parent of the one before. */
  | { readonly kind: 'header'; readonly json: string }
  /** What an endpoint has answered about the time before the fork: the call and the answer, as JSON. */
  | { readonly kind: 'answer'; readonly call: string; readonly json: string }

/** A row that is no code. */
type NumberedRow = Exclude<KeptRow, { readonly kind: 'code' }>

/** Numbers of the kinds in the bytes of a row. */
const KINDS = ['proof', 'path', 'nodes', 'told', 'header', 'answer'] as const satisfies readonly KeptRow['kind'][]
/** Most bytes of all rows, and of one: more than what a fork may fetch, and more than half of an answer of its endpoint. */
const MAX_BYTES = 192 << 20
const MAX_ROW_BYTES = 16 << 20
/** Most slots or nodes of one row: as many slots as a call may fetch. A row is checked in one go. */
const MAX_ITEMS = 20_000
const MAX_WORD = 2n ** 256n - 1n
const MAX_NONCE = 2n ** 64n - 1n

/** A row and the key under which it is kept. */
export type KeptEntry = readonly [key: string, value: Uint8Array]

/** Prefixes of the keys of rows and of codes, in the part `states` of a journal. */
const PREFIX = 'fork-'
const CODE = 'code-'

/** A code as it is kept. */
export function codeEntry(hash: Hash, code: Uint8Array): KeptEntry {
  return [`${CODE}${hash}`, code]
}

function keyOf(index: number): string {
  return `${PREFIX}${index.toString(16).padStart(8, '0')}`
}

/** The rows of a fork, oldest first. */
export class KeptRows {
  readonly #rows: NumberedRow[]
  #freshCodes: KeptEntry[] = []
  /** How many rows are written. */
  #taken: number
  /** Called when there is something new. */
  onAdded: () => void = () => {}

  /** @param written - Those of an earlier run. */
  constructor(written: readonly NumberedRow[] = []) {
    this.#rows = [...written]
    this.#taken = written.length
  }

  readonly add = (row: KeptRow): void => {
    if (row.kind === 'code') this.#freshCodes.push(codeEntry(row.hash, row.code))
    else this.#rows.push(row)
    this.onAdded()
  };

  /** All rows, without the codes. */
  *entries(): Generator<KeptEntry, void> {
    for (const [index, row] of this.#rows.entries()) yield [keyOf(index), encodeRow(row)]
  }

  /** The rows and codes since the last call. */
  takeFresh(): readonly KeptEntry[] {
    const from = this.#taken
    this.#taken = this.#rows.length
    const codes = this.#freshCodes
    this.#freshCodes = []
    return [...codes, ...this.#rows.slice(from).map((row, i): KeptEntry => [keyOf(from + i), encodeRow(row)])]
  }
}

/** What an earlier run has kept. */
export interface KeptFork {
  readonly rows: readonly NumberedRow[]
  readonly codes: CodeStore
  /** Finds a node of a row by its hash. */
  readonly find: FindNode
}

/**
 * Reads what a fork has kept.
 *
 * @param entries - In the order of their keys; those that are neither rows nor codes are left out.
 * @param guard - Looks at the clock after each.
 * @throws {ByteReaderError} If no node has written them.
 */
export async function readKept(entries: Iterable<KeptEntry>, guard: ExecutionGuard): Promise<KeptFork> {
  const rows: NumberedRow[] = []
  const codes = new CodeStore()
  const nodes = new Map<NodeRef, Uint8Array>()
  let bytes = 0
  for (const [key, value] of entries) {
    if (key.startsWith(CODE)) {
      const hash = keccak256Hex(value)
      if (key !== `${CODE}${hash}`) throw new ByteReaderError(`the stored code does not match its hash ${hash}`)
      codes.add(hash, value)
    }
    if (!key.startsWith(PREFIX)) continue
    if (key !== keyOf(rows.length)) throw new ByteReaderError('a row of what the fork has fetched is missing')
    const row = decodeRow(value)
    rows.push(row)
    bytes += value.length
    if (bytes > MAX_BYTES) throw new ByteReaderError(`the fork has fetched more than ${MAX_BYTES >> 20} MiB`)
    if ('nodes' in row) for (const node of row.nodes) nodes.set(byteText(keccak256(node)), node)
    const pause = guard.checkpoint()
    if (pause) await pause
  }
  return { rows, codes, find: (hash) => nodes.get(hash) }
}

function encodeRow(row: NumberedRow): Uint8Array {
  const writer = new ByteWriter().uint(KINDS.indexOf(row.kind))
  const nodes = (list: readonly Uint8Array[]) => writer.list(list, (node) => writer.bytes(node))
  switch (row.kind) {
    case 'proof':
      writer.hex(row.address).list(row.slots, (slot) => writer.hex(slot))
      nodes(row.nodes)
      break
    case 'path':
      writer.list(row.address === undefined ? [] : [row.address], (address) => writer.hex(address))
      writer.hex(row.preimage)
      nodes(row.nodes)
      break
    case 'nodes':
      nodes(row.nodes)
      break
    case 'told':
      writer.hex(row.address)
      writer.list(row.account ? [row.account] : [], ({ nonce, balance, codeHash }) =>
        writer.bigint(nonce).bigint(balance).hex(codeHash),
      )
      writer.list(row.slots, ([slot, value]) => writer.hex(slot).bigint(value))
      break
    case 'header':
      writer.bytes(utf8Bytes(row.json))
      break
    case 'answer':
      writer.bytes(utf8Bytes(row.call)).bytes(utf8Bytes(row.json))
      break
    default:
      return row satisfies never
  }
  return writer.finish()
}

function decodeRow(bytes: Uint8Array): NumberedRow {
  if (bytes.length > MAX_ROW_BYTES) throw new ByteReaderError(`a row has more than ${MAX_ROW_BYTES >> 20} MiB`)
  const reader = new ByteReader(bytes)
  const row = readRow(reader)
  reader.finish()
  return row
}

function readRow(reader: ByteReader): NumberedRow {
  const kind = KINDS[reader.uint()]
  const list = <Item>(read: () => Item): Item[] => {
    let count = 0
    return reader.list(() => {
      // Items may take next to no bytes, but memory.
      if (++count > MAX_ITEMS) throw new ByteReaderError(`a row has more than ${MAX_ITEMS} slots or nodes`)
      return read()
    })
  }
  const nodes = () => list(() => reader.bytes())
  const atMost = (most: bigint) => {
    const value = reader.bigint()
    if (value > most) throw new ByteReaderError('a value that the fork was told is too large')
    return value
  }
  switch (kind) {
    case 'proof':
      return {
        kind,
        address: reader.hex(20),
        slots: list(() => reader.hex(32)),
        nodes: nodes(),
      }
    case 'path': {
      const address = onlyOne(reader.list(() => reader.hex(20)))
      return { kind, address, preimage: reader.hex(address === undefined ? 20 : 32), nodes: nodes() }
    }
    case 'nodes':
      return { kind, nodes: nodes() }
    case 'told':
      return {
        kind,
        address: reader.hex(20),
        account: onlyOne(
          reader.list(() => ({ nonce: atMost(MAX_NONCE), balance: atMost(MAX_WORD), codeHash: reader.hex(32) })),
        ),
        slots: list(() => [reader.hex(32), atMost(MAX_WORD)] as const),
      }
    case 'header': {
      const json = utf8.decode(reader.bytes())
      if (isNestedDeeperThan(json, 1)) throw new ByteReaderError('a header before the fork is none')
      return { kind, json }
    }
    case 'answer':
      return { kind, call: utf8.decode(reader.bytes()), json: utf8.decode(reader.bytes()) }
    case undefined:
      throw new ByteReaderError('a row of what the fork has fetched is of an unknown kind')
    default:
      return kind satisfies never
  }
}

function onlyOne<Item>(list: readonly Item[]): Item | undefined {
  if (list.length > 1) throw new ByteReaderError('a row of what the fork has fetched has two of what it has once')
  return list[0]
}
