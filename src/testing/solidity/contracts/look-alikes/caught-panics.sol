// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract CaughtPanics {
    uint256 internal sum;
    uint256[] internal list;
    mapping(uint256 => uint256[]) internal owned;
    constructor() { list.push(1); }
    function read(uint256 at) external view returns (uint256) { return list[at]; }
    function again(uint256 at) external returns (uint256) {
        try this.read(9) returns (uint256 got) {
            sum = got;
        } catch Error(string memory reason) {
            revert(reason);
        } catch (bytes memory) {
            sum = 7;
        }
        return list[at]; //@ again
    }
    function inner(uint256 at) external returns (uint256) {
        try this.read(9) returns (uint256 got) {
            sum = got;
        } catch Error(string memory reason) {
            revert(reason);
        } catch (bytes memory) {
            at = _own(at); //@ inner#1
        }
        return owned[2][sum];
    }
    function _own(uint256 at) internal returns (uint256) {
        require(list[at] != 0, "low"); //@ inner
        return at;
    }
}
