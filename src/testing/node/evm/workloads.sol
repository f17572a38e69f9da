// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

contract Token {
  mapping(address => uint256) public balanceOf;
  event Transfer(address indexed from, address indexed to, uint256 value);
  function mint(address to, uint256 value) external { balanceOf[to] += value; }
  function transfer(address to, uint256 value) external returns (bool) {
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value;
    emit Transfer(msg.sender, to, value);
    return true;
  }
}

contract Child { uint256 public value; constructor(uint256 v) { value = v; } }

contract Pair {
  Token public a = new Token();
  Token public b = new Token();
  uint112 reserveA;
  uint112 reserveB;
  event Swap(address indexed sender, uint256 amountIn, uint256 amountOut);
  constructor() {
    a.mint(address(this), 1e24);
    b.mint(address(this), 1e24);
    (reserveA, reserveB) = (1e24, 1e24);
  }
  function swap(uint256 amountIn, bool fromA) public returns (uint256 out) {
    (uint256 x, uint256 y) = fromA ? (reserveA, reserveB) : (reserveB, reserveA);
    uint256 withFee = amountIn * 997;
    out = withFee * y / (x * 1000 + withFee);
    (Token into, Token from) = fromA ? (a, b) : (b, a);
    into.mint(address(this), amountIn);
    from.transfer(msg.sender, out);
    uint256 newA = a.balanceOf(address(this));
    uint256 newB = b.balanceOf(address(this));
    require(newA * newB >= uint256(reserveA) * reserveB, "k");
    (reserveA, reserveB) = (uint112(newA), uint112(newB));
    emit Swap(msg.sender, amountIn, out);
  }
}

contract Workloads {
  mapping(uint256 => uint256) slots;
  Pair public pair = new Pair();

  function hashing(uint256 n) external pure returns (bytes32 h) {
    for (uint256 i = 0; i < n; i++) h = keccak256(abi.encodePacked(h, i));
  }
  function arithmetic(uint256 n) external pure returns (uint256 x) {
    x = 1;
    unchecked { for (uint256 i = 0; i < n; i++) { x = x * 6364136223846793005 + 1442695040888963407 + i; x ^= x >> 33; } }
  }
  function checkedArithmetic(uint256 n) external pure returns (uint256 x) {
    for (uint256 i = 0; i < n; i++) x += i * i % 7 + i / 3;
  }
  function mulmods(uint256 n) external pure returns (uint256 x) {
    x = 7;
    uint256 p = 21888242871839275222246405745257275088548364400416034343698204186575808495617;
    for (uint256 i = 0; i < n; i++) { x = mulmod(x, x, p); x = addmod(x, i, p); }
  }
  function storing(uint256 n) external { for (uint256 i = 0; i < n; i++) slots[i] = i + 1; }
  function loading(uint256 n) external view returns (uint256 x) { for (uint256 i = 0; i < n; i++) x += slots[i % 100]; }
  function copying(uint256 n) external pure returns (uint256 x) {
    bytes memory source = new bytes(4096);
    for (uint256 i = 0; i < n; i++) { source[i % 4096] = bytes1(uint8(i)); bytes memory copy = bytes.concat(source); x += uint8(copy[i % 4096]); assembly { mstore(0x40, copy) } }
  }
  function nothing() external pure {}
  function calling(uint256 n) external view { for (uint256 i = 0; i < n; i++) this.nothing(); }
  function creating(uint256 n) external { for (uint256 i = 0; i < n; i++) new Child(i); }
  function sorting(uint256 n) external pure returns (uint256) {
    uint256[] memory a = new uint256[](n);
    uint256 x = 12345;
    unchecked { for (uint256 i = 0; i < n; i++) { x = x * 1103515245 + 12345; x %= 1 << 31; a[i] = x; } }
    for (uint256 i = 1; i < n; i++) { uint256 v = a[i]; uint256 j = i; while (j > 0 && a[j - 1] > v) { a[j] = a[j - 1]; j--; } a[j] = v; }
    return a[n / 2];
  }
  function swapping(uint256 n) external { for (uint256 i = 0; i < n; i++) pair.swap(1e18, i % 2 == 0); }
}
