// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

type Price is uint128;

library Ledger {
    struct Entry { uint128 amount; uint64 since; string note; }

    function raise(mapping(address => Entry) storage entries, address who, uint128 by) external {
        Entry storage entry = entries[who];
        entry.amount += by;
    }
}

contract Variables {
    enum Colour { red, green, blue }
    struct Point { uint8 x; int16 y; }
    struct Shape { Colour colour; Point[] corners; string name; }

    uint256 internal total = 7;
    mapping(address => Ledger.Entry) internal entries;
    uint256[] internal list;
    bool internal failed;

    modifier counted() {
        total++;
        _;
        total += 10;
    }

    function run(uint256[] calldata items, Colour colour) external counted returns (uint256 early, bytes3 tag) {
        Price price = Price.wrap(12);
        Shape memory shape = build(colour);
        uint8 small = 255;
        unchecked { small += 1; }
        Ledger.Entry storage entry = entries[msg.sender];
        Ledger.raise(entries, msg.sender, 5);
        entry.note = "first";
        list.push(items[1]);
        try this.refuse(3) returns (uint256 got) {
            early = got;
        } catch Error(string memory why) {
            tag = bytes3(bytes(why));
        }
        for (uint256 i = 0; ; i++) {
            if (i == 1) continue;
            uint256 twice = 2 * i;
            if (twice == 4) { early = pick(i, shape.corners.length); break; }
        }
        assembly { let hidden := add(early, 1) sstore(0x99, hidden) }
        if (Price.unwrap(price) > 1) return (early + small, tag);
        tag = 0x999999;
    }

    function build(Colour colour) internal pure returns (Shape memory made) {
        made.colour = colour;
        made.corners = new Point[](2);
        made.corners[1] = Point(3, -4);
        made.name = "line";
    }

    function pick(uint256 a, uint256 b) internal pure returns (uint256) {
        if (a > b) { uint256 more = a - b; return more; }
        { uint256 inner = b * 100; a = inner; }
        uint256 inner = a + b;
        return inner;
    }

    function refuse(uint256 value) external returns (uint256) {
        failed = true;
        total = 1000;
        require(value == 0, "abcdef");
        return value;
    }
}
