import { describe } from 'vitest'
import { type FoundryTool, foundryBinary } from './foundry.ts'

/**
 * A describe block that needs one of Foundry's programs. It is skipped, with a note, on platforms that npm has no
 * binary for.
 */
export function describeWith(tool: FoundryTool, name: string, tests: (binary: string) => void): void {
  const binary = foundryBinary(tool)
  if (binary === undefined) {
    const title = `${name}: SKIPPED, npm has no binary of ${tool} for this platform`
    process.stderr.write(`${title}\n`)
    describe.skip(title, () => tests(''))
  } else describe(name, () => tests(binary))
}
