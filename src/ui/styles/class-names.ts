/**
 * Joins class names of one CSS module; false ones are left out.
 *
 * @param styles - What the module's import gives.
 * @throws {RangeError} From the returned function, if the module has no class of that name.
 */
export function classNames(
  styles: Readonly<Record<string, string>>,
): (...names: readonly (string | false | undefined)[]) => string {
  return (...names) => {
    const joined: string[] = []
    for (const name of names) {
      if (!name) continue
      const hashed = styles[name]
      if (hashed === undefined) throw new RangeError(`no class ${name} in this CSS module`)
      joined.push(hashed)
    }
    return joined.join(' ')
  }
}
