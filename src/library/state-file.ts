import { createNode, type Node, type NodeDeps } from '#node/node.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { ForkCommand } from '#server/cli/fork-flags.ts'
import type { StartedFork } from '#server/fork/begin-fork.ts'
import { startFork } from '#server/fork/start-fork.ts'
import type { ForkReplay } from '#server/fork-file/replay.ts'
import { withFunds } from '#server/state/funded-state.ts'
import { loadChain } from '#server/state/load-chain.ts'
import { readStateFile, StateFileError, whyMissing } from '#server/state/read-state-file.ts'

/** A node that began with a file. It runs. */
interface OpenedStateFile {
  readonly node: Node
  readonly replay?: ForkReplay | undefined
  readonly close: () => Promise<void>
}

/** Where a chain that is a fork has more of the other chain. */
interface MoreOfFork {
  readonly endpoint: ForkCommand | undefined
  /** A fork file. */
  readonly file: string | undefined
}

/**
 * Starts a node with the chain of a file, or with the accounts of a state in JSON.
 *
 * @throws {StateFileError} If the file cannot be read, or no node can begin with it. The message names the file.
 */
export async function openStateFile(
  name: string,
  { endpoint, file }: MoreOfFork,
  options: NodeOptions,
  deps: Omit<NodeDeps, 'journal'>,
): Promise<OpenedStateFile> {
  try {
    const found = await readStateFile(name)
    if (!found) throw new StateFileError(await whyMissing(name))
    if (found.kind === 'chain') {
      const { node, close, started } = await loadChain(
        found.file,
        options,
        deps,
        async ({ fork }, whole): Promise<(StartedFork & { readonly replay?: ForkReplay | undefined }) | undefined> => {
          if (file === undefined) return startFork(endpoint, fork, options, whole)
          const { reopenFromFile } = await import('#server/fork-file/replay.ts')
          return reopenFromFile(file, fork, options, whole)
        },
      )
      node.start()
      return { node, close, replay: started?.replay }
    }
    if (endpoint || file !== undefined)
      throw new StateFileError('a fork has its accounts from the other chain, not from JSON')
    return await withAccounts(found.state, options, deps)
  } catch (error) {
    if (!(error instanceof StateFileError)) throw error
    throw new StateFileError(`${name} cannot be loaded: ${error.message}`, { cause: error })
  }
}

async function withAccounts(state: object, options: NodeOptions, deps: NodeDeps): Promise<OpenedStateFile> {
  const node = await createNode(options, deps)
  node.start()
  const connection = node.connect()
  const body = { jsonrpc: '2.0', id: 1, method: 'anvil_loadState', params: [withFunds(state, options.fundAccounts)] }
  const answer = await connection.handle(JSON.stringify(body))
  connection.close()
  const { error } = JSON.parse(answer ?? '{}') as { readonly error?: { readonly message: string } }
  if (!error) return { node, close: () => node.close() }
  await node.close()
  throw new StateFileError(error.message)
}
