import {
  connect,
  createConfig,
  getBalance,
  getConnection,
  getConnectors,
  http,
  sendTransaction,
  switchChain,
  waitForTransactionReceipt,
} from '@wagmi/core'
import { base, mainnet } from '@wagmi/core/chains'
import { formatEther, parseEther, UserRejectedRequestError } from 'viem'

const JAR = '0x00000000000000000000000000000000000071b5'
const TIP = parseEther('0.01')

const config = createConfig({
  chains: [mainnet, base],
  // Base is asked at its public address.
  transports: { [mainnet.id]: http('http://localhost:8545'), [base.id]: http() },
  pollingInterval: 100,
})

type ChainId = (typeof config)['chains'][number]['id']

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no #${id}`)
  return found
}

function say(text: string): void {
  element('status').textContent = text
}

async function showJar(chainId: ChainId): Promise<void> {
  const { value } = await getBalance(config, { address: JAR, chainId })
  element(`jar-${chainId}`).textContent = `${formatEther(value)} ETH`
}

async function tip(chainId: ChainId): Promise<void> {
  try {
    if (getConnection(config).status !== 'connected') {
      const [wallet] = getConnectors(config)
      if (!wallet) return say('There is no wallet')
      await connect(config, { connector: wallet })
    }
    // Asks the wallet if it is on another chain, and tells it of the chain if it does not know it.
    if (getConnection(config).chainId !== chainId) await switchChain(config, { chainId })
    const hash = await sendTransaction(config, { chainId, to: JAR, value: TIP })
    say('On its way')
    await waitForTransactionReceipt(config, { chainId, hash })
    await showJar(chainId)
    say('Thank you')
  } catch (error) {
    const refused = error instanceof Error && isRefusal(error)
    say(refused ? 'You refused' : `It failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function isRefusal(error: Error): boolean {
  if (error instanceof UserRejectedRequestError) return true
  return error.cause instanceof Error && isRefusal(error.cause)
}

for (const { id } of config.chains) {
  element(`tip-${id}`).onclick = () => void tip(id)
  void showJar(id)
}
