// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Callee {
    uint256[] internal list = [1, 2, 3];
    function first(uint256 x, uint256 y) public view returns (uint256) { return (y >= 7 ? list[4] : x); }
    function second(uint256 x, uint256 y) public pure returns (uint256) { return y % x + 7; }
    function third(uint256, uint256 y) public pure returns (uint256) { return y; }
}
contract LoopTwins {
    uint256 internal a = 4;
    uint256 internal b = 7;
    uint256 internal sum;
    uint256[] internal list = [1, 2, 3];
    mapping(uint256 => uint256[]) internal owned;
    Callee internal callee = new Callee();
    function looped(uint256 x, uint256 y) external returns (uint256) {
        unchecked {
            sum = x;
        }
        while (x < 1) {
            sum = owned[9][x]; //@ looped
            x++;
        }
        try callee.second(b, y) returns (uint256 got) {
            sum = got - x;
        } catch Error(string memory reason) {
            revert(reason);
        } catch (bytes memory) {
            sum = callee.second(sum, y);
        }
        return owned[x][y]; //@ after
    }
    function other(uint256 x, uint256 y) public returns (uint256) {
        callee.first(a, sum);
        try callee.third(x, y) returns (uint256 got) {
            sum = got - x;
        } catch Error(string memory reason) {
            revert(reason);
        } catch (bytes memory data) {
            assembly {
                revert(add(data, 32), mload(data))
            }
        }
        return list[x];
    }
}
