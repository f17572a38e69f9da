// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

type Price is uint128;

contract Parent {
    address internal owner = 0x1111111111111111111111111111111111111111;
    bool internal open = true;
}

contract Shop is Parent {
    enum Colour { red, green, blue }
    struct Item { uint64 id; uint64 amount; string name; mapping(address => uint256) sold; uint8[3] marks; }

    int8 internal small = -5;
    uint256 internal constant NONE = 5;
    uint256 internal immutable set = 7;
    Colour internal colour = Colour.blue;
    Price internal price = Price.wrap(12);
    bytes4 internal tag = 0xdeadbeef;
    string internal short = "hello";
    string internal long = "a text that is longer than the thirty-one bytes of a slot";
    bytes internal raw = hex"0102";
    uint256[] internal list;
    uint16[] internal packed;
    mapping(address => uint256) internal balances;
    mapping(address => mapping(uint256 => bool)) internal allowed;
    mapping(string => Item) internal items;
    mapping(bytes32 => string) internal notes;
    Item[] internal all;
    uint256[2][2] internal grid;
    mapping(int8 => uint256[]) internal byNumber;

    function fill() external {
        list.push(11);
        list.push(22);
        for (uint16 i = 1; i < 20; i++) packed.push(i);
        balances[0x2222222222222222222222222222222222222222] = 100;
        allowed[0x2222222222222222222222222222222222222222][7] = true;
        Item storage item = items["pen"];
        item.id = 3;
        item.amount = 4;
        item.name = "a pen";
        item.sold[0x3333333333333333333333333333333333333333] = 9;
        item.marks[2] = 8;
        notes[bytes32("key")] = "also a text that is longer than the thirty-one bytes of a slot";
        all.push();
        all.push();
        all[1].name = "second";
        all[1].sold[0x2222222222222222222222222222222222222222] = 5;
        grid[1][0] = 6;
        byNumber[-3].push(33);
    }

    function change() external {
        open = false;
        small = 4;
        long = "now short";
        balances[0x2222222222222222222222222222222222222222] -= 40;
        list[1] = 23;
    }
}
