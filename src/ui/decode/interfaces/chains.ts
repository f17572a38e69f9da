import type { Interfaces } from './interfaces.ts'

const BRIDGED = 'address indexed from, address to, uint256 amount, bytes extraData'
const TOKENS = 'address indexed localToken, address indexed remoteToken'
const WITHDRAWAL = '(uint256 nonce, address sender, address target, uint256 value, uint256 gasLimit, bytes data) tx'

/** Contracts that are part of chains, and bridges to them. */
export const CHAINS: Interfaces = {
  'Deposit contract (beacon chain)': `
    deposit(bytes pubkey, bytes withdrawal_credentials, bytes signature, bytes32 deposit_data_root) payable
    get_deposit_count() view returns (bytes)
    get_deposit_root() view returns (bytes32)
    event DepositEvent(bytes pubkey, bytes withdrawal_credentials, bytes amount, bytes signature, bytes index)`,
  'OP Stack: L1Block, GasPriceOracle': `
    setL1BlockValuesEcotone()
    setL1BlockValuesIsthmus()
    setL1BlockValuesJovian()
    number() view returns (uint64)
    timestamp() view returns (uint64)
    hash() view returns (bytes32)
    basefee() view returns (uint256)
    blobBaseFee() view returns (uint256)
    baseFeeScalar() view returns (uint32)
    blobBaseFeeScalar() view returns (uint32)
    sequenceNumber() view returns (uint64)
    batcherHash() view returns (bytes32)
    l1BaseFee() view returns (uint256)
    getL1Fee(bytes data) view returns (uint256)
    getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)
    getL1GasUsed(bytes data) view returns (uint256)`,
  'OP Stack: messages': `
    sendMessage(address target, bytes message, uint32 minGasLimit) payable
    relayMessage(uint256 nonce, address sender, address target, uint256 value, uint256 minGasLimit, bytes message) payable
    xDomainMessageSender() view returns (address)
    messageNonce() view returns (uint256)
    successfulMessages(bytes32 msgHash) view returns (bool)
    initiateWithdrawal(address target, uint256 gasLimit, bytes data) payable
    depositTransaction(address to, uint256 value, uint64 gasLimit, bool isCreation, bytes data) payable
    proveWithdrawalTransaction(${WITHDRAWAL}, uint256 disputeGameIndex, (bytes32 version, bytes32 stateRoot, bytes32 messagePasserStorageRoot, bytes32 latestBlockhash) outputRootProof, bytes[] withdrawalProof)
    finalizeWithdrawalTransaction(${WITHDRAWAL})
    event SentMessage(address indexed target, address sender, bytes message, uint256 messageNonce, uint256 gasLimit)
    event SentMessageExtension1(address indexed sender, uint256 value)
    event RelayedMessage(bytes32 indexed msgHash)
    event FailedRelayedMessage(bytes32 indexed msgHash)
    event MessagePassed(uint256 indexed nonce, address indexed sender, address indexed target, uint256 value, uint256 gasLimit, bytes data, bytes32 withdrawalHash)
    event TransactionDeposited(address indexed from, address indexed to, uint256 indexed version, bytes opaqueData)
    event WithdrawalProven(bytes32 indexed withdrawalHash, address indexed from, address indexed to)
    event WithdrawalFinalized(bytes32 indexed withdrawalHash, bool success)`,
  'OP Stack: standard bridge': `
    bridgeETH(uint32 minGasLimit, bytes extraData) payable
    bridgeETHTo(address to, uint32 minGasLimit, bytes extraData) payable
    bridgeERC20(address localToken, address remoteToken, uint256 amount, uint32 minGasLimit, bytes extraData)
    bridgeERC20To(address localToken, address remoteToken, address to, uint256 amount, uint32 minGasLimit, bytes extraData)
    finalizeBridgeETH(address from, address to, uint256 amount, bytes extraData) payable
    finalizeBridgeERC20(address localToken, address remoteToken, address from, address to, uint256 amount, bytes extraData)
    depositETH(uint32 minGasLimit, bytes extraData) payable
    depositERC20(address l1Token, address l2Token, uint256 amount, uint32 minGasLimit, bytes extraData)
    withdraw(address l2Token, uint256 amount, uint32 minGasLimit, bytes extraData) payable
    withdrawTo(address l2Token, address to, uint256 amount, uint32 minGasLimit, bytes extraData) payable
    remoteToken() view returns (address)
    l1Token() view returns (address)
    bridge() view returns (address)
    event ETHBridgeInitiated(address indexed from, address indexed to, uint256 amount, bytes extraData)
    event ETHBridgeFinalized(address indexed from, address indexed to, uint256 amount, bytes extraData)
    event ERC20BridgeInitiated(${TOKENS}, ${BRIDGED})
    event ERC20BridgeFinalized(${TOKENS}, ${BRIDGED})
    event WithdrawalInitiated(address indexed l1Token, address indexed l2Token, ${BRIDGED})
    event DepositFinalized(address indexed l1Token, address indexed l2Token, ${BRIDGED})`,
  Arbitrum: `
    startBlock(uint256 l1BaseFee, uint64 l1BlockNumber, uint64 l2BlockNumber, uint64 timePassed)
    arbBlockNumber() view returns (uint256)
    arbBlockHash(uint256 arbBlockNum) view returns (bytes32)
    arbChainID() view returns (uint256)
    arbOSVersion() view returns (uint256)
    withdrawEth(address destination) payable returns (uint256)
    sendTxToL1(address destination, bytes data) payable returns (uint256)
    getPricesInWei() view returns (uint256 perL2Tx, uint256 perL1CalldataByte, uint256 perStorageAllocation, uint256 perArbGasBase, uint256 perArbGasCongestion, uint256 perArbGasTotal)
    getL1BaseFeeEstimate() view returns (uint256)
    getMinimumGasPrice() view returns (uint256)
    redeem(bytes32 ticketId) returns (bytes32)
    depositEth() payable returns (uint256)
    createRetryableTicket(address to, uint256 l2CallValue, uint256 maxSubmissionCost, address excessFeeRefundAddress, address callValueRefundAddress, uint256 gasLimit, uint256 maxFeePerGas, bytes data) payable returns (uint256)
    outboundTransfer(address token, address to, uint256 amount, bytes data) payable returns (bytes)
    outboundTransfer(address token, address to, uint256 amount, uint256 maxGas, uint256 gasPriceBid, bytes data) payable returns (bytes)
    finalizeInboundTransfer(address token, address from, address to, uint256 amount, bytes data) payable
    getGateway(address token) view returns (address gateway)
    calculateL2TokenAddress(address l1Token) view returns (address)
    event L2ToL1Tx(address caller, address indexed destination, uint256 indexed hash, uint256 indexed position, uint256 arbBlockNum, uint256 ethBlockNum, uint256 timestamp, uint256 callvalue, bytes data)
    event InboxMessageDelivered(uint256 indexed messageNum, bytes data)
    event RedeemScheduled(bytes32 indexed ticketId, bytes32 indexed retryTxHash, uint64 indexed sequenceNum, uint64 donatedGas, address gasDonor, uint256 maxRefund, uint256 submissionFeeRefund)`,
}
