// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IL1Block {
    function basefee() external view returns (uint256);
    function blobBaseFee() external view returns (uint256);
    function baseFeeScalar() external view returns (uint32);
    function blobBaseFeeScalar() external view returns (uint32);
    function operatorFeeScalar() external view returns (uint32);
    function operatorFeeConstant() external view returns (uint64);
}

/// Tells what an OP chain charges besides gas, at 0x420000000000000000000000000000000000000F, by the rules of Fjord and
/// Isthmus. All values are those of L1Block.
contract GasPriceOracle {
    IL1Block private constant L1 = IL1Block(0x4200000000000000000000000000000000000015);

    uint256 public constant DECIMALS = 6;
    string public constant version = "blinknet";
    bool public constant isEcotone = true;
    bool public constant isFjord = true;
    bool public constant isIsthmus = true;
    bool public constant isJovian = false;

    /// What the caller gives has no signature yet; this many bytes are added for one.
    uint256 private constant SIGNATURE = 68;
    /// The size by Brotli is estimated from the size by FastLZ, in millionths of a byte.
    int256 private constant INTERCEPT = -42_585_600;
    int256 private constant SLOPE = 836_500;
    int256 private constant SMALLEST = 100_000_000;

    /// FastLZ: entries of the table of earlier positions, the farthest that a match refers to, and the longest match.
    uint256 private constant TABLE = 8_192;
    uint256 private constant FARTHEST = 8_191;
    uint256 private constant LONGEST = 262;

    error DeprecatedSinceEcotone();

    /// Wei for a transaction in RLP, unsigned.
    function getL1Fee(bytes calldata transaction) external view returns (uint256) {
        return feeOf(compressedLength(transaction) + SIGNATURE);
    }

    /// The most wei for a transaction of that many bytes, unsigned; 99.99 % of all cost less.
    function getL1FeeUpperBound(uint256 unsignedSize) external view returns (uint256) {
        uint256 size = unsignedSize + SIGNATURE;
        return feeOf(size + size / 255 + 16);
    }

    function getL1GasUsed(bytes calldata transaction) external pure returns (uint256) {
        return (estimatedSize(compressedLength(transaction) + SIGNATURE) * 16) / 1e6;
    }

    /// Wei that the operator gets for a transaction with that much gas.
    function getOperatorFee(uint256 gasUsed) external view returns (uint256) {
        uint256 perMillion = L1.operatorFeeScalar();
        uint256 most = type(uint256).max;
        uint256 product = perMillion != 0 && gasUsed > most / perMillion ? most : gasUsed * perMillion;
        // A millionth of anything leaves room for the constant.
        return product / 1e6 + L1.operatorFeeConstant();
    }

    function gasPrice() external view returns (uint256) {
        return block.basefee;
    }

    function baseFee() external view returns (uint256) {
        return block.basefee;
    }

    function l1BaseFee() external view returns (uint256) {
        return L1.basefee();
    }

    function blobBaseFee() external view returns (uint256) {
        return L1.blobBaseFee();
    }

    function baseFeeScalar() external view returns (uint32) {
        return L1.baseFeeScalar();
    }

    function blobBaseFeeScalar() external view returns (uint32) {
        return L1.blobBaseFeeScalar();
    }

    function decimals() external pure returns (uint256) {
        return DECIMALS;
    }

    function overhead() external pure returns (uint256) {
        revert DeprecatedSinceEcotone();
    }

    function scalar() external pure returns (uint256) {
        revert DeprecatedSinceEcotone();
    }

    function feeOf(uint256 compressed) private view returns (uint256) {
        uint256 perByte = uint256(L1.baseFeeScalar()) * 16 * L1.basefee() + L1.blobBaseFeeScalar() * L1.blobBaseFee();
        return (estimatedSize(compressed) * perByte) / 1e12;
    }

    /// In millionths of a byte.
    function estimatedSize(uint256 compressed) private pure returns (uint256) {
        int256 size = INTERCEPT + SLOPE * int256(compressed);
        return uint256(size < SMALLEST ? SMALLEST : size);
    }

    /// How many bytes FastLZ, level 1, makes of the input.
    function compressedLength(bytes memory input) private pure returns (uint256 length) {
        unchecked {
            uint256 size = input.length;
            uint256 anchor;
            if (size > 15) {
                uint256[] memory table = new uint256[](TABLE);
                uint256 last = size - 13;
                for (uint256 place = 2; place < last;) {
                    uint256 from;
                    uint256 word;
                    bool matches;
                    while (place < last && !matches) {
                        word = wordAt(input, place);
                        uint256 key = keyOf(word);
                        from = table[key];
                        table[key] = place;
                        // The last position is looked up, but never matched.
                        matches = place + 1 < last && place - from <= FARTHEST && word == wordAt(input, from);
                        if (!matches) ++place;
                    }
                    if (!matches) break;
                    if (place > anchor) length += literals(place - anchor);
                    uint256 matched;
                    uint256 end = size - 4;
                    while (place + 3 + matched < end && input[from + 3 + matched] == input[place + 3 + matched]) ++matched;
                    // The byte that differs counts, too.
                    if (place + 3 + matched < end) ++matched;
                    length += matchLength(matched);
                    place += matched;
                    table[keyOf(wordAt(input, place))] = place;
                    table[keyOf(wordAt(input, place + 1))] = place + 1;
                    place += 2;
                    anchor = place;
                }
            }
            length += literals(size - anchor);
        }
    }

    /// Three bytes, the lowest first.
    function wordAt(bytes memory input, uint256 place) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            let three := mload(add(add(input, 32), place))
            word := or(or(byte(0, three), shl(8, byte(1, three))), shl(16, byte(2, three)))
        }
    }

    function keyOf(uint256 word) private pure returns (uint256) {
        return ((word * 2_654_435_769) >> 19) & (TABLE - 1);
    }

    /// Bytes for a run of literals: one before each 32.
    function literals(uint256 run) private pure returns (uint256) {
        uint256 rest = run % 32;
        return 33 * (run / 32) + (rest == 0 ? 0 : rest + 1);
    }

    function matchLength(uint256 matched) private pure returns (uint256) {
        uint256 more = matched - 1;
        return 3 * (more / LONGEST) + (more % LONGEST >= 6 ? 3 : 2);
    }
}
