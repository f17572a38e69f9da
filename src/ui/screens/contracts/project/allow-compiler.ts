import type { Diagnostic, Files } from '#compiler/messages.ts'

/** solc's number for “Source file requires different compiler version”. */
const OTHER_VERSION = '5333'

/**
 * The files whose pragmas refuse the compiler though they are for its minor version, with pragmas that allow it, too. Sources
 * for older minor versions would not compile all the same.
 *
 * @param diagnostics - Of these files, unchanged since.
 * @param version - Of the compiler, such as `0.8.37`.
 */
export function allowCompiler(files: Files, diagnostics: readonly Diagnostic[], version: string): Files {
  const minor = version.slice(0, version.lastIndexOf('.') + 1)
  const changed = diagnostics.flatMap(({ code, place }) => {
    const text = place && Object.hasOwn(files, place.file) ? files[place.file] : undefined
    if (code !== OTHER_VERSION || !place || text === undefined) return []
    const pragma = text.slice(place.from, place.to)
    if (!/^pragma\s+solidity\b[^;]*;$/.test(pragma) || !pragma.includes(minor)) return []
    const allowing = `${pragma.slice(0, -1)} || ${version};`
    return [[place.file, text.slice(0, place.from) + allowing + text.slice(place.to)] as const]
  })
  return Object.fromEntries(changed)
}
