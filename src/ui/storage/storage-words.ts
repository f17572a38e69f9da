import type { ConnectionState } from '#client/session/connection-state.ts'

/** Why the chain is only in memory, as a sentence. @param chain - Its name, where it was to be stored. */
export function memoryReason(connection: ConnectionState, chain: string | undefined): string {
  if (chain === undefined) return 'The page’s address contains storage=off.'
  const seat = connection.status === 'ready' ? connection.seat : undefined
  if (!seat || seat.role === 'waits' || seat.storage.kind !== 'memory') return ''
  const { reason } = seat.storage
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${reason.endsWith('.') ? '' : '.'}`
}

/** Whether a chain that was to be stored is not. */
export function isUnstored(connection: ConnectionState): boolean {
  const seat = connection.status === 'ready' ? connection.seat : undefined
  return seat !== undefined && seat.role !== 'waits' && seat.storage.kind === 'memory'
}

/** Whether it is not only because the page's address, and no person, asked for its options. */
export function isUnasked(connection: ConnectionState): boolean {
  const seat = connection.status === 'ready' ? connection.seat : undefined
  return seat !== undefined && seat.role !== 'waits' && seat.storage.kind === 'memory' && seat.storage.unasked === true
}
