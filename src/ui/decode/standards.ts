import { type Abi, parseAbi } from 'viem'

/** An ABI shared by many contracts. */
export interface Standard {
  readonly name: string
  readonly abi: Abi
}

const ERC20 = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'event Transfer(address indexed from, address indexed to, uint256 amount)',
  'event Approval(address indexed owner, address indexed spender, uint256 amount)',
])

const ERC20_OR_721 = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function approve(address to, uint256 amountOrId)',
  'function transferFrom(address from, address to, uint256 amountOrId)',
  'function name() view returns (string)',
  'function symbol() view returns (string)',
])

const ERC721 = parseAbi([
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function getApproved(uint256 tokenId) view returns (address)',
  'function tokenURI(uint256 tokenId) view returns (string)',
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
  'function safeTransferFrom(address from, address to, uint256 tokenId, bytes data)',
  'function onERC721Received(address operator, address from, uint256 tokenId, bytes data) returns (bytes4)',
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)',
])

const ERC721_OR_1155 = parseAbi([
  'function setApprovalForAll(address operator, bool approved)',
  'function isApprovedForAll(address owner, address operator) view returns (bool)',
  'event ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
])

const ERC1155 = parseAbi([
  'function balanceOf(address account, uint256 id) view returns (uint256)',
  'function balanceOfBatch(address[] accounts, uint256[] ids) view returns (uint256[])',
  'function uri(uint256 id) view returns (string)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
  'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
  'function onERC1155Received(address operator, address from, uint256 id, uint256 amount, bytes data) returns (bytes4)',
  'function onERC1155BatchReceived(address operator, address from, uint256[] ids, uint256[] amounts, bytes data) returns (bytes4)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 amount)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] amounts)',
  'event URI(string value, uint256 indexed id)',
])

const ERC165 = parseAbi(['function supportsInterface(bytes4 interfaceId) view returns (bool)'])

const ERC173 = parseAbi([
  'function owner() view returns (address)',
  'function transferOwnership(address newOwner)',
  'event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
])

const ERC1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])

const ERC6093 = parseAbi([
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InvalidSender(address sender)',
  'error ERC20InvalidReceiver(address receiver)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error ERC20InvalidApprover(address approver)',
  'error ERC20InvalidSpender(address spender)',
  'error ERC721InvalidOwner(address owner)',
  'error ERC721NonexistentToken(uint256 tokenId)',
  'error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)',
  'error ERC721InvalidSender(address sender)',
  'error ERC721InvalidReceiver(address receiver)',
  'error ERC721InsufficientApproval(address operator, uint256 tokenId)',
  'error ERC721InvalidApprover(address approver)',
  'error ERC721InvalidOperator(address operator)',
  'error ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)',
  'error ERC1155InvalidSender(address sender)',
  'error ERC1155InvalidReceiver(address receiver)',
  'error ERC1155MissingApprovalForAll(address operator, address owner)',
  'error ERC1155InvalidApprover(address approver)',
  'error ERC1155InvalidOperator(address operator)',
  'error ERC1155InvalidArrayLength(uint256 idsLength, uint256 valuesLength)',
])

/** Tried in this order for an unknown address. */
export const STANDARDS: readonly Standard[] = [
  { name: 'ERC-20', abi: ERC20 },
  { name: 'ERC-20 or ERC-721', abi: ERC20_OR_721 },
  { name: 'ERC-721', abi: ERC721 },
  { name: 'ERC-721 or ERC-1155', abi: ERC721_OR_1155 },
  { name: 'ERC-1155', abi: ERC1155 },
  { name: 'ERC-165', abi: ERC165 },
  { name: 'ERC-173', abi: ERC173 },
  { name: 'ERC-1271', abi: ERC1271 },
  { name: 'ERC-6093', abi: ERC6093 },
]
