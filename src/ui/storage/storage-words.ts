import type { ConnectionState } from '#client/session/connection-state.ts'

/** Why the chain is only in memory, as a sentence. @param chain - Its name, where it was to be stored. */
export function memoryReason(connection: ConnectionState, chain: string | undefined): string {
  if (chain === undefined) return 'The page’s address contains storage=off.'
  const role = connection.status === 'ready' ? connection.role : undefined
  if (!role || role.kind === 'waits' || role.storage.kind !== 'memory') return ''
  const { reason } = role.storage
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${reason.endsWith('.') ? '' : '.'}`
}

/** Whether a chain that was to be stored is not. */
export function isUnstored(connection: ConnectionState): boolean {
  const role = connection.status === 'ready' ? connection.role : undefined
  return role !== undefined && role.kind !== 'waits' && role.storage.kind === 'memory'
}

/** Whether it is not only because the page's address, and no person, asked for its options. */
export function isUnasked(connection: ConnectionState): boolean {
  const role = connection.status === 'ready' ? connection.role : undefined
  return role !== undefined && role.kind !== 'waits' && role.storage.kind === 'memory' && role.storage.unasked === true
}
