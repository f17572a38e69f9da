import type { DappTools, Order } from './dapp-tools.ts'

// Two dapps as most are written first: each works on every day on which the promise is kept.

/** Pays, asks for the receipt at each tick, and believes the first one. */
export async function carelessPolling(tools: DappTools, order: Order): Promise<void> {
  const hash = await pay(tools, order)
  if (hash === undefined) return
  while (!(await tools.request('eth_getTransactionReceipt', [hash]))) await tools.tick()
  tools.show('Paid', 'paid')
}

/** Pays, listens for the partial block that has the payment, and believes it. */
export async function carelessSubscribing(tools: DappTools, order: Order): Promise<void> {
  const hash = await pay(tools, order)
  if (hash === undefined) return
  await tools.request('eth_subscribe', ['newPartialBlocks'])
  for (;;) {
    const event = await tools.event()
    if (event !== 'quiet' && hashesOf(event).includes(hash)) break
  }
  tools.show('Paid', 'paid')
}

/** Whatever goes wrong: once more. */
async function pay({ request, show }: DappTools, order: Order): Promise<string | undefined> {
  show('Paying…', 'busy')
  for (let attempt = 1; attempt <= 3; attempt++) {
    try {
      return String(await request('eth_sendTransaction', [order]))
    } catch {
      show('That did not work. Trying again…', 'busy')
    }
  }
  show('The payment failed', 'failed')
  return undefined
}

function hashesOf(event: unknown): readonly string[] {
  const { diff } = (event ?? {}) as { readonly diff?: { readonly transactions: readonly { readonly hash: string }[] } }
  return diff?.transactions.map(({ hash }) => hash) ?? []
}
