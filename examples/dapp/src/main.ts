import {
  createPublicClient,
  createWalletClient,
  custom,
  type EIP1193Provider,
  type Hash,
  http,
  parseEther,
  UserRejectedRequestError,
  type WalletClient,
} from 'viem'
import { foundry } from 'viem/chains'

/** The shop's account. */
const SHOP = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const PRICE = parseEther('0.01')
/** A receipt that is there before its block: the transaction is pre-confirmed. */
const NO_BLOCK = `0x${'0'.repeat(64)}`

/** How often the shop asks how far a payment is, in milliseconds. */
const POLL_MS = 50
/** How often in a row nobody may know a payment before the shop gives it up. */
const MOST_UNKNOWN = 20

/** How long wallets have to announce themselves: they answer at once, or while the page loads. */
const WALLETS_MS = 500

const NODE = 'http://localhost:8545'
const client = createPublicClient({ chain: foundry, transport: http(NODE) })
const pay = element<HTMLButtonElement>('pay')
const status = element('status')
let isOffered = false
/** How many payments were sent. */
let purchases = 0

function element<Kind extends HTMLElement>(id: string): Kind {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no #${id}`)
  return found as Kind
}

function say(text: string): void {
  status.textContent = text
}

window.addEventListener('eip6963:announceProvider', (event) => {
  const { info, provider } = (event as CustomEvent<{ info: { name: string }; provider: EIP1193Provider }>).detail
  offer(createWalletClient({ chain: foundry, transport: custom(provider) }), info.name)
})
window.dispatchEvent(new Event('eip6963:requestProvider'))
setTimeout(() => {
  if (!isOffered) void offerNode()
}, WALLETS_MS)

function offer(wallet: WalletClient, name: string): void {
  isOffered = true
  pay.disabled = false
  pay.onclick = () => void buy(wallet)
  say(`Pays with ${name}`)
}

/** In a browser without a wallet a test account of the chain pays: the node signs for it. */
async function offerNode(): Promise<void> {
  try {
    await client.getChainId()
    if (!isOffered) offer(createWalletClient({ chain: foundry, transport: http(NODE) }), 'a test account of the chain')
  } catch {
    if (!isOffered) say(`This browser has no wallet, and no chain answers at ${NODE}`)
  }
}

async function buy(wallet: WalletClient): Promise<void> {
  pay.disabled = true
  try {
    const [account] = await wallet.requestAddresses()
    if (!account) return say('The wallet shares no account')
    const hash = await wallet.sendTransaction({ chain: foundry, account, to: SHOP, value: PRICE })
    say('On its way')
    await follow(hash)
  } catch (error) {
    const rejected =
      error instanceof Error &&
      'walk' in error &&
      (error as UserRejectedRequestError).walk((cause) => cause instanceof UserRejectedRequestError)
    say(rejected ? 'You rejected it' : `It failed: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    pay.disabled = false
  }
}

/**
 * Says how far the newest payment is: a pre-confirmation is shown at once, and may be taken back. It goes on when the payment is
 * sealed, as a block may be reorganised, and gives up what no node knows any more.
 */
async function follow(hash: Hash): Promise<void> {
  const own = ++purchases
  let wasPreconfirmed = false
  for (let unknown = 0; own === purchases && unknown < MOST_UNKNOWN; ) {
    const receipt = await client.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    if (receipt?.status === '0x0') return say('The payment was reverted')
    if (receipt) {
      unknown = 0
      wasPreconfirmed = true
      const isSealed = receipt.blockHash !== NO_BLOCK
      say(isSealed ? 'Paid' : 'Your coffee is being made')
      if (isSealed) pay.disabled = false
    } else {
      if (wasPreconfirmed) say('Not so fast: the payment was taken back, and waits again')
      const isKnown = await client.request({ method: 'eth_getTransactionByHash', params: [hash] })
      unknown = isKnown ? 0 : unknown + 1
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  if (own === purchases) say('The payment was lost: you have not paid')
}
