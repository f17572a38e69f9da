import { isLatestReading } from '#rpc-types/connection.ts'
import { type CallMessage, membersOf, PROTOCOL } from '#transport/port/messages.ts'
import type { ControlMessage, ToCaller, ToLeader } from './channel-messages.ts'

// Any script of the origin can open a chain's channels and post anything there. A message that is not ours is ignored,
// and must not end the worker that receives it.

type Fields = Readonly<Record<string, unknown>>

/** Whether this is a message of the shared channel. */
export function isControlMessage(data: unknown): data is ControlMessage {
  const { kind, leader, epoch, protocol, version, storage } = membersOf(data)
  const isLeadership = typeof leader === 'string' && Number.isSafeInteger(epoch)
  switch (kind) {
    case 'who':
      return true
    case 'starting':
      return isLeadership
    case 'leading':
      // This build does not know how another protocol describes its storage.
      if (!isLeadership || typeof protocol !== 'number' || typeof version !== 'string') return false
      return protocol !== PROTOCOL || isStorage(membersOf(storage))
    case 'left':
      return typeof leader === 'string'
    default:
      return false
  }
}

/** Whether this is a message from a caller to a leader. */
export function isToLeader(data: unknown): data is ToLeader {
  const { kind, caller, present, connection, pushed, latest, message } = membersOf(data)
  if (typeof caller !== 'string') return false
  if (kind === 'hello') return typeof present === 'boolean'
  if (kind === 'bye') return true
  if (latest !== undefined && !isLatestReading(latest)) return false
  return kind === 'call' && isNumber(connection) && typeof pushed === 'boolean' && isCallMessage(membersOf(message))
}

/** Whether this is a message from a leader to a caller. */
export function isToCaller(data: unknown): data is ToCaller {
  const { kind, leader, connection, message } = membersOf(data)
  if (typeof leader !== 'string') return false
  if (kind === 'welcome' || kind === 'over') return true
  return kind === 'answer' && isNumber(connection) && isAnswer(membersOf(message))
}

function isCallMessage(message: Fields): message is CallMessage & Fields {
  switch (message['kind']) {
    case 'rpc':
      return isNumber(message['id']) && typeof message['body'] === 'string'
    case 'read':
      return isNumber(message['characters'])
    default:
      return message['kind'] === 'close'
  }
}

/** A leader's message on a caller's connection. */
function isAnswer({ kind, id, body, message }: Fields): boolean {
  switch (kind) {
    case 'rpc':
      return isNumber(id) && (body === undefined || typeof body === 'string')
    case 'notification':
      return typeof body === 'string'
    default:
      return kind === 'failed' && typeof message === 'string'
  }
}

function isStorage({ kind, reason }: Fields): boolean {
  return kind === 'journal' || (kind === 'memory' && typeof reason === 'string')
}

function isNumber(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
