import type { Abi } from 'viem'
import type { CompiledContract, CompileOutput, CompileRequest, Diagnostic } from './messages.ts'
import { utf16Offsets } from './utf16-offsets.ts'

/** Name of the only source that solc gets. */
const FILE = 'Contract.sol'

/** @see {@link https://docs.soliditylang.org/en/latest/using-the-compiler.html#compiler-api | Compiler input and output} */
interface StandardOutput {
  readonly errors?: readonly {
    readonly severity: Diagnostic['severity']
    readonly message: string
    readonly errorCode?: string
    /** Offsets in bytes of UTF-8; negative where there is no place. */
    readonly sourceLocation?: { readonly file: string; readonly start: number; readonly end: number }
  }[]
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, StandardContract>>>>
}

interface StandardContract {
  readonly abi: Abi
  readonly evm: {
    readonly bytecode: { readonly object: string; readonly linkReferences: Readonly<Record<string, unknown>> }
    readonly deployedBytecode: { readonly object: string }
  }
}

/** The compiler's input. */
export function toStandardJson({ source, settings }: CompileRequest): string {
  return JSON.stringify({
    language: 'Solidity',
    sources: { [FILE]: { content: source } },
    settings: {
      optimizer: { enabled: settings.optimizer, runs: settings.runs },
      evmVersion: settings.evmVersion,
      outputSelection: {
        '*': {
          '*': ['abi', 'evm.bytecode.object', 'evm.bytecode.linkReferences', 'evm.deployedBytecode.object'],
        },
      },
    },
  })
}

/** Reads the compiler's output. @param source - The source that was compiled; positions refer to it. */
export function readStandardJson(json: string, source: string): CompileOutput {
  const { errors = [], contracts = {} } = JSON.parse(json) as StandardOutput
  const toUtf16 = utf16Offsets(source)
  const diagnostics = errors.map(({ severity, message, errorCode, sourceLocation }): Diagnostic => {
    const placed = sourceLocation?.file === FILE && sourceLocation.start >= 0
    return {
      severity,
      message,
      code: errorCode,
      range: placed ? { from: toUtf16(sourceLocation.start), to: toUtf16(sourceLocation.end) } : undefined,
    }
  })
  const failed = diagnostics.some(({ severity }) => severity === 'error')
  return {
    diagnostics: diagnostics.toSorted(byWeight),
    contracts: failed ? [] : inOrderOf(source, Object.entries(contracts[FILE] ?? {}).map(readContract)),
  }
}

const WEIGHTS: Readonly<Record<Diagnostic['severity'], number>> = { error: 0, warning: 1, info: 2 }

function byWeight(a: Diagnostic, b: Diagnostic): number {
  return WEIGHTS[a.severity] - WEIGHTS[b.severity] || (a.range?.from ?? 0) - (b.range?.from ?? 0)
}

function readContract([name, { abi, evm }]: [string, StandardContract]): CompiledContract {
  const { object, linkReferences } = evm.bytecode
  const obstacle = object === '' ? 'abstract' : Object.keys(linkReferences).length > 0 ? 'unlinked' : undefined
  return {
    name,
    abi,
    obstacle,
    bytecode: obstacle ? undefined : `0x${object}`,
    codeBytes: evm.deployedBytecode.object.length / 2,
  }
}

/** In the order of the source; solc sorts them by name. */
function inOrderOf(source: string, contracts: readonly CompiledContract[]): readonly CompiledContract[] {
  const place = ({ name }: CompiledContract) =>
    source.search(new RegExp(`\\b(contract|interface|library)\\s+${name.replaceAll('$', '\\$')}(?![\\w$])`))
  return contracts.toSorted((a, b) => place(a) - place(b))
}
