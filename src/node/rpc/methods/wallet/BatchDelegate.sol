// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// What accounts of the wallet delegate to (EIP-7702), so that several calls are one transaction: all of them or none.
/// It has no storage, no owner and no way to be changed.
contract BatchDelegate {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    error OnlyByTheAccount(address caller);

    /// Makes the calls in their order. If one fails, all are undone, and its revert data is that of the whole.
    function execute(Call[] calldata calls) external payable {
        // Its own transaction is the only way in: not even a contract that it calls comes back here.
        if (msg.sender != address(this)) revert OnlyByTheAccount(msg.sender);
        for (uint256 i; i < calls.length; ++i) {
            (bool succeeded, bytes memory output) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            if (!succeeded) {
                assembly ("memory-safe") {
                    revert(add(output, 32), mload(output))
                }
            }
        }
    }

    /// ERC-1271: contracts ask this of an account that has code, so without it permits that the account's key has signed
    /// would no longer be taken.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return 0xffffffff;
        bytes32 s = bytes32(signature[32:64]);
        // The other half of the curve's order would be a second signature for the same hash.
        if (uint256(s) > 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0) return 0xffffffff;
        address signer = ecrecover(hash, uint8(signature[64]), bytes32(signature[:32]), s);
        return signer == address(this) ? this.isValidSignature.selector : bytes4(0xffffffff);
    }

    /// ERC-721, which asks a recipient that has code.
    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC721Received.selector;
    }

    /// ERC-1155, which asks a recipient that has code.
    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC1155Received.selector;
    }

    /// ERC-1155, for several tokens.
    function onERC1155BatchReceived(address, address, uint256[] calldata, uint256[] calldata, bytes calldata)
        external
        pure
        returns (bytes4)
    {
        return this.onERC1155BatchReceived.selector;
    }

    /// ERC-165, for itself, ERC-721's and ERC-1155's receivers, and ERC-1271.
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x150b7a02 || id == 0x4e2312e0 || id == 0x1626ba7e;
    }

    /// An account takes ether and any data, as it did before it had code.
    fallback() external payable {}

    receive() external payable {}
}
