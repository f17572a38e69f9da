import { hexToBytes } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import { BuildError, optionalText } from '#solidity/build/json.ts'
import { readStandardJson } from '#solidity/build/read-standard-json.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import type { Verification, VerifyRequest } from './messages.ts'
import { type Solc, versionOf } from './soljson.ts'

/**
 * Compiles a kept build's input once more, as it is, and compares a contract's code with that of the chain. Values of
 * immutable variables and addresses of libraries, which the compiler does not know, may differ.
 *
 * @param onRead - Called before the compiler runs.
 */
export function recompile(
  solc: Pick<Solc, 'version' | 'compile'>,
  { texts, path, name, code }: VerifyRequest,
  onRead: () => void = () => {},
): Verification {
  const here = versionOf(solc)
  try {
    const [compiler, input] = JSON.parse(new TextDecoder().decode(texts)) as [string, string, string]
    if (compiler !== here) return { outcome: 'other compiler', compiler, here }
    onRead()
    const output: unknown = JSON.parse(solc.compile(input))
    const build = readStandardJson({ input: JSON.parse(input), output, compiler })
    const contracts = build.contracts.filter((contract) => contract.path === path && contract.name === name)
    if (contracts.length === 0)
      return { outcome: 'unreadable', reason: firstError(output) ?? 'it has no such contract' }
    const found = createCodeIndex([{ ...build, contracts }]).deployed(hexToBytes(code))
    if (!found) return { outcome: 'different', compiler }
    return { outcome: found.isExact ? 'same' : 'same but metadata', compiler }
  } catch (error) {
    if (error instanceof BuildError || error instanceof SyntaxError)
      return { outcome: 'unreadable', reason: error.message }
    throw error
  }
}

/** What the compiler says first, if it refuses the input. */
function firstError(output: unknown): string | undefined {
  const errors = isObject(output) && Array.isArray(output['errors']) ? output['errors'].filter(isObject) : []
  return optionalText(errors.find(({ severity }) => severity === 'error')?.['message'])
}
