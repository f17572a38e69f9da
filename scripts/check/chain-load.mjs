import { numberToHex, pad, parseEther, parseGwei } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { rpc } from '../server.mjs'

/** @typedef {import('viem/accounts').HDAccount} Account */

const MNEMONIC = 'test test test test test test test test test test test junk'
const FEES = { maxFeePerGas: parseGwei('20'), maxPriorityFeePerGas: parseGwei('1') }
const GAS_PRICE = parseGwei('20')

/**
 * A contract that accepts ether. Called with a first word of zero it reverts with its input; with any other it
 * increments slot 0 and emits a log with two topics and its input.
 */
const RUNTIME = [
  '3615603c57', // no input: stop
  '5f3515603e57', // first word zero: revert
  '5f54600101805f55', // count in slot 0
  '365f5f37', // the input into memory
  `7f${'b1'.repeat(32)}365fa200`, // log it, with the count as second topic
  '5b00', // 3c: stop
  '5b365f5f37365ffd', // 3e: revert with the input
].join('')
const INITCODE = /** @type {const} */ (`0x60468060095f395ff3${RUNTIME}`)
const COUNT = pad('0x1')
const REVERT = pad('0x0')

/** A development account that sends transactions of every type in turn. */
class Sender {
  #url
  #account
  #chainId
  #nonce = 0
  /** The target of calls and ether. */
  target

  /**
   * @param {string} url
   * @param {Account} account
   * @param {number} chainId
   * @param {`0x${string}`} target - The contract.
   */
  constructor(url, account, chainId, target) {
    this.#url = url
    this.#account = account
    this.#chainId = chainId
    this.target = target
  }

  async sync() {
    this.#nonce = Number(await rpc(this.#url, 'eth_getTransactionCount', [this.#account.address, 'pending']))
    return this
  }

  /** @param {any} fields - A viem transaction without what every transaction needs. */
  async send(fields) {
    const raw = await this.#account.signTransaction({
      chainId: this.#chainId,
      nonce: this.#nonce,
      gas: 200_000n,
      ...(fields.type === 'legacy' || fields.type === 'eip2930' ? { gasPrice: GAS_PRICE } : FEES),
      ...fields,
    })
    const hash = await rpc(this.#url, 'eth_sendRawTransaction', [raw])
    this.#nonce += 1
    return /** @type {`0x${string}`} */ (hash)
  }

  /** @param {number} step */
  async sendOfEachSort(step) {
    const to = this.target
    const value = parseEther('0.001')
    switch (step % 9) {
      case 0:
        return this.send({ type: 'eip1559', to: numberToHex(step + 0x10_0000, { size: 20 }), value, gas: 21_000n })
      case 1:
        return this.send({ type: 'legacy', to, value })
      case 2:
        return this.send({ type: 'eip2930', to, data: COUNT, accessList: [{ address: to, storageKeys: [pad('0x0')] }] })
      case 3:
        return this.send({ type: 'eip1559', to, data: COUNT })
      case 4:
        return this.send({ type: 'eip1559', to, data: REVERT })
      case 5:
        return this.send({ type: 'eip1559', data: INITCODE })
      case 6:
        return this.send({ type: 'legacy', to, data: REVERT, gas: 60_000n })
      case 7: {
        // A fresh account delegates to the contract and is called.
        const authority = privateKeyToAccount(generatePrivateKey())
        const authorization = await authority.signAuthorization({ address: to, chainId: this.#chainId, nonce: 0 })
        return this.send({
          type: 'eip7702',
          to: authority.address,
          data: COUNT,
          authorizationList: [authorization],
        })
      }
      default:
        return this.send({ type: 'legacy', data: INITCODE })
    }
  }
}

/** Milliseconds between two rounds: some partial blocks get transactions, some stay empty. */
const ROUND_MS = 80

const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** @param {string} url @param {`0x${string}`} hash */
async function sealedReceipt(url, hash) {
  for (;;) {
    const receipt = await rpc(url, 'eth_getTransactionReceipt', [hash])
    if (receipt && BigInt(receipt.blockHash) !== 0n) return receipt
    await sleep(20)
  }
}

/**
 * Sends transactions of every type, one after another, until the chain has sealed `blocks` blocks.
 *
 * @param {string} url
 * @param {{ blocks: number }} until
 */
export async function generateLoad(url, { blocks }) {
  const chainId = Number(await rpc(url, 'eth_chainId'))
  const accounts = Array.from({ length: 3 }, (_, addressIndex) => mnemonicToAccount(MNEMONIC, { addressIndex }))
  const zero = /** @type {const} */ (`0x${'0'.repeat(40)}`)
  const [first] = accounts
  if (!first) throw new Error('no account')
  const deployer = await new Sender(url, first, chainId, zero).sync()
  const { contractAddress, status } = await sealedReceipt(url, await deployer.send({ type: 'eip1559', data: INITCODE }))
  if (status !== '0x1') throw new Error('the contract of the load was not deployed')

  const senders = await Promise.all(
    accounts.map((account) => new Sender(url, account, chainId, contractAddress).sync()),
  )
  let sent = 0
  for (let step = 0; Number(await rpc(url, 'eth_blockNumber')) < blocks; step++) {
    await Promise.all(senders.map((sender, index) => sender.sendOfEachSort(step + index * 3)))
    sent += senders.length
    await sleep(ROUND_MS)
  }
  return { sent }
}
