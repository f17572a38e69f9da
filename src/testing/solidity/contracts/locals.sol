// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Other {
    event Done(uint256 x);

    function twice(uint256 x) external returns (uint256) {
        emit Done(x); //@ emits
        return 2 * x; //@ twice
    }
}

contract Debugged {
    Other internal other;
    uint256 internal stored;

    modifier bounded(uint256 most) {
        uint256 least = 1;
        require(stored >= least - 1 && most > 0);
        _;
    }

    constructor() {
        other = new Other();
    }

    function run(uint256 n, string calldata text, bool flag) external bounded(9) returns (uint256 result) {
        uint256 a = n + 1; //@ first
        int8 b = -3;
        string memory copy = text;
        uint256[] memory list = new uint256[](2);
        list[1] = 5;
        if (flag) { //@ branch
            uint256 inner = a * 2;
            stored = inner; //@ inside
        }
        for (uint256 i = 0; i < 2; i++) {
            a += add(i, 10); //@ loop
        }
        (uint256 c, bytes4 d) = pair(); //@ pair
        uint256 e = other.twice(a); //@ calls
        result = c + e + uint32(d) + uint256(int256(b) + 3) + bytes(copy).length + list[1]; //@ last
    }

    function add(uint256 x, uint256 y) internal pure returns (uint256) {
        uint256 sum = x + y; //@ add
        return sum; //@ sum
    }

    function pair() internal pure returns (uint256, bytes4) {
        return (7, 0x01020304);
    }
}
