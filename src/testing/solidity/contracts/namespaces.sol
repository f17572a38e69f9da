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
