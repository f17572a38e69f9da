import { connectWallet } from './wallet-client.ts'

// Entry of `wallet.js`, which a document of the same origin includes to use the page's wallet.
connectWallet(window)
