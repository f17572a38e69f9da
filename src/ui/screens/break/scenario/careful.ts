import { keccak256 } from 'viem'
import { type Hex, toQuantity } from '#primitives/hex.ts'
import { CallError, type DappTools, isSealed, type Order, type ReceiptPart } from './dapp-tools.ts'

// A dapp that stays right when the promise breaks: it signs once, keeps looking, and calls a payment made when a second block
// stands upon it.

/** Blocks with which a payment is called made: its own and one upon it. */
const ENOUGH_BLOCKS = 2
/** Looks in a row that have to say the same before a payment counts as gone: one node may be behind. */
const SURE_AFTER = 3
/** Ticks without an event after which the dapp looks all the same. */
const PATIENCE = 5

/** Looks at each tick. */
export const carefulPolling = (tools: DappTools, order: Order): Promise<void> =>
  payCarefully(tools, order, () => tools.tick())

/** Looks at each event; when none comes for a while, or the stream ends, it looks by itself and listens anew. */
export async function carefulSubscribing(tools: DappTools, order: Order): Promise<void> {
  let listening = await subscribe(tools)
  await payCarefully(tools, order, async () => {
    if (!listening) listening = await subscribe(tools)
    if ((await tools.event(PATIENCE)) === undefined) listening = false
  })
}

async function subscribe({ request }: DappTools): Promise<boolean> {
  try {
    await request('eth_subscribe', ['newPartialBlocks'])
    return true
  } catch (error) {
    if (error instanceof CallError) return false
    throw error
  }
}

async function payCarefully(tools: DappTools, order: Order, news: () => Promise<unknown>): Promise<void> {
  const { request, show } = tools
  show('Paying…', 'busy')
  // Signed once: however often it is sent, it is one payment.
  const nonce = await nonceAt(tools, order, 'pending')
  const raw = (await request('eth_signTransaction', [await filled(tools, order, nonce)])) as Hex
  const hash = keccak256(raw)
  await send(tools, raw)
  for (let missed = 0, replaced = 0; ; await news()) {
    const receipt = (await request('eth_getTransactionReceipt', [hash])) as ReceiptPart | null
    if (receipt) {
      missed = 0
      replaced = 0
      const head = Number(await request('eth_blockNumber'))
      const blocks = isSealed(receipt) ? head - Number(receipt.blockNumber) + 1 : 0
      if (blocks >= ENOUGH_BLOCKS) return show('Paid', 'paid')
      show(isSealed(receipt) ? 'In a block. One more to be sure' : 'Received, not final yet', 'early')
      continue
    }
    if (await request('eth_getTransactionByHash', [hash])) {
      missed = 0
      show('Waiting for the chain', 'busy')
      continue
    }
    const [pending, latest] = [await nonceAt(tools, order, 'pending'), await nonceAt(tools, order, 'latest')]
    replaced = latest > nonce ? replaced + 1 : 0
    if (replaced >= SURE_AFTER) return show('Not paid: another transaction took its place', 'failed')
    if (pending > nonce) show('Another transaction may have taken its place', 'busy')
    else if (++missed >= SURE_AFTER) {
      missed = 0
      show('The chain lost it. Sending it again', 'busy')
      await send(tools, raw)
    }
  }
}

const nonceAt = async ({ request }: DappTools, { from }: Order, block: 'pending' | 'latest') =>
  Number(await request('eth_getTransactionCount', [from, block]))

/** Whatever the answer is, the payment may have been taken: the next look says. */
async function send({ request, show }: DappTools, raw: Hex): Promise<void> {
  try {
    await request('eth_sendRawTransaction', [raw])
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    show('No clear answer. Looking for the payment', 'busy')
  }
}

async function filled({ request }: DappTools, order: Order, nonce: number): Promise<unknown> {
  return {
    ...order,
    nonce: toQuantity(nonce),
    gas: await request('eth_estimateGas', [order]),
    gasPrice: await request('eth_gasPrice'),
  }
}
