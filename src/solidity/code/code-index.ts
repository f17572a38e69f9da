import type { Build, BuildContract, ByteRange, Code } from '#solidity/build/build.ts'
import { beginsAt, metadataRanges, trailerLength } from './metadata.ts'

/** A known contract that some code belongs to. */
export interface RecognisedCode {
  readonly build: Build
  readonly contract: BuildContract
  readonly code: Code
  /** Whether it is initcode. Constructor arguments then begin at `code.bytes.length`. */
  readonly isCreation: boolean
  /** Whether the metadata matches as well: then the sources do, to the last comment. */
  readonly isExact: boolean
}

/** Contracts by their code. */
export interface CodeIndex {
  /** If several builds have the same code: one with the same metadata, or else the last one. */
  readonly deployed: (code: Uint8Array) => RecognisedCode | undefined
  /** @param initcode - With or without constructor arguments. */
  readonly creation: (initcode: Uint8Array) => RecognisedCode | undefined
}

interface Candidate {
  readonly build: Build
  readonly contract: BuildContract
  readonly code: Code
  /** Metadata in `code.bytes`, found at the first comparison. */
  metadata: readonly ByteRange[] | undefined
}

/** Indexes the code of builds. Code matches whatever metadata, immutable variables and library addresses it has. */
export function createCodeIndex(builds: readonly Build[]): CodeIndex {
  /** By length without the metadata at the end, which may differ. */
  const deployed = new Map<number, Candidate[]>()
  /** By length; arguments of any length follow initcode. */
  const creation = new Map<number, Candidate[]>()
  for (const build of builds.toReversed()) {
    for (const contract of build.contracts) {
      if (contract.deployed) {
        add(deployed, bodyLength(contract.deployed.bytes), {
          build,
          contract,
          code: contract.deployed,
          metadata: undefined,
        })
      }
      if (contract.creation) {
        add(creation, contract.creation.bytes.length, { build, contract, code: contract.creation, metadata: undefined })
      }
    }
  }
  const lengths = [...creation.keys()].toSorted((a, b) => b - a)
  return {
    deployed(code) {
      const length = bodyLength(code)
      return best(deployed.get(length) ?? [], code, length, false)
    },
    creation(initcode) {
      for (const length of lengths) {
        if (length > initcode.length) continue
        const found = best(creation.get(length) ?? [], initcode, length, true)
        if (found) return found
      }
      return undefined
    },
  }
}

function add(map: Map<number, Candidate[]>, length: number, candidate: Candidate): void {
  const others = map.get(length)
  if (others) others.push(candidate)
  else map.set(length, [candidate])
}

/** Length without the metadata and the INVALID (0xfe) before it. */
function bodyLength(bytes: Uint8Array): number {
  const trailer = trailerLength(bytes)
  const body = bytes.length - trailer
  return trailer > 0 && bytes[body - 1] === 0xfe ? body - 1 : body
}

function best(
  candidates: readonly Candidate[],
  bytes: Uint8Array,
  length: number,
  isCreation: boolean,
): RecognisedCode | undefined {
  let found: RecognisedCode | undefined
  for (const candidate of candidates) {
    if (!matches(candidate, bytes, length)) continue
    const { build, contract, code } = candidate
    const metadata = (candidate.metadata ??= metadataRanges(code.bytes))
    const isExact =
      (isCreation || bytes.length === code.bytes.length) && metadata.every((range) => sameIn(range, code.bytes, bytes))
    if (isExact) return { build, contract, code, isCreation, isExact }
    found ??= { build, contract, code, isCreation, isExact }
  }
  return found
}

/** Whether the first `length` bytes are the candidate's, apart from what may differ. */
function matches(candidate: Candidate, bytes: Uint8Array, length: number): boolean {
  const { code } = candidate
  const known = code.bytes
  if (length === 0) return false
  let at = firstDifference(known, bytes, 0, length)
  if (at === length) return true
  // Look up what may differ only once something does: most candidates differ within the first bytes.
  for (const range of mayDiffer(candidate)) {
    if (at < range.start) return false
    // A build may claim that all of its code is metadata.
    if (range.isMetadata && !beginsAt(bytes, range.start)) continue
    if (at < range.start + range.length) at = firstDifference(known, bytes, range.start + range.length, length)
    if (at >= length) return true
  }
  return false
}

interface Differing extends ByteRange {
  readonly isMetadata: boolean
}

const RANGES = new WeakMap<Code, readonly Differing[]>()

function mayDiffer(candidate: Candidate): readonly Differing[] {
  const { code } = candidate
  const known = RANGES.get(code)
  if (known) return known
  const metadata = (candidate.metadata ??= metadataRanges(code.bytes))
  const operands = [...code.links, ...code.immutables].filter((range) => isOperand(code.bytes, range))
  const ranges = [
    ...metadata.map((range) => ({ ...range, isMetadata: true })),
    ...[...operands, ...libraryAddress(code)].map((range) => ({ ...range, isMetadata: false })),
  ]
  const sorted = ranges.toSorted((a, b) => a.start - b.start)
  RANGES.set(code, sorted)
  return sorted
}

/** Library addresses are pushed by PUSH20, immutables by PUSH32. A build that could claim more would match any code. */
function isOperand(bytes: Uint8Array, { start, length }: ByteRange): boolean {
  return (length === 20 || length === 32) && bytes[start - 1] === PUSH0 + length
}

const PUSH0 = 0x5f

/** A library's code begins with its own address, inserted at creation. */
function libraryAddress({ bytes }: Code): ByteRange[] {
  const push20 = 0x73
  const isLibrary = bytes[0] === push20 && bytes.subarray(1, 21).every((byte) => byte === 0)
  return isLibrary ? [{ start: 1, length: 20 }] : []
}

function firstDifference(a: Uint8Array, b: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && a[at] === b[at]) at++
  return at
}

function sameIn({ start, length }: ByteRange, a: Uint8Array, b: Uint8Array): boolean {
  return firstDifference(a, b, start, start + length) === start + length
}
