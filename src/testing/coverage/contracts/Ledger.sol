// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Amounts, half, Note} from "./Amounts.sol";

/// What coverage has to tell: each construct once, some of them executed, some not.
abstract contract Owned {
    address public immutable owner;
    uint256 internal uses;

    error NotOwner(address caller);

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        _;
        uses++;
    }

    modifier counted(uint256 most) {
        require(uses < most, "too many");
        _;
    }

    constructor(address first) {
        owner = first;
    }

    function rename() external virtual;
}

contract Ledger is Owned {
    using Amounts for uint256;

    struct Entry {
        uint256 amount;
        bool open;
    }

    mapping(address => Entry) public entries;
    address[] private members;
    uint256 public total = 7;
    string public name;

    event Paid(address indexed from, uint256 amount);

    error TooLittle(uint256 given, uint256 least);

    constructor(uint256 first) Owned(msg.sender) {
        if (first > 100) {
            total = first;
        } else {
            total += first;
        }
    }

    receive() external payable {
        pay();
    }

    fallback() external {
        revert("no such function");
    }

    function pay() public payable counted(50) {
        require(msg.value > 0, "nothing sent");
        if (msg.value < 10) revert TooLittle(msg.value, 10);
        Entry storage entry = entries[msg.sender];
        if (entry.amount == 0 && !entry.open) {
            members.push(msg.sender);
        }
        entry.amount += msg.value.net();
        entry.open = msg.value > 1000 ? true : false;
        total = total + msg.value;
        emit Paid(msg.sender, msg.value);
    }

    function sum(uint256 limit) external view returns (uint256 result) {
        for (uint256 i = 0; i < members.length; i++) {
            if (i == limit) break;
            if (!entries[members[i]].open) {
                continue;
            }
            result += entries[members[i]].amount;
        }
        uint256 n = limit;
        while (n > 3) {
            n = half(n);
        }
        do {
            n--;
        } while (n > 0);
    }

    function grade(uint256 amount) public pure returns (uint8) {
        if (amount > 1000) {
            return 3;
        } else if (amount > 100) {
            return 2;
        } else {
            return 1;
        }
    }

    function close(address member) external onlyOwner counted(3) returns (bool) {
        assert(total >= entries[member].amount);
        delete entries[member];
        return true;
    }

    function tryGrade(Ledger other, uint256 amount) external view returns (uint8 result) {
        try other.grade(amount) returns (uint8 given) {
            result = given;
        } catch Error(string memory) {
            result = 100;
        } catch {
            result = 200;
        }
    }

    function mix(uint256 a, uint256 b) external pure returns (uint256 c) {
        unchecked {
            c = a - b;
        }
        assembly {
            c := add(c, 1)
            if gt(c, 10) {
                c := 10
            }
            for { let i := 0 } lt(i, 3) { i := add(i, 1) } {
                c := xor(c, i)
            }
        }
        (uint256 d, uint256 e) = (a, b);
        c += d == e ? half(d) : e;
    }

    function rename() external override {
        name = "renamed";
        _never();
    }

    function _never() private {
        if (total == 0) {
            name = "never";
        }
        total = 1;
    }

    function spawn() external returns (Note made) {
        made = new Note(
            500
        );
    }
}
