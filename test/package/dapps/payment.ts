// Small dapps for tests of fates: each lets a person pay 5 wei by the wallet, and tells how it goes. They use nothing but
// `window.ethereum`, and poll.

/** How a dapp is wrong; `careful` is right. */
export type DappKind = 'careful' | 'hasty' | 'stubborn' | 'listening' | 'trusting' | 'careless'

/** Address of the dapp; nothing listens there. */
export const DAPP = 'http://dapp.test/'

/** The dapp's page. */
export function paymentPage(manner: DappKind): string {
  return `<!doctype html><title>Shop</title><main><h1>Shop</h1><button>Pay</button><p role="status"></p><small></small></main>
<script type="module">(${payment.toString()})(${JSON.stringify(manner)})</script>`
}

/** Runs in the page; it names nothing outside of itself. */
function payment(manner: DappKind): void {
  interface Provider {
    request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>
    on(name: string, listener: (message: unknown) => void): void
  }
  interface Receipt {
    readonly blockNumber: string
    readonly status: string
  }
  // Another in each run, as an invoice may have an address of its own.
  const SHOP = `0x${[...crypto.getRandomValues(new Uint8Array(20))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
  const provider = (window as unknown as { readonly ethereum: Provider }).ethereum
  const ask = (method: string, params: readonly unknown[] = []) => provider.request({ method, params })
  const button = document.querySelector('button') as HTMLButtonElement
  const status = document.querySelector('p') as HTMLElement
  const pause = () => new Promise((resolve) => setTimeout(resolve, 50))
  const say = (text: string) => {
    if (status.textContent !== text) status.textContent = text
  }

  /** Asks until it is answered: a node may be away. */
  async function insist(method: string, params: readonly unknown[]): Promise<unknown> {
    for (;;) {
      try {
        return await ask(method, params)
      } catch {
        await pause()
      }
    }
  }

  /** @param ended - Called when the person can go on. Whoever is careful keeps looking: a block may be reorganised. */
  async function follow(hash: string, from: string, nonce: number, ended: () => void): Promise<void> {
    for (let unknown = 0; unknown < 20; ) {
      const receipt = (await insist('eth_getTransactionReceipt', [hash])) as Receipt | null
      if (receipt) {
        const sealed = Number(await insist('eth_blockNumber', [])) >= Number(receipt.blockNumber)
        if (manner === 'hasty' || manner === 'trusting') return say(manner === 'trusting' ? 'Thank you' : 'Paid')
        say(sealed ? 'Paid' : 'On its way …')
        unknown = 0
        if (sealed) ended()
      } else {
        const used = Number(await insist('eth_getTransactionCount', [from, 'latest'])) > nonce
        const known = await insist('eth_getTransactionByHash', [hash])
        unknown = known ? 0 : unknown + 1
        say(known ? 'Sent …' : used ? 'Another transaction took its place' : 'Nobody knows it: waiting …')
      }
      await pause()
    }
    say('It was lost: you have not paid')
  }

  async function pay(ended: () => void): Promise<void> {
    const [from = ''] = (await ask('eth_requestAccounts')) as readonly string[]
    const nonce = Number(await insist('eth_getTransactionCount', [from, 'pending']))
    const send = () => ask('eth_sendTransaction', [{ from, to: SHOP, value: '0x5' }]) as Promise<string>
    const hash = await (manner === 'stubborn' ? send().catch(send) : send())
    say('Sent …')
    if (manner !== 'listening') return follow(hash, from, nonce, ended)
    await ask('eth_subscribe', ['newHeads'])
    await new Promise<void>((resolve) => {
      provider.on('message', () => {
        void ask('eth_getTransactionReceipt', [hash]).then((receipt) => receipt && resolve())
      })
    })
    say('Paid')
  }

  const note = document.querySelector('small') as HTMLElement
  // Whether anything is sent or not, and mostly after it was.
  setTimeout(() => {
    note.textContent = 'In stock: 5 pieces'
  }, 700)
  button.addEventListener('click', () => {
    button.disabled = true
    const ended = () => {
      button.disabled = false
    }
    const paying = pay(ended)
    if (manner === 'careless') void paying.finally(ended)
    else void paying.catch(() => say('That did not work: look at your wallet before you try again')).finally(ended)
  })
}
