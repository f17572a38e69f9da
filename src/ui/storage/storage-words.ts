import type { ConnectionState } from '#client/session/connection-state.ts'

/** When a chain in memory ends, after its name or “it”: other tabs only follow the one that runs it. */
export const MEMORY_ENDS = 'ends when the tab that runs it is closed or reloaded'

/**
 * Why the chain is in memory only, as a sentence.
 *
 * @param chain - Its name, if it was to be stored.
 */
export function memoryReason(connection: ConnectionState, chain: string | undefined): string {
  if (chain === undefined) return 'The page’s address contains storage=off.'
  const role = connection.status === 'ready' ? connection.role : undefined
  if (!role || role.kind === 'waits' || role.storage.kind !== 'memory') return ''
  const { reason } = role.storage
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${reason.endsWith('.') ? '' : '.'}`
}

/** Whether a chain that should be stored is not. */
export function isUnstored(connection: ConnectionState): boolean {
  const role = connection.status === 'ready' ? connection.role : undefined
  return role !== undefined && role.kind !== 'waits' && role.storage.kind === 'memory'
}

/** Whether the only reason is that the page's address, not a person, chose its options. */
export function isUnasked(connection: ConnectionState): boolean {
  const role = connection.status === 'ready' ? connection.role : undefined
  return role !== undefined && role.kind !== 'waits' && role.storage.kind === 'memory' && role.storage.unasked === true
}

/** What the browser said when it deleted its damaged storage before this chain began. */
export function deletedStorage(connection: ConnectionState): string | undefined {
  const role = connection.status === 'ready' ? connection.role : undefined
  return role && role.kind !== 'waits' && role.storage.kind === 'journal' ? role.storage.deleted : undefined
}
