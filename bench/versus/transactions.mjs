import { getContractAddress, keccak256, numberToHex, serializeTransaction } from 'viem'
import { mnemonicToAccount, sign } from 'viem/accounts'
import { initcode, mintData, transferData } from './contracts.mjs'

const MNEMONIC = 'test test test test test test test test test test test junk'
const SENDERS = 10
/** How many recipients take turns. */
const RECIPIENTS = 1_000
const DEPLOY_GAS = 15_000_000n

const accounts = Array.from({ length: SENDERS }, (_, addressIndex) => {
  const account = mnemonicToAccount(MNEMONIC, { addressIndex })
  const key = account.getHdKey().privateKey
  if (!key) throw new Error('an account without a key')
  const privateKey = numberToHex(BigInt(`0x${Buffer.from(key).toString('hex')}`), { size: 32 })
  return { address: account.address, privateKey }
})
/** The development accounts that all measured chains have. */
export const addresses = accounts.map(({ address }) => address)
const deployer = /** @type {`0x${string}`} */ (addresses[0])

/** The ERC-20 token and the contract with the workloads, which exist once the preparations are sealed. */
const token = getContractAddress({ from: deployer, nonce: 0n })
export const workloadsAddress = getContractAddress({ from: deployer, nonce: 1n })

/** @param {number} index */
const recipient = (index) => numberToHex(0x1000_0000_0000 + (index % RECIPIENTS), { size: 20 })

/** Signs transactions in sequence, for chains without other traffic that seal all of them. */
export class BenchSigner {
  #nonces = accounts.map(() => 0)
  #paid = 0

  /**
   * @param {number} sender
   * @param {{ to?: `0x${string}`, value?: bigint, data?: `0x${string}`, gas: bigint }} fields
   */
  async #sign(sender, fields) {
    const nonce = this.#nonces[sender] ?? 0
    this.#nonces[sender] = nonce + 1
    const transaction = {
      type: /** @type {const} */ ('eip1559'),
      chainId: 31337,
      nonce,
      maxFeePerGas: 20_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      ...fields,
    }
    const privateKey = accounts[sender]?.privateKey ?? '0x'
    const signature = await sign({ hash: keccak256(serializeTransaction(transaction)), privateKey })
    return serializeTransaction(transaction, signature)
  }

  /** The transactions that a chain needs first, in order: they deploy the contracts and mint tokens for all senders. */
  async preparations() {
    const all = []
    for (const name of ['Token', 'Workloads']) {
      all.push(await this.#sign(0, { data: initcode(name), gas: DEPLOY_GAS }))
    }
    for (const address of addresses) {
      all.push(await this.#sign(0, { to: token, data: mintData(address, 10n ** 30n), gas: 100_000n }))
    }
    return all
  }

  /**
   * The next transactions of every sender.
   *
   * @param {'transfer' | 'erc20'} kind
   * @param {number} count - Total number.
   * @returns {Promise<string[][]>} A lane for each sender.
   */
  async next(kind, count) {
    const lanes = []
    for (const sender of accounts.keys()) {
      const lane = []
      for (let i = 0; i < count / SENDERS; i++) {
        const to = recipient(this.#paid++)
        const fields =
          kind === 'transfer'
            ? { to, value: 1n, gas: 21_000n }
            : { to: token, data: transferData(to, 1n), gas: 60_000n }
        lane.push(await this.#sign(sender, fields))
      }
      lanes.push(lane)
    }
    return lanes
  }
}
