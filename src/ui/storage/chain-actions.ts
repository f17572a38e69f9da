import { gzip } from '#client/node/chain-file.ts'
import { eraseChain, rescueStoredChain, salvageChain } from '#client/node/stored-chain.ts'
import { createChainTools } from '#client/session/chain-tools.ts'
import { ProviderRpcError } from '#client/session/provider.ts'
import type { NodeSession } from '#client/session/session.ts'
import { toBase64 } from '#primitives/base64.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'
import { formatCount, formatInteger } from '#ui/format/numbers.ts'
import { download } from './download.ts'
import { formatBytes } from './format-bytes.ts'
import type { FoundFile } from './sniff-file.ts'

/** Actions on a whole chain. */
export type ChainAction =
  | { readonly kind: 'export' }
  | { readonly kind: 'import'; readonly found: FoundFile }
  | { readonly kind: 'start-fresh' }
  | { readonly kind: 'forget-snapshots' }

/**
 * Performs an action.
 *
 * @returns What was done, for people.
 * @throws {ProviderRpcError | ExplainedError} If it failed; nothing has changed.
 */
export function performChainAction(session: NodeSession, action: ChainAction): Promise<string> {
  switch (action.kind) {
    case 'export':
      return saveChain(session)
    case 'import':
      return importFile(session, action.found)
    case 'start-fresh':
      return startFresh(session)
    case 'forget-snapshots':
      return forgetSnapshots(session)
    default:
      return unknownAction(action)
  }
}

/**
 * Saves a copy of a stored chain without a running node.
 *
 * @throws {StoredChainError}
 */
export async function saveSalvaged(chain: string): Promise<string> {
  const packed = await gzip(await salvageChain(chain))
  const name = `blinknet-${chain}-salvaged.blinknet.gz`
  download(packed, name)
  return `Saved as ${name}, ${formatBytes(packed.size)}. Its content was not checked.`
}

/** What was rescued of a stored chain. */
export interface Rescued {
  /** For people. */
  readonly outcome: string
  /** How many blocks are missing. */
  readonly missing: number
  /** A line for each of them; of very many, for the first ones and the rest. */
  readonly missingLines: readonly string[]
}

/** How many missing blocks are named. */
const MOST_NAMED = 500

/**
 * Saves what can be proven of a damaged chain as a file that can be imported. The stored chain stays as it is.
 *
 * @throws {StoredChainError} If nothing can be proven.
 */
export async function saveRescued(chain: string): Promise<Rescued> {
  const { file, head, missing } = await rescueStoredChain(chain)
  const packed = await gzip(file)
  const name = `blinknet-${chain}-rescued-${head}.blinknet.gz`
  download(packed, name)
  const named = missing.slice(0, MOST_NAMED).map(({ number, hash, isWhole }) => {
    const which = `Block ${formatInteger(number)}${hash === undefined ? '' : ` (${hash})`}`
    return `${which}: ${isWhole ? 'intact, but the chain up to it is not' : 'lost'}`
  })
  const more = missing.length - named.length
  const proven = head === 0 ? 'Only block 0 is proven' : `Blocks 0 to ${formatInteger(head)} are proven`
  return {
    outcome: `${proven}. Saved as ${name}, ${formatBytes(packed.size)}: start fresh, then import it.`,
    missing: missing.length,
    missingLines: more > 0 ? [...named, `and ${formatInteger(more)} more`] : named,
  }
}

/**
 * Erases the stored chain and starts a new one.
 *
 * @throws {StoredChainError}
 */
export async function eraseAndRestart(session: NodeSession, chain: string): Promise<void> {
  await eraseChain(chain)
  // The person was told which options the new chain will have.
  if (session.keepAsked) session.keepAsked()
  else session.restart()
}

async function saveChain({ provider, chain }: NodeSession): Promise<string> {
  const head = Number(await provider.request({ method: 'eth_blockNumber' }))
  const packed = await gzip(await createChainTools(provider).exportChain())
  const name = `blinknet-${chain ?? 'memory'}-${head}.blinknet.gz`
  download(packed, name)
  return `Exported up to block ${formatInteger(head)} as ${name}, ${formatBytes(packed.size)}. It does not include snapshots.`
}

async function importFile(session: NodeSession, found: FoundFile): Promise<string> {
  const { provider } = session
  switch (found.kind) {
    case 'chain': {
      await requireStored(session, 'A whole chain can only be imported into a stored chain.')
      await replace(provider.request({ method: 'devnet_importChain', params: [toBase64(found.file)] }))
      const head = Number(await provider.request({ method: 'eth_blockNumber' }))
      return `Imported. The chain is now at block ${formatInteger(head)}.`
    }
    case 'state':
      await provider.request({ method: 'devnet_importState', params: [found.state] })
      return `Imported ${accountsOf(found.state)}. All other accounts are gone.`
    case 'anvil-state':
      await provider.request({ method: 'anvil_loadState', params: [found.state] })
      return `Imported ${accountsOf(found.state)} from anvil’s dump. Other accounts are unchanged.`
    case 'genesis': {
      const { genesis, chainId } = found
      // The options in the page's address win over the file, since a reload would apply them again.
      const options = { ...(chainId !== undefined && { chainId }), ...session.options(), genesis }
      if (session.chain === undefined) session.restart(options)
      else {
        await requireStored(
          session,
          'A genesis can only be imported into a stored chain, or into a chain that runs in this tab alone.',
        )
        await replace(provider.request({ method: 'devnet_startChain', params: [options] }))
      }
      await provider.request({ method: 'eth_blockNumber' })
      return `Started a new chain. Block 0 has ${formatCount(Object.keys(genesis).length, 'account')} from the file.`
    }
    default:
      return unknownAction(found)
  }
}

async function startFresh(session: NodeSession): Promise<string> {
  const { provider, chain } = session
  if (chain === undefined) session.restart(session.options())
  else if ((await provider.request({ method: 'devnet_getStorage' })).canImport) {
    await replace(provider.request({ method: 'devnet_startChain', params: [session.options()] }))
  } else await provider.request({ method: 'devnet_reset' })
  await provider.request({ method: 'eth_blockNumber' })
  return 'Started a new chain at block 0.'
}

async function forgetSnapshots({ provider }: NodeSession): Promise<string> {
  const forgotten = await provider.request({ method: 'devnet_forgetSnapshots' })
  return forgotten === 0 ? 'There were no snapshots.' : `Deleted ${formatCount(forgotten, 'snapshot')}.`
}

async function requireStored({ provider }: NodeSession, why: string): Promise<void> {
  const { canImport } = await provider.request({ method: 'devnet_getStorage' })
  if (canImport) return
  throw new ExplainedError('This chain is only in memory.', `${why} Nothing was changed.`)
}

/** The answer may be lost with the node that performed it, since another one replaces it. */
async function replace(answer: Promise<unknown>): Promise<void> {
  try {
    await answer
  } catch (error) {
    if (!(error instanceof ProviderRpcError) || error.code !== ERROR_CODES.disconnected) throw error
    throw new ExplainedError(
      'The node stopped before it answered.',
      'Another tab may have taken over the chain. Check the newest block to see which chain is running, then try again.',
      { cause: error },
    )
  }
}

function accountsOf({ accounts }: { readonly accounts: object }): string {
  return formatCount(Object.keys(accounts).length, 'account')
}

/** Does not compile while a kind is missing. */
function unknownAction(kind: never): never {
  throw new TypeError(`there is no action for ${JSON.stringify(kind)}`)
}
