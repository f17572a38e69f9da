import { useQuery } from '@tanstack/react-query'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { RoomGuests, RoomMethods } from '#rpc-types/methods/room.ts'
import { useProvider } from '#ui/page/session.ts'

/**
 * Calls a method of the room, which the server answers and not the node.
 *
 * @throws {ProviderRpcError} If the room refuses, or the server is gone.
 */
export function callRoom<Name extends keyof RoomMethods>(
  provider: BlinknetProvider,
  method: Name,
  ...params: RoomMethods[Name]['params']
): Promise<RoomMethods[Name]['result']> {
  // The session has checked the answer's shape.
  return provider.request<string>({ method, params }) as Promise<RoomMethods[Name]['result']>
}

const POLL_MS = 1_000

/** Who is in the room, once a second; `undefined` until it has answered, or if none is open. */
export function useRoomGuests(isOpen: boolean): RoomGuests | undefined {
  const provider = useProvider()
  const { data } = useQuery({
    queryKey: ['room_guests'],
    queryFn: () => callRoom(provider, 'room_guests'),
    refetchInterval: POLL_MS,
    enabled: isOpen,
  })
  return data
}
