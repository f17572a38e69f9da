/** A wallet's name and icon for dapps (EIP-6963). */
export interface WalletInfo {
  /** UUID version 4, one for each page. */
  readonly uuid: string
  readonly name: string
  /** A data URI. Shown only in an `img`, where scripts inside it do not run. */
  readonly icon: string
  /** The wallet's permanent name on every page: a reversed domain. */
  readonly rdns: string
}

/** The minimum of a wallet's provider (EIP-1193). */
export interface Eip1193Provider {
  request(args: { readonly method: string; readonly params?: unknown }): Promise<unknown>
}

/** A wallet and its provider. */
export interface AnnouncedWallet<Provider extends Eip1193Provider = Eip1193Provider> {
  readonly info: WalletInfo
  readonly provider: Provider
}

/** The part of `window` used by wallets and dapps of one document. */
export type WalletWindow = Pick<Window, 'addEventListener' | 'removeEventListener' | 'dispatchEvent'>

const ANNOUNCE = 'eip6963:announceProvider'
const REQUEST = 'eip6963:requestProvider'

/** Blinknet's own `rdns`. */
export const BLINKNET_RDNS = 'dev.blinknet'

/** The logo in the page's header, on the background of its favicon. */
const ICON =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 96 96'><rect width='96' height='96' rx='20' fill='#0d1117'/>" +
  "<circle cx='48' cy='48' r='28' fill='none' stroke='#ffb224' stroke-width='8'/>" +
  "<path d='M48 20a28 28 0 0 1 0 56z' fill='#ffb224'/></svg>"

/** Blinknet as a wallet. @param random - 16 bytes, new for each page. */
export function blinknetInfo(random: Uint8Array): WalletInfo {
  const uuid = uuidOf(random)
  const icon = `data:image/svg+xml,${encodeURIComponent(ICON)}`
  return Object.freeze({ uuid, name: 'Blinknet', icon, rdns: BLINKNET_RDNS })
}

/** A UUID of version 4. `crypto.randomUUID` is missing on plain addresses of the local network. */
function uuidOf(random: Uint8Array): string {
  const hex = Array.from(random, (byte, i) => {
    const marked = i === 6 ? (byte & 0x0f) | 0x40 : i === 8 ? (byte & 0x3f) | 0x80 : byte
    return marked.toString(16).padStart(2, '0')
  }).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/**
 * Announces a wallet to the dapps of a document, at once and whenever one asks. Other wallets are not affected.
 *
 * @returns Stops the announcements.
 * @see {@link https://eips.ethereum.org/EIPS/eip-6963 | EIP-6963}
 */
export function announceWallet(target: WalletWindow, wallet: AnnouncedWallet): () => void {
  const detail = Object.freeze({ ...wallet })
  const announce = () => target.dispatchEvent(new CustomEvent(ANNOUNCE, { detail }))
  target.addEventListener(REQUEST, announce)
  announce()
  return () => target.removeEventListener(REQUEST, announce)
}
