import { connectWallet } from './wallet-client.ts'

// The entry of `wallet.js`, which a document of the same origin includes to get the page's wallet.
connectWallet(window)
