import type { Hex } from '#primitives/hex.ts'

/**
 * Names of functions that change something, after the standards: for lists, which need no more than a name, and in the
 * page's first script, which has no room for the ABIs.
 */
export const KNOWN_SELECTORS: ReadonlyMap<Hex, string> = new Map<Hex, string>([
  ['0xa9059cbb', 'transfer'],
  ['0x095ea7b3', 'approve'],
  ['0x23b872dd', 'transferFrom'],
  ['0xd505accf', 'permit'],
  ['0x42842e0e', 'safeTransferFrom'],
  ['0xb88d4fde', 'safeTransferFrom'],
  ['0xf242432a', 'safeTransferFrom'],
  ['0x2eb2c2d6', 'safeBatchTransferFrom'],
  ['0xa22cb465', 'setApprovalForAll'],
  ['0x150b7a02', 'onERC721Received'],
  ['0xf23a6e61', 'onERC1155Received'],
  ['0xbc197c81', 'onERC1155BatchReceived'],
  ['0xf2fde38b', 'transferOwnership'],
])
