import { keccakOfText } from '#solidity/keccak.ts'
import { packTexts } from './pack-texts.ts'

/** The compiler's input and output for one compilation. */
export interface BuildTexts {
  /** The compiler's version: `0.8.37+commit.f401782d`. */
  readonly compiler: string
  /** Standard JSON input, with every source. */
  readonly input: string
  /** Standard JSON output, with ASTs, source maps, storage layouts and metadata. */
  readonly output: string
}

/** A build as the page stores it. */
export interface PackedBuild {
  /** One id for one compiler and input. */
  readonly id: string
  /** The compiler's version. */
  readonly compiler: string
  /** Size of the unpacked texts, in bytes. */
  readonly textBytes: number
  /** A gzip file with a JSON list: the compiler's version, the input and the output. */
  readonly texts: ArrayBuffer
}

/** Packs a build, so that the page can store its several megabytes of text without parsing them. */
export async function packBuild(build: BuildTexts): Promise<PackedBuild> {
  const { compiler, input } = build
  return { id: keccakOfText(`${compiler}\n${input}`), ...(await packTexts(build)) }
}
