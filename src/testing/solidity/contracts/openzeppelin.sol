// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC20Votes} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Votes.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";

contract Token is ERC20, ERC20Permit, ERC20Votes, Ownable, Pausable {
    constructor() ERC20("Token", "TKN") ERC20Permit("Token") Ownable(msg.sender) {
        _mint(msg.sender, 1000);
    }

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    function pause() external onlyOwner {
        _pause();
    }

    function unpause() external onlyOwner {
        _unpause();
    }

    function careful(address to) external whenNotPaused {
        _transfer(msg.sender, to, 2000);
    }

    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Votes) {
        super._update(from, to, value);
    }

    function nonces(address owner) public view override(ERC20Permit, Nonces) returns (uint256) {
        return super.nonces(owner);
    }
}

contract Things is ERC721, AccessControl {
    bytes32 public constant MINTER = keccak256("MINTER");

    constructor() ERC721("Things", "THG") {
        _grantRole(DEFAULT_ADMIN_ROLE, msg.sender);
        _mint(msg.sender, 1);
    }

    function mint(address to, uint256 id) external onlyRole(MINTER) {
        _mint(to, id);
    }

    function safe(address to, uint256 id) external {
        _safeMint(to, id);
    }

    function supportsInterface(bytes4 id) public view override(ERC721, AccessControl) returns (bool) {
        return super.supportsInterface(id);
    }
}

contract Vault is ReentrancyGuard {
    using SafeERC20 for IERC20;
    using Address for address;
    using EnumerableSet for EnumerableSet.UintSet;

    IERC20 internal token;
    EnumerableSet.UintSet internal set;
    mapping(address => uint256) public shares;

    constructor(IERC20 token_) {
        token = token_;
    }

    function deposit(uint256 amount) external nonReentrant {
        token.safeTransferFrom(msg.sender, address(this), amount);
        shares[msg.sender] += amount;
    }

    function withdraw(uint256 amount) external nonReentrant {
        shares[msg.sender] -= amount;
        token.safeTransfer(msg.sender, amount);
    }

    function forward(address target, bytes calldata data) external {
        target.functionCall(data);
    }

    function again() external nonReentrant {
        this.withdraw(0);
    }

    function at(uint256 i) external view returns (uint256) {
        return set.at(i);
    }

    function send(address payable to) external {
        Address.sendValue(to, 1 ether);
    }
}

contract Upgradeable is ERC1967Proxy {
    constructor(address implementation) ERC1967Proxy(implementation, abi.encodeWithSignature("decimals()")) {}
}
