import type { Interfaces } from './interfaces.ts'

const USER_OP_06 =
  '(address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature)'
const USER_OP_07 =
  '(address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)'
const SAFE_TX =
  'address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver'
const PROPOSAL = 'address[] targets, uint256[] values, bytes[] calldatas'
const TIMELOCK_CALL = 'address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt'

/** Smart accounts, proxies, governance and names. */
export const ACCOUNTS: Interfaces = {
  'Proxies (EIP-1967, EIP-1822)': `
    implementation() view returns (address)
    admin() view returns (address)
    upgradeTo(address newImplementation)
    upgradeToAndCall(address newImplementation, bytes data) payable
    changeAdmin(address newAdmin)
    proxiableUUID() view returns (bytes32)
    UPGRADE_INTERFACE_VERSION() view returns (string)
    upgradeAndCall(address proxy, address implementation, bytes data) payable
    initialize()
    initialize(address owner)
    initialized() view returns (bool)
    event Upgraded(address indexed implementation)
    event BeaconUpgraded(address indexed beacon)
    event AdminChanged(address previousAdmin, address newAdmin)
    event Initialized(uint8 version)
    event Initialized(uint64 version)
    error InvalidInitialization()
    error NotInitializing()
    error ERC1967InvalidImplementation(address implementation)
    error UUPSUnauthorizedCallContext()`,
  Safe: `
    execTransaction(${SAFE_TX}, bytes signatures) payable returns (bool success)
    execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation) returns (bool success)
    execTransactionFromModuleReturnData(address to, uint256 value, bytes data, uint8 operation) returns (bool success, bytes returnData)
    getTransactionHash(${SAFE_TX}, uint256 nonce) view returns (bytes32)
    setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)
    getThreshold() view returns (uint256)
    getOwners() view returns (address[])
    isOwner(address owner) view returns (bool)
    nonce() view returns (uint256)
    VERSION() view returns (string)
    domainSeparator() view returns (bytes32)
    addOwnerWithThreshold(address owner, uint256 threshold)
    removeOwner(address prevOwner, address owner, uint256 threshold)
    swapOwner(address prevOwner, address oldOwner, address newOwner)
    changeThreshold(uint256 threshold)
    enableModule(address module)
    disableModule(address prevModule, address module)
    isModuleEnabled(address module) view returns (bool)
    getModulesPaginated(address start, uint256 pageSize) view returns (address[] array, address next)
    setGuard(address guard)
    setFallbackHandler(address handler)
    approveHash(bytes32 hashToApprove)
    approvedHashes(address owner, bytes32 hash) view returns (uint256)
    checkSignatures(bytes32 dataHash, bytes data, bytes signatures) view
    multiSend(bytes transactions) payable
    createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce) returns (address proxy)
    event ExecutionSuccess(bytes32 txHash, uint256 payment)
    event ExecutionSuccess(bytes32 indexed txHash, uint256 payment)
    event ExecutionFailure(bytes32 txHash, uint256 payment)
    event ExecutionFailure(bytes32 indexed txHash, uint256 payment)
    event SafeReceived(address indexed sender, uint256 value)
    event SafeSetup(address indexed initiator, address[] owners, uint256 threshold, address initializer, address fallbackHandler)
    event AddedOwner(address owner)
    event AddedOwner(address indexed owner)
    event RemovedOwner(address owner)
    event RemovedOwner(address indexed owner)
    event ChangedThreshold(uint256 threshold)
    event EnabledModule(address module)
    event EnabledModule(address indexed module)
    event ProxyCreation(address proxy, address singleton)
    event ProxyCreation(address indexed proxy, address singleton)`,
  'ERC-4337': `
    handleOps(${USER_OP_06}[] ops, address beneficiary)
    handleOps(${USER_OP_07}[] ops, address beneficiary)
    getUserOpHash(${USER_OP_07} userOp) view returns (bytes32)
    validateUserOp(${USER_OP_06} userOp, bytes32 userOpHash, uint256 missingAccountFunds) returns (uint256 validationData)
    validateUserOp(${USER_OP_07} userOp, bytes32 userOpHash, uint256 missingAccountFunds) returns (uint256 validationData)
    validatePaymasterUserOp(${USER_OP_07} userOp, bytes32 userOpHash, uint256 maxCost) returns (bytes context, uint256 validationData)
    postOp(uint8 mode, bytes context, uint256 actualGasCost, uint256 actualUserOpFeePerGas)
    innerHandleOp(bytes callData, ((address sender, uint256 nonce, uint256 verificationGasLimit, uint256 callGasLimit, uint256 paymasterVerificationGasLimit, uint256 paymasterPostOpGasLimit, uint256 preVerificationGas, address paymaster, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas) mUserOp, bytes32 userOpHash, uint256 prefund, uint256 contextOffset, uint256 preOpGas) opInfo, bytes context) returns (uint256 actualGasCost)
    depositTo(address account) payable
    withdrawTo(address withdrawAddress, uint256 withdrawAmount)
    getNonce(address sender, uint192 key) view returns (uint256 nonce)
    entryPoint() view returns (address)
    execute(address target, uint256 value, bytes data) payable
    execute((address to, uint256 value, bytes data)[] calls) payable
    executeBatch((address target, uint256 value, bytes data)[] calls) payable
    executeBatch(address[] targets, uint256[] values, bytes[] data)
    executeBatch(address[] targets, bytes[] data)
    createAccount(address owner, uint256 salt) returns (address account)
    getAddress(address owner, uint256 salt) view returns (address)
    event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)
    event UserOperationRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)
    event AccountDeployed(bytes32 indexed userOpHash, address indexed sender, address factory, address paymaster)
    event BeforeExecution()
    event Deposited(address indexed account, uint256 totalDeposit)
    error FailedOp(uint256 opIndex, string reason)
    error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)`,
  'ERC-7579': `
    execute(bytes32 mode, bytes executionCalldata) payable
    executeFromExecutor(bytes32 mode, bytes executionCalldata) payable returns (bytes[] returnData)
    installModule(uint256 moduleTypeId, address module, bytes initData) payable
    uninstallModule(uint256 moduleTypeId, address module, bytes deInitData) payable
    accountId() view returns (string)
    supportsExecutionMode(bytes32 mode) view returns (bool)
    supportsModule(uint256 moduleTypeId) view returns (bool)`,
  Multicall: `
    aggregate((address target, bytes callData)[] calls) payable returns (uint256 blockNumber, bytes[] returnData)
    tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[] returnData)
    aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[] returnData)`,
  Permit2: `
    approve(address token, address spender, uint160 amount, uint48 expiration)
    allowance(address owner, address token, address spender) view returns (uint160 amount, uint48 expiration, uint48 nonce)
    transferFrom(address from, address to, uint160 amount, address token)
    permit(address owner, ((address token, uint160 amount, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature)
    permitTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount) transferDetails, address owner, bytes signature)
    event Approval(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration)
    event Permit(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration, uint48 nonce)`,
  Governor: `
    propose(${PROPOSAL}, string description) returns (uint256 proposalId)
    queue(${PROPOSAL}, bytes32 descriptionHash) returns (uint256 proposalId)
    execute(${PROPOSAL}, bytes32 descriptionHash) payable returns (uint256 proposalId)
    castVote(uint256 proposalId, uint8 support) returns (uint256 weight)
    castVoteWithReason(uint256 proposalId, uint8 support, string reason) returns (uint256 weight)
    state(uint256 proposalId) view returns (uint8)
    proposalSnapshot(uint256 proposalId) view returns (uint256)
    proposalDeadline(uint256 proposalId) view returns (uint256)
    hasVoted(uint256 proposalId, address account) view returns (bool)
    votingDelay() view returns (uint256)
    votingPeriod() view returns (uint256)
    quorum(uint256 timepoint) view returns (uint256)
    event ProposalCreated(uint256 proposalId, address proposer, address[] targets, uint256[] values, string[] signatures, bytes[] calldatas, uint256 voteStart, uint256 voteEnd, string description)
    event ProposalExecuted(uint256 proposalId)
    event VoteCast(address indexed voter, uint256 proposalId, uint8 support, uint256 weight, string reason)`,
  Timelock: `
    schedule(${TIMELOCK_CALL}, uint256 delay)
    scheduleBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt, uint256 delay)
    execute(${TIMELOCK_CALL}) payable
    cancel(bytes32 id)
    getMinDelay() view returns (uint256)
    event CallScheduled(bytes32 indexed id, uint256 indexed index, address target, uint256 value, bytes data, bytes32 predecessor, uint256 delay)
    event CallExecuted(bytes32 indexed id, uint256 indexed index, address target, uint256 value, bytes data)`,
  ENS: `
    addr(bytes32 node) view returns (address)
    addr(bytes32 node, uint256 coinType) view returns (bytes)
    setAddr(bytes32 node, address a)
    text(bytes32 node, string key) view returns (string)
    setText(bytes32 node, string key, string value)
    contenthash(bytes32 node) view returns (bytes)
    setContenthash(bytes32 node, bytes hash)
    name(bytes32 node) view returns (string)
    setName(string name) returns (bytes32)
    resolve(bytes name, bytes data) view returns (bytes result)
    resolve(bytes name, bytes data) view returns (bytes result, address resolver)
    owner(bytes32 node) view returns (address)
    resolver(bytes32 node) view returns (address)
    ttl(bytes32 node) view returns (uint64)
    recordExists(bytes32 node) view returns (bool)
    setOwner(bytes32 node, address owner)
    setResolver(bytes32 node, address resolver)
    setSubnodeOwner(bytes32 node, bytes32 label, address owner) returns (bytes32)
    commit(bytes32 commitment)
    available(string name) view returns (bool)
    rentPrice(string name, uint256 duration) view returns ((uint256 base, uint256 premium) price)
    renew(string name, uint256 duration) payable
    nameExpires(uint256 id) view returns (uint256)
    reclaim(uint256 id, address owner)
    event NewOwner(bytes32 indexed node, bytes32 indexed label, address owner)
    event NewResolver(bytes32 indexed node, address resolver)
    event Transfer(bytes32 indexed node, address owner)
    event AddrChanged(bytes32 indexed node, address a)
    event AddressChanged(bytes32 indexed node, uint256 coinType, bytes newAddress)
    event TextChanged(bytes32 indexed node, string indexed indexedKey, string key, string value)
    event NameRegistered(string name, bytes32 indexed label, address indexed owner, uint256 baseCost, uint256 premium, uint256 expires)
    event NameRenewed(string name, bytes32 indexed label, uint256 cost, uint256 expires)`,
}
