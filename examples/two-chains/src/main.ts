import {
  connect,
  createConfig,
  getBalance,
  getCapabilities,
  getConnection,
  getConnectors,
  http,
  sendCalls,
  sendTransaction,
  switchChain,
  waitForCallsStatus,
  waitForTransactionReceipt,
} from '@wagmi/core'
import { base, mainnet } from '@wagmi/core/chains'
import { AtomicReadyWalletRejectedUpgradeError, formatEther, parseEther, UserRejectedRequestError } from 'viem'

const JAR = '0x00000000000000000000000000000000000071b5'
const KITCHEN = '0x00000000000000000000000000000000000071b6'
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

/** Throws if there is no wallet, or the person refuses. */
async function beOn(chainId: ChainId): Promise<void> {
  if (getConnection(config).status !== 'connected') {
    const [wallet] = getConnectors(config)
    if (!wallet) throw new Error('there is no wallet')
    await connect(config, { connector: wallet })
  }
  // Asks the wallet if it is on another chain, and tells it of the chain if it does not know it.
  if (getConnection(config).chainId !== chainId) await switchChain(config, { chainId })
}

/** Tips the jar and the kitchen: at once where the wallet can (EIP-5792), else one after the other. */
async function tipBoth(chainId: ChainId): Promise<void> {
  const calls = [
    { to: JAR, value: TIP },
    { to: KITCHEN, value: TIP },
  ] as const
  try {
    await beOn(chainId)
    const { atomic } = await getCapabilities(config, { chainId })
    const isAtOnce = atomic?.status === 'supported' || atomic?.status === 'ready'
    const { id } = await sendCalls(config, { chainId, calls, forceAtomic: isAtOnce })
    say(isAtOnce ? 'Both on their way at once' : 'Both on their way, one after the other')
    const { statusCode } = await waitForCallsStatus(config, { id })
    await showJar(chainId)
    if (statusCode === 200) say('Both thank you')
    else say(statusCode === 600 ? 'Only one of them got its tip' : 'Nobody got a tip')
  } catch (error) {
    const refused = error instanceof Error && isRefusal(error)
    say(refused ? 'You refused' : `It failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function tip(chainId: ChainId): Promise<void> {
  try {
    await beOn(chainId)
    const hash = await sendTransaction(config, { chainId, to: JAR, value: TIP })
    say('On its way')
    const { transactionHash } = await waitForTransactionReceipt(config, { chainId, hash })
    await showJar(chainId)
    // The receipt may be that of a transaction which has taken the place of the tip.
    say(transactionHash === hash ? 'Thank you' : 'Another transaction took its place: nobody got a tip')
  } catch (error) {
    const refused = error instanceof Error && isRefusal(error)
    say(refused ? 'You refused' : `It failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function isRefusal(error: Error): boolean {
  if (error instanceof UserRejectedRequestError || error instanceof AtomicReadyWalletRejectedUpgradeError) return true
  return error.cause instanceof Error && isRefusal(error.cause)
}

for (const { id } of config.chains) {
  element(`tip-${id}`).onclick = () => void tip(id)
  element(`tip-both-${id}`).onclick = () => void tipBoth(id)
  void showJar(id)
}
