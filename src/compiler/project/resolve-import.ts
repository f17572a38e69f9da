/** A rule for paths of imports: those that start with `prefix` start with `target` instead. */
export interface Remapping {
  /** Only for sources whose name starts with this; empty for all. */
  readonly context: string
  readonly prefix: string
  readonly target: string
}

/** Foundry's file of remappings, in a project's root. */
export const REMAPPINGS_FILE = 'remappings.txt'

/** Remappings that are used; a project has a handful. */
const MAX_REMAPPINGS = 200

/**
 * Reads remappings, one a line: `@openzeppelin/=lib/openzeppelin-contracts/` or `context:prefix=target`. Other lines are
 * skipped, as Foundry does.
 */
export function parseRemappings(text: string): readonly Remapping[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  return lines.flatMap(parseRemapping).slice(0, MAX_REMAPPINGS)
}

function parseRemapping(line: string): Remapping[] {
  const equals = line.indexOf('=')
  if (equals <= 0 || line.startsWith('#')) return []
  const left = line.slice(0, equals)
  const colon = left.indexOf(':')
  const prefix = left.slice(colon + 1)
  if (prefix === '') return []
  return [{ context: left.slice(0, Math.max(0, colon)), prefix, target: line.slice(equals + 1) }]
}

/** As solc's settings have it. */
export function remappingText({ context, prefix, target }: Remapping): string {
  return `${context === '' ? '' : `${context}:`}${prefix}=${target}`
}

/**
 * The name of the source that an import means, by solc's rules: a path that starts with `./` or `../` is relative to the
 * importing source, and no number of `../` leads out of the root; then the remapping with the longest context and prefix
 * applies.
 *
 * @param path - As the import has it.
 * @param importer - Name of the importing source.
 * @see {@link https://docs.soliditylang.org/en/latest/path-resolution.html | Import path resolution}
 */
export function resolveImport(path: string, importer: string, remappings: readonly Remapping[]): string {
  return remap(/^\.\.?(\/|$)/.test(path) ? absolutePath(path, importer) : path, importer, remappings)
}

function absolutePath(path: string, importer: string): string {
  const segments = importer.split('/').slice(0, -1)
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '.' && segment !== '') segments.push(segment)
  }
  return segments.join('/')
}

function remap(path: string, importer: string, remappings: readonly Remapping[]): string {
  let best: Remapping | undefined
  for (const each of remappings) {
    if (!importer.startsWith(each.context) || !path.startsWith(each.prefix)) continue
    const isCloser =
      best === undefined ||
      each.context.length > best.context.length ||
      (each.context.length === best.context.length && each.prefix.length >= best.prefix.length)
    if (isCloser) best = each
  }
  return best ? best.target + path.slice(best.prefix.length) : path
}
