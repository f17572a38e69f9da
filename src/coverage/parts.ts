import { constants, mkdtempSync } from 'node:fs'
import { open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { CodeCounts, ExecutionCounts, GasCounts } from '#node/evm/coverage/execution-counts.ts'
import type { Hex } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import { isCount } from '#solidity/build/json.ts'
import type { TriedHistories } from './histories.ts'

/** The environment variable by which a reporter tells the processes of its tests where to leave what they have counted. */
export const PARTS_VARIABLE = 'BLINKNET_COVERAGE_PARTS'

/** Most parts, and the most bytes of one and of all together. */
const MAX_PARTS = 10_000
const MAX_PART_BYTES = 256 << 20
const MAX_BYTES = 1 << 30
const NAME = /^part-[\w-]{1,100}\.jsonl$/
const READ_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** What processes of tests have counted. */
export interface Part extends ExecutionCounts {
  readonly histories: readonly TriedHistories[]
}

/** A line of a process: what it has counted since the line before. It has each code once. */
export interface PartLine extends Omit<Part, 'codes'> {
  readonly codes: readonly (Omit<CodeCounts, 'code'> & { readonly code?: Hex })[]
}

/** Makes a folder for parts, and tells the processes that begin from now on. Not in the output: others clear that. */
export function beginParts(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'blinknet-coverage-'))
  process.env[PARTS_VARIABLE] = folder
  return folder
}

/** Reads all parts of a folder, and removes it. A part that is broken is a reason to fail: something would be missing. */
export async function takeParts(folder: string): Promise<Part> {
  if (process.env[PARTS_VARIABLE] === folder) delete process.env[PARTS_VARIABLE]
  try {
    const names = (await readdir(folder)).filter((name) => NAME.test(name)).toSorted()
    if (names.length > MAX_PARTS) throw new Error(`there are ${names.length} parts of coverage, more than ${MAX_PARTS}`)
    const lines: PartLine[] = []
    let left = MAX_BYTES
    for (const name of names) {
      const text = await readBounded(path.join(folder, name), Math.min(left, MAX_PART_BYTES))
      left -= text.length
      // A process that was killed may have left half a line.
      for (const line of text.split('\n').slice(0, -1)) lines.push(readLine(line))
    }
    return joinLines(lines)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readBounded(name: string, most: number): Promise<string> {
  const file = await open(name, READ_ONLY)
  try {
    const stats = await file.stat()
    if (!stats.isFile() || stats.size > most)
      throw new Error(`a part of coverage is no file, or has more than ${most} bytes`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/** @throws {Error} If it is not a line of a part. */
export function readLine(text: string): PartLine {
  const value: unknown = JSON.parse(text)
  if (!isObject(value) || !Array.isArray(value['codes']) || !Array.isArray(value['gas'])) throw notPart()
  const { codes, gas, leftOut, histories } = value
  return {
    codes: codes.map(checkedCode),
    gas: gas.map(checkedGas),
    leftOut: isCount(leftOut) ? leftOut : 0,
    histories: Array.isArray(histories) ? histories.map(checkedHistories) : [],
  }
}

function notPart(): Error {
  return new Error('a part of coverage is not as Blinknet writes it: are all of the same version?')
}

function checkedCode(value: unknown): PartLine['codes'][number] {
  if (!isObject(value)) throw notPart()
  const { hash, code, isCreation, kept, undone, passed } = value
  if (!isHexData(hash) || typeof isCreation !== 'boolean' || (code !== undefined && !isHexData(code))) throw notPart()
  return {
    hash,
    ...(code !== undefined && { code }),
    isCreation,
    kept: pairs(kept),
    undone: pairs(undone),
    passed: pairs(passed),
  }
}

function checkedGas(value: unknown): GasCounts {
  if (!isObject(value)) throw notPart()
  const { code, isCreation, implementation, selector, isFailed, history, amounts } = value
  if (!isHexData(code) || !isHexData(selector) || (implementation !== null && !isHexData(implementation)))
    throw notPart()
  if (typeof isCreation !== 'boolean' || typeof isFailed !== 'boolean' || typeof history !== 'string') throw notPart()
  return { code, isCreation, implementation, selector, isFailed, history, amounts: pairs(amounts) }
}

function checkedHistories(value: unknown): TriedHistories {
  if (!isObject(value) || typeof value['test'] !== 'string' || !isCount(value['tried'])) throw notPart()
  const failed = Array.isArray(value['failed']) ? value['failed'].filter((each) => typeof each === 'string') : []
  return { test: value['test'], tried: value['tried'], failed }
}

function isHexData(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x(?:[\da-f]{2})*$/.test(value)
}

function pairs(value: unknown): readonly number[] {
  if (!Array.isArray(value) || value.length % 2 !== 0 || !value.every(isCount)) throw notPart()
  return value
}

/** @throws {Error} If a code is in no line. */
export function joinLines(lines: readonly PartLine[]): Part {
  const bytes = new Map(
    lines.flatMap(({ codes }) => codes.flatMap(({ hash, code }) => (code ? [[hash, code] as const] : []))),
  )
  return {
    codes: lines.flatMap(({ codes }) =>
      codes.map((counts) => {
        const code = bytes.get(counts.hash)
        if (code === undefined) throw notPart()
        return { ...counts, code }
      }),
    ),
    gas: lines.flatMap(({ gas }) => gas),
    leftOut: lines.reduce((sum, { leftOut }) => sum + leftOut, 0),
    histories: lines.flatMap(({ histories }) => histories),
  }
}
