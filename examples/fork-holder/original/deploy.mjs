// Stands for what has happened on the real chain: a token, and somebody who holds much of it.
import { createPublicClient, createWalletClient, http, parseEther } from 'viem'
import { DUCAT } from '../contracts/ducat.mjs'
import { DUCAT_ADDRESS, HOLDER } from '../contracts/places.mjs'

const transport = http(process.env.BLINKNET_URL)
const wallet = createWalletClient({ transport })
const client = createPublicClient({ transport })
const [account] = await wallet.getAddresses()
const hash = await wallet.deployContract({
  ...DUCAT,
  args: [HOLDER, parseEther('1000000')],
  account,
  chain: null,
})
const { contractAddress } = await client.waitForTransactionReceipt({ hash })
if (contractAddress?.toLowerCase() !== DUCAT_ADDRESS) throw new Error(`the token stands at ${contractAddress}`)
await wallet.sendTransaction({ account, to: HOLDER, value: parseEther('1'), chain: null })
