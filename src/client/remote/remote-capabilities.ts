import { BUILT_IN_CAPABILITIES, type Capabilities, isGuest } from '#client/session/capabilities.ts'
import { type BlinknetProvider, unlessRefused } from '#client/session/provider.ts'
import { RemoteDisconnectedError } from '#client/session/remote-problem.ts'
import type { Address, Hex, Quantity } from '#primitives/hex.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { DevnetStatus } from '#rpc-types/methods/devnet.ts'
import type { RoomInfo } from '#rpc-types/methods/room.ts'

const NO_HASH: Hex = `0x${'0'.repeat(64)}`

/**
 * Finds out what an endpoint can do by trying it.
 *
 * @param canPush - Whether the connection can carry subscriptions.
 * @throws {ProviderRpcError} With code 4900 if the connection is lost meanwhile.
 * @throws {RemoteDisconnectedError} If this page is a guest's in a room, but cannot get the room's events.
 */
export async function askCapabilities(provider: BlinknetProvider, canPush: boolean): Promise<Capabilities> {
  const call = (method: string, params: readonly unknown[] = []) => unlessRefused(provider.request({ method, params }))
  const subscribes = async (...params: readonly unknown[]) => {
    const id = canPush ? await call('eth_subscribe', params) : undefined
    if (id === undefined) return false
    await call('eth_unsubscribe', [id])
    return true
  }
  // The answer was checked.
  const room = (await call('room_info')) as RoomInfo | undefined
  // Hundreds of phones come at once: they try out nothing that every room has.
  if (isGuest({ room })) {
    if (!canPush) throw new RemoteDisconnectedError({ code: 'guest-over-http' })
    return { ...BUILT_IN_CAPABILITIES, room, accounts: [] }
  }
  const [accounts, status, blinknet, base, pushes, diffs, blocks] = await Promise.all([
    call('eth_accounts'),
    call('devnet_status'),
    call('chain_transactionStatus', [NO_HASH]),
    call('base_transactionStatus', [NO_HASH]),
    subscribes('newHeads'),
    subscribes('newPartialBlocks', 'diff'),
    subscribes('newFlashblocks'),
  ])
  const devnet = status !== undefined
  const film = (status as Partial<DevnetStatus> | null | undefined)?.film === true
  return {
    preconfirms: devnet || diffs || blocks || blinknet !== undefined || base !== undefined,
    partialBlocks: diffs && devnet ? 'diffs' : blocks ? 'blocks' : 'none',
    pushes,
    devnet,
    film,
    room,
    accounts: film ? [] : developmentAccounts(accounts),
  }
}

/** The listed accounts with public keys, for which the page can sign; it cannot sign for any others. */
function developmentAccounts(listed: unknown): readonly Address[] {
  if (!Array.isArray(listed)) return []
  const own = new Set(listed.map((address) => String(address).toLowerCase()))
  return DEV_KEYS.map(({ address }) => address).filter((address) => own.has(address))
}

/**
 * An endpoint's chain id as a number.
 *
 * @throws {RangeError} If it is invalid.
 */
export function parseChainId(chainId: Quantity): number {
  const id = typeof chainId === 'string' && /^0x[\da-f]+$/i.test(chainId) ? Number(chainId) : Number.NaN
  if (Number.isSafeInteger(id)) return id
  throw new RangeError(`not a chain id: ${JSON.stringify(chainId)}`)
}
