import type { CompilerSettings } from '#compiler/messages.ts'
import { formatCount } from '#ui/format/numbers.ts'

/** A project's compiler options in a few words. */
export function settingsWords({ optimizer, runs, evmVersion, viaIR, metadata, withTests }: CompilerSettings): string {
  return [
    optimizer ? `optimizer for ${formatCount(runs, 'run')}` : 'no optimizer',
    `EVM version ${evmVersion}`,
    ...(viaIR ? ['via Yul'] : []),
    ...(metadata?.appendCBOR === false ? ['without metadata'] : []),
    ...(metadata?.bytecodeHash === undefined ? [] : [`metadata hash ${metadata.bytecodeHash}`]),
    ...(withTests === true ? ['with tests'] : []),
  ].join(', ')
}
