// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

type Rate is int64;
uint256 constant BASE = 0x100;

library Levels {
    uint8 internal constant TOP = 7;
}

interface IThing {}

contract Parent {
    enum State { none, open, closed }
    bytes32 public constant ROLE = keccak256("ROLE");
    uint16 internal transient depth;
    address public immutable maker = msg.sender;
}

contract Fixed is Parent {
    uint256 public constant doubled = BASE * 2 + 5;
    uint256 public constant ether3 = 3 ether;
    int256 public constant low = type(int256).min;
    int8 public constant negative = -7;
    uint8 public constant top = Levels.TOP;
    uint128 public constant most = type(uint128).max;
    bytes4 public constant tag = bytes4(keccak256("f()"));
    bytes4 public constant digits = 0x01020304;
    bytes32 public constant word = "word";
    bytes32 public constant slot = bytes32(uint256(keccak256("eip1967.proxy.admin")) - 1);
    address public constant dead = 0x000000000000000000000000000000000000dEaD;
    IThing public constant thing = IThing(address(0x1234));
    State public constant state = State.closed;
    Rate public constant rate = Rate.wrap(-3);
    bool public constant on = !false;
    string public constant text = unicode"größe";
    bytes public constant raw = hex"c0ffee";
    uint8 public constant cut = uint8(BASE + 3);
    uint256 public constant shifted = BASE << 4 | 1;
    uint256 public constant deep = (doubled - BASE) / 2;
    bytes32 public constant hashed = keccak256(abi.encode(ROLE));
    Rate public immutable rated;
    State public immutable begun;
    bytes3 public immutable left;
    bool transient locked;
    int32 transient moved;
    address transient who;
    uint256 stored;

    constructor() {
        rated = Rate.wrap(-9);
        begun = State.open;
        left = 0x616263;
        stored = uint256(uint24(left));
    }

    /** Writes that a failing call undoes, and others that stay. */
    function pass() external returns (bool, int32, address, uint16) {
        locked = true;
        moved = -5;
        try this.fail() {} catch {}
        who = msg.sender;
        depth = 3;
        return (locked, moved, who, depth);
    }

    function fail() external {
        moved = 77;
        revert();
    }
}
