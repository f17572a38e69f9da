/** What code is shown for. */
export type SnippetFor = 'viem' | 'wagmi' | 'ethers' | 'hardhat' | 'foundry'

export const SNIPPETS: readonly { readonly value: SnippetFor; readonly label: string }[] = [
  { value: 'viem', label: 'viem' },
  { value: 'wagmi', label: 'wagmi' },
  { value: 'ethers', label: 'ethers' },
  { value: 'hardhat', label: 'Hardhat' },
  { value: 'foundry', label: 'Foundry' },
]

/** The chain that the code reaches. */
export interface ReachedChain {
  readonly chainId: number
  readonly url: string
}

/** A chain as `wallet_addEthereumChain` takes it (EIP-3085). */
export function walletChain({ chainId, url }: ReachedChain) {
  return {
    chainId: `0x${chainId.toString(16)}`,
    chainName: 'Blinknet',
    rpcUrls: [overHttp(url)],
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  }
}

const PENDING = '// The pending block has what is pre-confirmed.'

/** Code that reaches the chain, as one pastes it: in lines that fit into a dialog. */
export function snippetOf(library: SnippetFor, { chainId, url: reached }: ReachedChain): string {
  const url = overHttp(reached)
  const quoted = JSON.stringify(url).replaceAll("'", "\\'").replace(/^"|"$/g, "'")
  switch (library) {
    case 'viem':
      return [
        "import { createPublicClient, defineChain, http } from 'viem'",
        '',
        ...chainLines(chainId, quoted),
        '',
        'export const client = createPublicClient({',
        '  chain: blinknet,',
        '  transport: http(),',
        '})',
        PENDING,
        "await client.getBlock({ blockTag: 'pending' })",
      ].join('\n')
    case 'wagmi':
      return [
        "import { createConfig, http } from 'wagmi'",
        "import { defineChain } from 'viem'",
        '',
        ...chainLines(chainId, quoted),
        '',
        'export const config = createConfig({',
        '  chains: [blinknet],',
        '  transports: { [blinknet.id]: http() },',
        '})',
      ].join('\n')
    case 'ethers':
      return [
        "import { JsonRpcProvider } from 'ethers'",
        '',
        'export const provider = new JsonRpcProvider(',
        `  ${quoted},`,
        `  ${chainId},`,
        '  { staticNetwork: true },',
        ')',
        PENDING,
        "await provider.getBlock('pending')",
      ].join('\n')
    case 'hardhat':
      return [
        '// hardhat.config.ts',
        'networks: {',
        `  blinknet: { type: 'http', url: ${quoted}, chainId: ${chainId} },`,
        '},',
        '// npx hardhat test --network blinknet',
      ].join('\n')
    case 'foundry':
      return [
        `forge script script/Deploy.s.sol --rpc-url ${shellWord(url)} --broadcast --unlocked`,
        `cast block pending --rpc-url ${shellWord(url)}`,
      ].join('\n')
    default:
      return library satisfies never
  }
}

/** An endpoint over HTTP, as the code and wallets ask it: nodes answer WebSocket and HTTP at one address. */
function overHttp(url: string): string {
  return url.replace(/^ws(?=s?:)/i, 'http')
}

function chainLines(chainId: number, url: string): readonly string[] {
  return [
    'export const blinknet = defineChain({',
    `  id: ${chainId},`,
    "  name: 'Blinknet',",
    "  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },",
    `  rpcUrls: { default: { http: [${url}] } },`,
    '})',
  ]
}

/** One word of a POSIX shell, whatever is in it. */
function shellWord(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
