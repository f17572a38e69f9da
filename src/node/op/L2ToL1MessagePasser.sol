// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Where an OP chain's messages to its L1 begin, at 0x4200000000000000000000000000000000000016. Here they end as well: there
/// is no L1 to prove them on.
contract L2ToL1MessagePasser {
    uint16 public constant MESSAGE_VERSION = 1;
    string public constant version = "blinknet";
    uint256 private constant RECEIVE_GAS_LIMIT = 100_000;

    /// Slot 0, which proofs of withdrawals are about.
    mapping(bytes32 withdrawal => bool isSent) public sentMessages;
    uint240 private sent;

    event MessagePassed(
        uint256 indexed nonce,
        address indexed sender,
        address indexed target,
        uint256 value,
        uint256 gasLimit,
        bytes data,
        bytes32 withdrawalHash
    );

    /// Ether that is sent here is for the same address on L1.
    receive() external payable {
        send(msg.sender, RECEIVE_GAS_LIMIT, "");
    }

    function initiateWithdrawal(address target, uint256 gasLimit, bytes calldata data) external payable {
        send(target, gasLimit, data);
    }

    /// The version in the highest two bytes, and how many were sent.
    function messageNonce() public view returns (uint256) {
        return (uint256(MESSAGE_VERSION) << 240) | sent;
    }

    function send(address target, uint256 gasLimit, bytes memory data) private {
        uint256 nonce = messageNonce();
        bytes32 withdrawal = keccak256(abi.encode(nonce, msg.sender, target, msg.value, gasLimit, data));
        sentMessages[withdrawal] = true;
        emit MessagePassed(nonce, msg.sender, target, msg.value, gasLimit, data, withdrawal);
        ++sent;
    }
}
