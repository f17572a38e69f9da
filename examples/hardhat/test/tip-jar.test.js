const assert = require('node:assert/strict')
const { ethers, network } = require('hardhat')

describe('a tip jar', () => {
  const call = (method, ...params) => network.provider.send(method, params)
  let jar, owner, guest, snapshot

  before(async () => {
    ;[owner, guest] = await ethers.getSigners()
    jar = await ethers.deployContract('TipJar')
  })
  beforeEach(async () => {
    snapshot = await call('evm_snapshot')
  })
  afterEach(() => call('evm_revert', snapshot))

  it('knows who gave how much', async () => {
    await jar.connect(guest).tip({ value: 3n })
    await jar.connect(guest).tip({ value: 4n })
    assert.equal(await jar.tipsOf(guest), 7n)
    const tips = await jar.queryFilter(jar.filters.Tipped(guest))
    assert.deepEqual(
      tips.map(({ args }) => args.value),
      [3n, 4n],
    )
  })

  it('is emptied by nobody but its owner', async () => {
    await jar.connect(guest).tip({ value: 5n })
    await assert.rejects(jar.connect(guest).empty(), /only the owner/)
    await jar.connect(owner).empty()
    assert.equal(await ethers.provider.getBalance(jar), 0n)
  })

  describe('on a chain that pre-confirms', () => {
    // The clock stands still in between, so that nothing happens but what the test says. Without `devnet_pause`, `pending`
    // would also have what `evm_mine` would mine now.
    before(async () => {
      await call('evm_setAutomine', false)
      await call('devnet_pause')
    })
    after(() => call('evm_setAutomine', true))

    it('has a tip in the next partial block, long before the block is sealed', async () => {
      const sent = await jar.connect(guest).tip({ value: 2n })
      assert.equal(await call('eth_getTransactionReceipt', sent.hash), null)

      await call('devnet_tick') // 200 ms on a clock that runs
      const preconfirmed = await call('eth_getTransactionReceipt', sent.hash)
      assert.equal(preconfirmed.status, '0x1')
      assert.equal(await jar.tipsOf(guest, { blockTag: 'pending' }), 2n)
      assert.equal(await jar.tipsOf(guest, { blockTag: 'latest' }), 0n)

      await call('devnet_seal') // 2 s
      assert.equal(await jar.tipsOf(guest, { blockTag: 'latest' }), 2n)
    })

    it('loses a tip whose partial block is taken back, and gets it again', async () => {
      await jar.connect(guest).tip({ value: 2n })
      await call('devnet_tick')
      await call('devnet_dropPartialBlocks')
      assert.equal(await jar.tipsOf(guest, { blockTag: 'pending' }), 0n)

      await call('devnet_tick')
      assert.equal(await jar.tipsOf(guest, { blockTag: 'pending' }), 2n)
    })
  })
})
