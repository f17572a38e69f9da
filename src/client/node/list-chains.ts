import { sharedChainName } from '#transport/channel/channel-messages.ts'

/** Prefix of the databases of chains; the worker's journal has it, too. */
const PREFIX = 'blinknet/'

/** A database's name, as the browser lists it. */
interface Listed {
  readonly name?: string
}

/**
 * The chains that this page's address has in this browser, in alphabetical order, without forks; none where the browser
 * does not say.
 *
 * @param basePath - Path under which the page is served: a site may have several.
 * @param databases - Replaces the browser's list in tests.
 */
export async function listChains(
  basePath: string,
  databases: () => Promise<readonly Listed[]> = () => indexedDB.databases(),
): Promise<readonly string[]> {
  const prefix = PREFIX + sharedChainName(basePath, '')
  try {
    return (await databases())
      .flatMap(({ name = '' }) => (name.startsWith(prefix) ? name.slice(prefix.length) : []))
      .filter((chain) => !chain.startsWith('fork-'))
      .toSorted()
  } catch {
    // Storage is off in this browser, so there are none.
    return []
  }
}
