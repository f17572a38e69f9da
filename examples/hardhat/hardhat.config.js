require('@nomicfoundation/hardhat-ethers')
// In place of Hardhat's own node, in this process. Without options it is in all things like that node, which has no partial
// blocks. Each of these has a tenth of a block's gas: enough for the most that a transaction may have, which Hardhat gives all.
require('blinknet/hardhat').blinknet({ as: 'blinknet', gasLimit: 400_000_000 })

/** @type {import('hardhat/config').HardhatUserConfig} */
module.exports = {
  solidity: '0.8.28',
  networks: {
    blinknet: { url: process.env.RPC_URL ?? 'http://127.0.0.1:8545' },
  },
}
