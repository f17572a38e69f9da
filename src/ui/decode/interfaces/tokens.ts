import type { Interfaces } from './interfaces.ts'

/** Tokens beyond `standards.ts`, and what contracts of OpenZeppelin and Solady share. */
export const TOKENS: Interfaces = {
  'ERC-20 (OpenZeppelin)': `
    increaseAllowance(address spender, uint256 addedValue) returns (bool)
    decreaseAllowance(address spender, uint256 subtractedValue) returns (bool)
    mint(address to, uint256 amount)
    burn(uint256 amount)
    burn(address from, uint256 amount)
    burnFrom(address from, uint256 amount)
    cap() view returns (uint256)`,
  'ERC-2612': `
    nonces(address owner) view returns (uint256)
    DOMAIN_SEPARATOR() view returns (bytes32)
    PERMIT_TYPEHASH() view returns (bytes32)
    permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)
    error ERC2612ExpiredSignature(uint256 deadline)
    error ERC2612InvalidSigner(address signer, address owner)
    error InvalidAccountNonce(address account, uint256 currentNonce)`,
  'EIP-712': `
    eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)
    event EIP712DomainChanged()`,
  'ERC-3009': `
    transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)
    transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)
    receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)
    receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)
    cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)
    authorizationState(address authorizer, bytes32 nonce) view returns (bool)
    TRANSFER_WITH_AUTHORIZATION_TYPEHASH() view returns (bytes32)
    RECEIVE_WITH_AUTHORIZATION_TYPEHASH() view returns (bytes32)
    CANCEL_AUTHORIZATION_TYPEHASH() view returns (bytes32)
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)`,
  'USD Coin': `
    currency() view returns (string)
    masterMinter() view returns (address)
    minterAllowance(address minter) view returns (uint256)
    isMinter(address account) view returns (bool)
    configureMinter(address minter, uint256 minterAllowedAmount) returns (bool)
    removeMinter(address minter) returns (bool)
    updateMasterMinter(address newMasterMinter)
    blacklister() view returns (address)
    isBlacklisted(address account) view returns (bool)
    blacklist(address account)
    unBlacklist(address account)
    updateBlacklister(address newBlacklister)
    pauser() view returns (address)
    updatePauser(address newPauser)
    rescuer() view returns (address)
    rescueERC20(address tokenContract, address to, uint256 amount)
    updateRescuer(address newRescuer)
    event Mint(address indexed minter, address indexed to, uint256 amount)
    event Burn(address indexed burner, uint256 amount)
    event MinterConfigured(address indexed minter, uint256 minterAllowedAmount)
    event Blacklisted(address indexed account)
    event UnBlacklisted(address indexed account)`,
  'Tether USD': `
    issue(uint256 amount)
    redeem(uint256 amount)
    getOwner() view returns (address)
    isBlackListed(address account) view returns (bool)
    getBlackListStatus(address account) view returns (bool)
    addBlackList(address account)
    removeBlackList(address account)
    destroyBlackFunds(address account)
    basisPointsRate() view returns (uint256)
    maximumFee() view returns (uint256)
    setParams(uint256 newBasisPoints, uint256 newMaxFee)
    deprecated() view returns (bool)
    deprecate(address upgradedAddress)
    upgradedAddress() view returns (address)
    event Issue(uint256 amount)
    event Redeem(uint256 amount)`,
  'ERC-721 (enumerable, OpenZeppelin)': `
    tokenByIndex(uint256 index) view returns (uint256)
    tokenOfOwnerByIndex(address owner, uint256 index) view returns (uint256)
    baseURI() view returns (string)
    mint(uint256 quantity) payable`,
  'ERC-2981': `
    royaltyInfo(uint256 tokenId, uint256 salePrice) view returns (address receiver, uint256 royaltyAmount)`,
  'ERC-4626': `
    asset() view returns (address)
    totalAssets() view returns (uint256)
    convertToShares(uint256 assets) view returns (uint256)
    convertToAssets(uint256 shares) view returns (uint256)
    maxDeposit(address receiver) view returns (uint256)
    maxMint(address receiver) view returns (uint256)
    maxWithdraw(address owner) view returns (uint256)
    maxRedeem(address owner) view returns (uint256)
    previewDeposit(uint256 assets) view returns (uint256)
    previewMint(uint256 shares) view returns (uint256)
    previewWithdraw(uint256 assets) view returns (uint256)
    previewRedeem(uint256 shares) view returns (uint256)
    deposit(uint256 assets, address receiver) returns (uint256 shares)
    mint(uint256 shares, address receiver) returns (uint256 assets)
    withdraw(uint256 assets, address receiver, address owner) returns (uint256 shares)
    redeem(uint256 shares, address receiver, address owner) returns (uint256 assets)
    event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)
    event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)
    error ERC4626ExceededMaxDeposit(address receiver, uint256 assets, uint256 max)
    error ERC4626ExceededMaxMint(address receiver, uint256 shares, uint256 max)
    error ERC4626ExceededMaxWithdraw(address owner, uint256 assets, uint256 max)
    error ERC4626ExceededMaxRedeem(address owner, uint256 shares, uint256 max)`,
  'ERC-3156': `
    maxFlashLoan(address token) view returns (uint256)
    flashFee(address token, uint256 amount) view returns (uint256)
    flashLoan(address receiver, address token, uint256 amount, bytes data) returns (bool)
    onFlashLoan(address initiator, address token, uint256 amount, uint256 fee, bytes data) returns (bytes32)`,
  WETH: `
    deposit() payable
    withdraw(uint256 amount)
    event Deposit(address indexed dst, uint256 wad)
    event Withdrawal(address indexed src, uint256 wad)`,
  Lido: `
    submit(address referral) payable returns (uint256 shares)
    wrap(uint256 stEthAmount) returns (uint256 wstEthAmount)
    unwrap(uint256 wstEthAmount) returns (uint256 stEthAmount)
    stETH() view returns (address)
    stEthPerToken() view returns (uint256)
    tokensPerStEth() view returns (uint256)
    getStETHByWstETH(uint256 wstEthAmount) view returns (uint256)
    getWstETHByStETH(uint256 stEthAmount) view returns (uint256)
    sharesOf(address account) view returns (uint256)
    getTotalShares() view returns (uint256)
    getTotalPooledEther() view returns (uint256)
    getPooledEthByShares(uint256 sharesAmount) view returns (uint256)
    getSharesByPooledEth(uint256 ethAmount) view returns (uint256)
    transferShares(address recipient, uint256 sharesAmount) returns (uint256)
    event TransferShares(address indexed from, address indexed to, uint256 sharesValue)
    event Submitted(address indexed sender, uint256 amount, address referral)`,
  'Votes (OpenZeppelin)': `
    delegate(address delegatee)
    delegateBySig(address delegatee, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s)
    delegates(address account) view returns (address)
    getVotes(address account) view returns (uint256)
    getPastVotes(address account, uint256 timepoint) view returns (uint256)
    getPastTotalSupply(uint256 timepoint) view returns (uint256)
    getCurrentVotes(address account) view returns (uint96)
    getPriorVotes(address account, uint256 blockNumber) view returns (uint96)
    numCheckpoints(address account) view returns (uint32)
    clock() view returns (uint48)
    CLOCK_MODE() view returns (string)
    event DelegateChanged(address indexed delegator, address indexed fromDelegate, address indexed toDelegate)
    event DelegateVotesChanged(address indexed delegate, uint256 previousVotes, uint256 newVotes)`,
  'Ownable (OpenZeppelin, Solady)': `
    renounceOwnership()
    acceptOwnership()
    pendingOwner() view returns (address)
    event OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner)
    error OwnableUnauthorizedAccount(address account)
    error OwnableInvalidOwner(address owner)
    error Unauthorized()
    error NewOwnerIsZeroAddress()
    error AlreadyInitialized()`,
  'AccessControl (OpenZeppelin)': `
    DEFAULT_ADMIN_ROLE() view returns (bytes32)
    MINTER_ROLE() view returns (bytes32)
    PAUSER_ROLE() view returns (bytes32)
    UPGRADER_ROLE() view returns (bytes32)
    hasRole(bytes32 role, address account) view returns (bool)
    getRoleAdmin(bytes32 role) view returns (bytes32)
    grantRole(bytes32 role, address account)
    revokeRole(bytes32 role, address account)
    renounceRole(bytes32 role, address account)
    getRoleMember(bytes32 role, uint256 index) view returns (address)
    getRoleMemberCount(bytes32 role) view returns (uint256)
    event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)
    event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)
    event RoleAdminChanged(bytes32 indexed role, bytes32 indexed previousAdminRole, bytes32 indexed newAdminRole)
    error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)
    error AccessControlBadConfirmation()`,
  'Pausable (OpenZeppelin)': `
    pause()
    unpause()
    paused() view returns (bool)
    event Paused(address account)
    event Unpaused(address account)
    error EnforcedPause()
    error ExpectedPause()`,
  'OpenZeppelin’s utilities': `
    error ReentrancyGuardReentrantCall()
    error SafeERC20FailedOperation(address token)
    error SafeERC20FailedDecreaseAllowance(address spender, uint256 currentAllowance, uint256 requestedDecrease)
    error AddressEmptyCode(address target)
    error AddressInsufficientBalance(address account)
    error FailedInnerCall()
    error FailedCall()
    error InsufficientBalance(uint256 balance, uint256 needed)
    error ECDSAInvalidSignature()
    error ECDSAInvalidSignatureLength(uint256 length)
    error ECDSAInvalidSignatureS(bytes32 s)
    error MathOverflowedMulDiv()
    error SafeCastOverflowedUintDowncast(uint8 bits, uint256 value)
    error StringsInsufficientHexLength(uint256 value, uint256 length)`,
  'Solady’s utilities': `
    error TransferFailed()
    error TransferFromFailed()
    error ApproveFailed()
    error ETHTransferFailed()
    error InsufficientBalance()
    error InsufficientAllowance()
    error Reentrancy()
    error InvalidPermit()
    error PermitExpired()`,
}
