import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  custom,
  type EIP1193Provider,
  formatEther,
  http,
  parseEther,
} from 'viem'
import { mainnet } from 'viem/chains'
import { DUCAT } from '../contracts/ducat.mjs'
import { DUCAT_ADDRESS, SHELTER } from '../contracts/places.mjs'

declare global {
  interface Window {
    ethereum?: EIP1193Provider
  }
}

const GIFT = parseEther('100')

const client = createPublicClient({ chain: mainnet, transport: http('http://localhost:8545'), pollingInterval: 100 })
const token = { address: DUCAT_ADDRESS, abi: DUCAT.abi } as const
let account: Address | undefined

function element<Kind extends HTMLElement>(id: string): Kind {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no #${id}`)
  return found as Kind
}

function say(text: string): void {
  element('status').textContent = text
}

function walletOf() {
  if (!window.ethereum) throw new Error('there is no wallet')
  return createWalletClient({ chain: mainnet, transport: custom(window.ethereum) })
}

async function showBalance(): Promise<void> {
  if (!account) return
  const has = await client.readContract({ ...token, functionName: 'balanceOf', args: [account] })
  element('has').textContent = `${formatEther(has)} Ducats`
}

async function connect(): Promise<void> {
  const [first] = await walletOf().requestAddresses()
  account = first
  await showBalance()
  element<HTMLButtonElement>('give').disabled = false
}

async function give(): Promise<void> {
  if (!account) return
  try {
    const { request } = await client.simulateContract({
      ...token,
      functionName: 'transfer',
      args: [SHELTER, GIFT],
      account,
    })
    const hash = await walletOf().writeContract(request)
    say('On its way')
    await client.waitForTransactionReceipt({ hash })
    await showBalance()
    say('Thank you')
  } catch (error) {
    const reverted = error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError)
    say(reverted ? 'You have too little' : `It failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

element('connect').addEventListener('click', () => void connect())
element('give').addEventListener('click', () => void give())
