import { loadPrecompiles } from '#node/evm/precompiles/precompiles.ts'
import { createNode, type Node, type NodeDeps } from '#node/node.ts'
import { JournalError } from '#node/storage/journal.ts'
import { createSystemClock } from '#primitives/system-clock.ts'
import { gatherPort } from '#transport/port/gather-port.ts'
import { serveHost } from '#transport/port/serve-host.ts'
import { ChainMember } from './chain/chain-member.ts'
import { failureOf, runNode } from './chain/run-node.ts'
import { MAX_RECOVERY_WORKERS, startRecoveryWorker } from './chain/start-recovery-worker.ts'
import { blockMemoryOf } from './journal/block-memory.ts'
import { deleteIdbJournal, openIdbJournal } from './journal/idb-journal.ts'
import { salvageChain } from './journal/salvage-chain.ts'

// The dedicated module worker in which the chain runs, or which forwards calls to the tab that runs it. The page starts
// it by its URL. All imports of this module have been evaluated when `serveHost` says `ready`, so no message of the
// page is lost to a top-level await.
/**
 * How long after a node's start to load what it may need later, in milliseconds. By then the page has drawn its first
 * screen.
 */
const LOAD_LATER_MS = 3_000

const clock = createSystemClock(self)
const log: NodeDeps['log'] = (level, message, details) =>
  console[level](`[blinknet] ${message}`, ...(details === undefined ? [] : [details]))
const helpers = { most: MAX_RECOVERY_WORKERS, start: startRecoveryWorker }
let member: ChainMember | undefined

const boot: Parameters<typeof serveHost>[1] = async (options, { chainName, unasked, film, fork, tell }) => {
  if (film) return openFilm(film)
  const create = fork ? (await import('./fork/open-fork.ts')).forkOf(fork) : createNode
  // Without https there are no locks, so nothing can be shared.
  if (chainName === undefined || !('locks' in navigator)) {
    const node = await create(options, { clock, log, helpers })
    node.start()
    loadLater()
    if (chainName === undefined) return node
    const reason = 'a chain is kept and shared between tabs only over https or on localhost'
    tell({ kind: 'leads', epoch: 1, storage: { kind: 'memory', reason } })
    return node
  }
  member = new ChainMember({
    chainName,
    tell,
    clock,
    locks: navigator.locks,
    open: (name) => new BroadcastChannel(name),
    random: Math.random,
    newName: () => crypto.randomUUID(),
    start({ wasStored, asked, onTakenOver }) {
      loadLater()
      return runNode(options, {
        clock,
        log,
        helpers,
        wasStored,
        create,
        unasked: unasked && !asked,
        onTakenOver,
        // Under a fork's name there is no other chain.
        ...(!fork && { onReplaced: () => member?.replaced() }),
        openJournal: () => openIdbJournal(chainName, clock),
        memoryBytes: blockMemoryOf(navigator),
      })
    },
    isTakenOver,
    onFailure: fail,
  })
  return member
}

const host = serveHost(gatherPort(self), boot, {
  failureOf,
  store: {
    salvage: (chain) => salvageChain(chain, clock),
    rescue: async (chain) => (await import('./journal/rescue-stored.ts')).rescueStored(chain, clock),
    erase: (chain) => deleteIdbJournal(chain, clock),
    identify: async (chains) => (await import('./journal/identify-stored.ts')).identifyStored(chains, clock),
  },
})

/**
 * Opens a chain file as a film, in memory. It is checked as an import is.
 *
 * @throws {ChainFileError | JournalError | InvalidOptionError | ExecutionTimeoutError} If no node can run its chain.
 */
async function openFilm(file: Uint8Array): Promise<Node> {
  const { journalOfFile, OPEN_LIMIT_MS } = await import('#node/persistence/journal-of-file.ts')
  const { journal } = await journalOfFile(file, clock)
  return createNode({}, { clock, log, journal, film: true, onChecked: () => {}, openLimitMs: OPEN_LIMIT_MS })
}

/** If loading fails now, the first call that needs it tries again. */
function loadLater(): void {
  clock.schedule(() => void loadPrecompiles().catch(() => {}), LOAD_LATER_MS)
}

function isTakenOver(error: unknown): boolean {
  return error instanceof JournalError && error.code === 'taken-over'
}

function fail(error: unknown): void {
  // Possibly a refused write that nobody waited for.
  if (member && isTakenOver(error)) return member.takenOver()
  member?.abandon()
  host.fail(error)
}

self.addEventListener('error', (event) => fail(event.error ?? event.message))
self.addEventListener('unhandledrejection', (event) => fail(event.reason))
