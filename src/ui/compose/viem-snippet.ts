import { DEV_ACCOUNTS, type DevAddress } from '#client/signing/dev-accounts.ts'
import type { Hex } from '#primitives/hex.ts'
import { IN_PAGE } from '#ui/format/elsewhere.ts'
import { type CompleteTransaction, toViem } from './complete.ts'

const CLIENT = [IN_PAGE, 'const client = createPublicClient({ transport: custom(window.devnet) })']

/** Code for viem that signs and sends the same bytes. */
export function viemSnippet(tx: CompleteTransaction, account: DevAddress): string {
  const { delegation } = tx
  const shown = delegation ? { ...toViem(tx), type: 'eip7702' } : toViem(tx)
  const fields = Object.entries(shown).map(([name, value]) => `  ${name}: ${literal(value)},`)
  return [
    "import { createPublicClient, custom } from 'viem'",
    "import { privateKeyToAccount } from 'viem/accounts'",
    '',
    `// ${account.name}: a public test key. Never send anything of value to it.`,
    `const account = privateKeyToAccount('${account.privateKey}')`,
    ...CLIENT,
    'const serializedTransaction = await account.signTransaction({',
    ...fields,
    ...authorizationLines(tx),
    '})',
    'const hash = await client.sendRawTransaction({ serializedTransaction })',
    '',
  ].join('\n')
}

function authorizationLines({ delegation, chainId }: CompleteTransaction): readonly string[] {
  if (!delegation) return []
  const { authority, code, nonce } = delegation
  const key = DEV_ACCOUNTS[authority]?.privateKey
  return [
    '  authorizationList: [',
    `    await privateKeyToAccount('${key}').signAuthorization({ address: '${code}', chainId: ${chainId}, nonce: ${nonce} }),`,
    '  ],',
  ]
}

/** Code for viem that sends bytes signed elsewhere. */
export function rawSnippet(raw: Hex): string {
  return [
    "import { createPublicClient, custom } from 'viem'",
    '',
    ...CLIENT,
    `const hash = await client.sendRawTransaction({ serializedTransaction: '${raw}' })`,
    '',
  ].join('\n')
}

function literal(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'string') return `'${value}'`
  return JSON.stringify(value)
}
