// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {OwnableUpgradeable} from "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
import {ERC20Upgradeable} from "@openzeppelin/contracts-upgradeable/token/ERC20/ERC20Upgradeable.sol";

type Price is uint128;
type Keeper is address;

uint256 constant COUNT = 2;

contract Token is ERC20Upgradeable, OwnableUpgradeable {
    uint256 internal plain = 7;

    function initialize(address owner) external initializer {
        __ERC20_init("Named", "NMD");
        __Ownable_init(owner);
        _mint(owner, 500);
    }
}

// Each kind of type, once in a namespace and once as a variable, whose layout the compiler tells.
contract Kinds {
    enum Colour { red, green }

    struct Pair { uint8 small; bool open; uint256 large; }

    /// @custom:storage-location erc7201:example.main
    struct Main {
        uint128 a;
        address payable b;
        bool c;
        bytes4 d;
        int24 e;
        Colour colour;
        Price price;
        Keeper keeper;
        Kinds kinds;
        string text;
        bytes raw;
        Pair pair;
        uint16 after_;
        uint16[3] few;
        uint96[COUNT * 2 + 1] computed;
        uint256[2][3] grid;
        Pair[2] pairs;
        bytes32 word;
        uint64[] list;
        mapping(address => mapping(string => Pair)) nested;
        mapping(Keeper => Main[]) again;
        function (uint256) external returns (bool) outward;
        function (uint256) internal returns (bool) inward;
        uint8 last;
    }

    Main internal plain;
}

contract Twin is Kinds {
    /// @dev Another struct of the same name, in another namespace.
    /// @custom:storage-location erc7201:example.twin
    struct Main2 { uint256 x; }
}

/// @custom:storage-location erc7201:example.file
struct FileLayout { uint64 calls; }

function fileLayout() pure returns (FileLayout storage $) {
    bytes32 slot = keccak256(abi.encode(uint256(keccak256("example.file")) - 1)) & ~bytes32(uint256(0xff));
    assembly { $.slot := slot }
}

library Counters {
    /// @custom:storage-location erc7201:example.counters
    struct Layout { uint128 count; address last; mapping(address => uint256) byCaller; }

    function layout() private pure returns (Layout storage $) {
        bytes32 slot = keccak256(abi.encode(uint256(keccak256("example.counters")) - 1)) & ~bytes32(uint256(0xff));
        assembly { $.slot := slot }
    }

    function add(address caller) internal {
        Layout storage $ = layout();
        $.count++;
        $.last = caller;
        $.byCaller[caller] += 5;
        fileLayout().calls++;
    }
}

library Pauses {
    /// @custom:storage-location erc7201:example.pauses
    struct Layout { bool paused; }

    function set(bool paused) external {
        bytes32 slot = keccak256(abi.encode(uint256(keccak256("example.pauses")) - 1)) & ~bytes32(uint256(0xff));
        Layout storage $;
        assembly { $.slot := slot }
        $.paused = paused;
    }
}

// Its functions run on the storage of whoever calls them, but nobody does.
library Unused {
    /// @custom:storage-location erc7201:example.unused
    struct Layout { uint256 x; }

    function layout() internal pure returns (Layout storage $) {
        assembly { $.slot := 1 }
    }
}

// Called from outside, it has a storage of its own.
contract Outside {
    /// @custom:storage-location erc7201:example.outside
    struct Layout { uint256 x; }

    function touch() external {
        Layout storage $;
        assembly { $.slot := 1 }
        $.x++;
    }
}

contract Facet {
    function count(Outside outside) external {
        Counters.add(msg.sender);
        if (address(outside) != address(0)) outside.touch();
    }

    function pause() external {
        Pauses.set(true);
    }
}
