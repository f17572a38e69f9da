// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// What an OP chain knows of its L1, at 0x4200000000000000000000000000000000000015. The storage is laid out as everywhere on
/// the OP stack, since the node reads it there: what is charged for L1 is what stands here.
contract L1Block {
    // Slot 0.
    uint64 public number;
    uint64 public timestamp;
    // Slot 1: wei per gas.
    uint256 public basefee;
    // Slot 2.
    bytes32 public hash;
    // Slot 3. The scalars have six decimals.
    uint64 public sequenceNumber;
    uint32 public blobBaseFeeScalar;
    uint32 public baseFeeScalar;
    // Slots 4 to 6; the last two had a meaning before Ecotone.
    bytes32 public batcherHash;
    uint256 public l1FeeOverhead;
    uint256 public l1FeeScalar;
    // Slot 7: wei per unit of blob gas.
    uint256 public blobBaseFee;
    // Slot 8: wei, and wei for a million gas.
    uint64 public operatorFeeConstant;
    uint32 public operatorFeeScalar;

    error NotDepositor();
    error UnknownLayout(uint256 length, uint256 expected);

    string public constant version = "blinknet";

    function DEPOSITOR_ACCOUNT() public pure returns (address) {
        return 0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001;
    }

    function gasPayingToken() external pure returns (address addr, uint8 decimals) {
        return (0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE, 18);
    }

    function gasPayingTokenName() external pure returns (string memory) {
        return "Ether";
    }

    function gasPayingTokenSymbol() external pure returns (string memory) {
        return "ETH";
    }

    function isCustomGasToken() external pure returns (bool) {
        return false;
    }

    /// The values follow the selector without padding: scalars of base fee and blob base fee (4 bytes each), sequence number,
    /// timestamp and number (8 each), base fee, blob base fee, hash and hash of the batcher (32 each).
    function setL1BlockValuesEcotone() external {
        setValues(164);
    }

    /// As for Ecotone, then the operator fee's scalar (4 bytes) and constant (8).
    function setL1BlockValuesIsthmus() external {
        setValues(176);
        operatorFeeScalar = uint32(bytes4(msg.data[164:168]));
        operatorFeeConstant = uint64(bytes8(msg.data[168:176]));
    }

    function setValues(uint256 length) private {
        if (msg.sender != DEPOSITOR_ACCOUNT()) revert NotDepositor();
        if (msg.data.length != length) revert UnknownLayout(msg.data.length, length);
        baseFeeScalar = uint32(bytes4(msg.data[4:8]));
        blobBaseFeeScalar = uint32(bytes4(msg.data[8:12]));
        sequenceNumber = uint64(bytes8(msg.data[12:20]));
        timestamp = uint64(bytes8(msg.data[20:28]));
        number = uint64(bytes8(msg.data[28:36]));
        basefee = uint256(bytes32(msg.data[36:68]));
        blobBaseFee = uint256(bytes32(msg.data[68:100]));
        hash = bytes32(msg.data[100:132]);
        batcherHash = bytes32(msg.data[132:164]);
    }
}
