import type { Files } from './messages.ts'

/** A package of Solidity sources that comes with the page. */
export interface SolidityPackage {
  readonly name: string
  readonly version: string
  /** Where it stands in paths besides its own name: in Foundry's `lib/`, for example. */
  readonly folder: string
}

/** A source of a package. */
export interface PackagedSource {
  readonly name: string
  /** Inside the package. */
  readonly path: string
}

/** Reads a package, from the network if it was never needed before. @throws {PackageError} */
export type ReadPackage = (name: string) => Promise<Files>

/** A package that could not be loaded. `message` says why. */
export class PackageError extends Error {
  override readonly name = 'PackageError'
}

/**
 * The package that a source's name belongs to: `@openzeppelin/contracts/utils/Math.sol`, or the same behind
 * `node_modules/`, or where Foundry has it: `lib/openzeppelin-contracts/contracts/utils/Math.sol`.
 */
export function packagedSource(source: string, packages: readonly SolidityPackage[]): PackagedSource | undefined {
  // The longest first: one name begins with the other.
  const byLength = packages.toSorted((a, b) => b.name.length - a.name.length)
  for (const { name, folder } of byLength) {
    for (const start of [name, folder]) {
      const at = `/${source}`.lastIndexOf(`/${start}/`)
      if (at >= 0) return { name, path: source.slice(at + start.length + 1) }
    }
  }
  return undefined
}

/**
 * What to import instead of a source that is not there.
 *
 * @param own - The project's files.
 * @param contents - The files of the packages that were read.
 */
export function adviceFor(
  source: string,
  own: readonly string[],
  packages: readonly SolidityPackage[],
  contents: ReadonlyMap<string, Files>,
): string {
  const versioned = withoutVersion(source, packages)
  if (versioned) return versioned
  const file = source.slice(source.lastIndexOf('/') + 1)
  const hasName = (path: string) => path === file || path.endsWith(`/${file}`)
  const found = packagedSource(source, packages)
  const version = packages.find(({ name }) => name === found?.name)?.version
  const inPackages = packages.flatMap(({ name }) =>
    Object.keys(contents.get(name) ?? {})
      .filter(hasName)
      .map((path) => `${name}/${path}`),
  )
  const near = [...own.filter((path) => path !== source && hasName(path)), ...inPackages].slice(0, 3)
  const missing = found ? `${found.name} ${version} has no such file. ` : 'The project has no such file. '
  if (near.length > 0) return `${missing}There is: ${near.join(', ')}.`
  if (found) return `${missing}Files may have moved since another version.`
  return `${missing}${available(packages)}`
}

/** Remix takes `@openzeppelin/contracts@5.4.0/…`, and OpenZeppelin's Wizard writes it; the page has one version of each. */
function withoutVersion(source: string, packages: readonly SolidityPackage[]): string | undefined {
  const asked = packages.find(({ name }) => source.startsWith(`${name}@`))
  const [, version, path] = /^@([^/]{1,40})\/(.+)$/s.exec(source.slice(asked?.name.length ?? 0)) ?? []
  if (!asked || path === undefined) return undefined
  return `Leave out @${version}: import ${asked.name}/${path}. The page has ${asked.name} ${asked.version}.`
}

function available(packages: readonly SolidityPackage[]): string {
  const names = packages.map(({ name, version }) => `${name} ${version}`)
  return `Besides the project’s own files, you can import from ${names.join(' and ')}, and hardhat/console.sol, forge-std/console.sol and forge-std/console2.sol.`
}
