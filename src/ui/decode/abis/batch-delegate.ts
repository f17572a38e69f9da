import { parseAbi } from 'viem'

/** What accounts are delegated to for bundles of calls; `BatchDelegate.sol` (`src/node/rpc/methods/wallet/`). */
export const BATCH_DELEGATE_ABI = parseAbi([
  'error OnlyByTheAccount(address caller)',
  'function execute((address to, uint256 value, bytes data)[] calls) payable',
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
  'function supportsInterface(bytes4 id) pure returns (bool)',
  'function onERC721Received(address, address, uint256, bytes) pure returns (bytes4)',
  'function onERC1155Received(address, address, uint256, uint256, bytes) pure returns (bytes4)',
  'function onERC1155BatchReceived(address, address, uint256[], uint256[], bytes) pure returns (bytes4)',
  'fallback() external payable',
  'receive() external payable',
])
