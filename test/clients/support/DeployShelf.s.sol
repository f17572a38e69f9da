// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// The cheat codes of forge that the script uses.
interface Vm {
    function startBroadcast() external;
    function stopBroadcast() external;
}

contract Shelf {
    event Stored(address indexed by, uint256 number);

    uint256 public number;
    address public owner;

    constructor(uint256 first) payable {
        number = first;
        owner = msg.sender;
    }

    function store(uint256 wanted) external {
        require(wanted != 0, "nothing to store");
        number = wanted;
        emit Stored(msg.sender, wanted);
    }
}

contract DeployShelf {
    Vm private constant VM = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// Deploys a shelf and writes to it twice, then another at an address that depends on the salt.
    function run(uint256 first, bytes32 salt) external returns (Shelf shelf, Shelf salted) {
        VM.startBroadcast();
        shelf = new Shelf{value: 3}(first);
        shelf.store(first + 1);
        shelf.store(shelf.number() * 2);
        salted = new Shelf{salt: salt}(first);
        VM.stopBroadcast();
    }
}
