// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// The right lines of a failure are marked behind them: "@f" is where f fails, "@f#1" what called that, and so on.

error Freestanding(address who, uint256 amount);

function freeHalf(uint256 x) pure returns (uint256) {
    require(x % 2 == 0, "odd"); //@ freeFunction
    return x / 2;
}

library Maths {
    error TooLarge(uint256 value, uint256 limit);

    function limited(uint256 x, uint256 limit) internal pure returns (uint256) {
        if (x > limit) revert TooLarge(x, limit); //@ libraryInternal
        return x;
    }

    function checkedExternal(uint256 x) external pure returns (uint256) {
        require(x < 10, unicode"größer als zehn"); //@ libraryExternal
        return x;
    }
}

interface Missing {
    function answer() external returns (uint256);
    function nothing() external;
}

contract Callee { //@ noFunction sendsValue proxied
    error Refused(string why);

    uint256 public count;

    function refuse() external pure {
        revert Refused("never"); //@ nested rethrown caughtRethrown delegated
    }

    function refuseEmpty() external pure {
        revert(); //@ nestedEmpty
    }

    function burn() external pure {
        uint256 x;
        while (true) x++;
    }

    function pay() external {}

    function through(Callee other) external {
        other.refuse(); //@ nested#1
    }

    function short() external pure {
        assembly {
            return(0, 1)
        }
    }
}

abstract contract Base {
    address internal immutable boss;
    uint256 internal limit = 100;

    error NotBoss(address who);

    constructor(uint256 start) {
        require(start != 13, "unlucky"); //@ baseConstructor
        boss = msg.sender;
    }

    modifier onlyBoss() {
        if (msg.sender != boss) revert NotBoss(msg.sender); //@ modifierCustom
        _;
    }

    modifier below(uint256 x) {
        require(x < limit, "limit"); //@ modifierArgument twoModifiers
        _;
        require(limit != 0, "after"); //@ modifierAfter
    }

    function inherited(uint256 x) public view virtual returns (uint256) {
        require(x != 1, "one"); //@ inheritedFunction superCall
        return limit - x; //@ inheritedUnderflow
    }
}

contract Failures is Base {
    using Maths for uint256;

    struct Item { uint256 id; string name; }
    enum Colour { red, green }

    Callee public callee;
    uint256[] internal list;
    mapping(address => uint256) public balances;
    uint256 public total;
    bytes internal data;
    function (uint256) internal returns (uint256) pointer;

    constructor(Callee callee_) Base(7) {
        callee = callee_;
        list.push(1);
    }

    // Requires and reverts.

    function requireText(uint256 x) external pure {
        require(x > 5, "too small"); //@ requireText
    }

    function requireBare(uint256 x) external pure {
        require(x > 5); //@ requireBare
    }

    function requireSecond(uint256 x) external pure returns (uint256) {
        require(x < 50);
        require(x > 6); //@ requireSecond
        return x;
    }

    function revertText() external pure {
        revert("no reason to go on"); //@ revertText
    }

    function revertBare(uint256 x) external pure returns (uint256) {
        if (x == 0) {
            revert(); //@ revertBare
        }
        return x;
    }

    function revertCustom(uint256 x) external view {
        if (x == 1) {
            revert Freestanding( //@ revertCustom
                msg.sender,
                x
            );
        } else if (x == 2) {
            revert Freestanding(address(0), 7); //@ revertCustomOther
        }
    }

    function requireCustom(uint256 x) external view {
        require(x > 3, Freestanding(msg.sender, x)); //@ requireCustom
    }

    function longCondition(uint256 x, uint256 y) external pure returns (uint256) {
        require( //@ longCondition
            x > 5 &&
                y > 5,
            "both"
        );
        return x + y;
    }

    function twins(uint256 x) external returns (uint256) {
        if (x < 10) {
            total = 1;
            require(x != 4); //@ twinsFirst
        } else {
            total = 2;
            require(x != 14); //@ twinsSecond
        }
        return x;
    }

    function sameText(uint256 x, bool first) external {
        if (first) {
            require(x != 4, "same"); //@ sameTextFirst
        } else {
            require(x != 4, "same"); //@ sameTextSecond
        }
        total = x;
    }

    function assertion(uint256 x) external pure {
        assert(x != 4); //@ assertion
    }

    // Panics.

    function overflow(uint256 x) external pure returns (uint256) {
        uint256 y = 3;
        return x + y; //@ overflow
    }

    function overflowSecond(uint256 x) external pure returns (uint256) {
        uint256 y = x + 1;
        y = y + 1; //@ overflowSecond
        return y;
    }

    function underflow(uint256 x) external view returns (uint256) {
        return total - x; //@ underflow
    }

    function division(uint256 x) external view returns (uint256) {
        return x / total; //@ division
    }

    function modulo(uint256 x) external view returns (uint256) {
        return x % total; //@ modulo
    }

    function outOfBounds(uint256 i) external view returns (uint256) {
        return list[i]; //@ outOfBounds
    }

    function outOfBoundsMemory(uint256 i) external pure returns (uint256) {
        uint256[] memory values = new uint256[](2);
        values[0] = 1;
        return values[i]; //@ outOfBoundsMemory
    }

    function outOfBoundsCalldata(uint256[] calldata values, uint256 i) external pure returns (uint256) {
        return values[i]; //@ outOfBoundsCalldata
    }

    function emptyPop() external {
        list.pop();
        list.pop(); //@ emptyPop
    }

    function badEnum(uint256 x) external pure returns (Colour) {
        return Colour(x); //@ badEnum
    }

    function nullPointer() external returns (uint256) {
        return pointer(1); //@ nullPointer
    }

    function tooMuchMemory(uint256 n) external pure returns (uint256) {
        uint256[] memory values = new uint256[](n); //@ tooMuchMemory
        return values.length;
    }

    function increment(uint8 x) external pure returns (uint8) {
        x++; //@ increment
        return x;
    }

    // Through functions, modifiers, libraries.

    function internalCalls(uint256 x) external returns (uint256) {
        total = 1;
        return _first(x); //@ internalCalls#2
    }

    function _first(uint256 x) internal returns (uint256) {
        total += x;
        return _second(x) + 1; //@ internalCalls#1
    }

    function _second(uint256 x) internal returns (uint256) {
        require(x < 100, "second"); //@ internalCalls
        total *= x;
        return total;
    }

    function sharedHelper(uint256 x, bool first) external returns (uint256) {
        if (first) {
            total = 3;
            return _positive(x); //@ sharedHelperFirst#1
        }
        total = 4;
        return _positive(x) + 1; //@ sharedHelperSecond#1
    }

    function _positive(uint256 x) private pure returns (uint256) {
        if (x == 0) revert("zero"); //@ sharedHelperFirst sharedHelperSecond modifiedCall
        return x;
    }

    function recursive(uint256 x) public returns (uint256) {
        if (x == 0) revert("bottom"); //@ recursive
        total++;
        return recursive(x - 1) + 1; //@ recursive#1 recursive#2
    }

    function modifierCustom() external onlyBoss { //@ modifierCustom#1
        total = 1;
    }

    function modifierArgument(uint256 x) external below(x) { //@ modifierArgument#1
        total = x;
    }

    function modifierAfter(uint256 x) external below(x) { //@ modifierAfter#1
        limit = 0;
    }

    function modifiedBody(uint256 x) external below(x) returns (uint256) {
        total = 3;
        require(x != 5, "five"); //@ modifiedBody
        return _positive(x); //@ modifiedCall#1
    }

    function twoModifiers(uint256 x)
        external
        below(50)
        below(x) //@ twoModifiers#1
    {
        total = x;
    }

    function inherited(uint256 x) public view override returns (uint256) {
        if (x == 1) return super.inherited(x); //@ superCall#1
        return super.inherited(x) + 1; //@ inheritedUnderflow#1
    }

    function libraryInternal(uint256 x) external pure returns (uint256) {
        return x.limited(5); //@ libraryInternal#1
    }

    function libraryExternal(uint256 x) external pure returns (uint256) {
        return Maths.checkedExternal(x); //@ libraryExternal#1
    }

    function freeFunction(uint256 x) external pure returns (uint256) {
        return freeHalf(x); //@ freeFunction#1
    }

    // Functions that become the same code.

    function copyOne(uint256 x) external {
        require(x != 4, "copy"); //@ copyOne
        total = x;
    }

    function copyTwo(uint256 x) external {
        require(x != 4, "copy"); //@ copyTwo
        total = x;
    }

    function bareOne(uint256 x) external {
        if (x == 4) revert(); //@ bareOne
        total = x + 1;
    }

    function bareTwo(uint256 x) external {
        if (x == 4) revert(); //@ bareTwo
        total = x + 1; //@ overflowTwo
    }

    function innerOne(uint256 x) external returns (uint256) {
        return _innerOne(x) + 7; //@ innerOne#1
    }

    function innerTwo(uint256 x) external returns (uint256) {
        return _innerTwo(x) + 8; //@ innerTwo#1
    }

    function _innerOne(uint256 x) internal returns (uint256) {
        total = x * 2;
        require(x > 4 && total != 5, "inner"); //@ innerOne
        return total / 3 + x;
    }

    function _innerTwo(uint256 x) internal returns (uint256) {
        total = x * 2;
        require(x > 4 && total != 5, "inner"); //@ innerTwo
        return total / 3 + x;
    }

    // Calls.

    function nested() external {
        total = 1;
        callee.through(callee); //@ nested#2
        total = 2;
    }

    function nestedEmpty() external {
        callee.refuseEmpty(); //@ nestedEmpty#1
        total = 2;
    }

    function caughtSame() external {
        try callee.refuse() {
            total = 1;
        } catch {
            total = 2;
        }
        revert Callee.Refused("never"); //@ caughtSame
    }

    function caughtAndWentOn(uint256 x) external {
        try callee.refuseEmpty() {
            total = 1;
        } catch {}
        require(x != 3); //@ caughtAndWentOn
    }

    function caughtThenOwn() external {
        try callee.refuse() {
            total = 1;
        } catch {
            total = 2;
        }
        revert("own"); //@ caughtThenOwn
    }

    function rethrown() external view {
        (bool ok, bytes memory result) = address(callee).staticcall(abi.encodeCall(Callee.refuse, ())); //@ rethrown#1
        if (!ok) {
            assembly {
                revert(add(result, 32), mload(result))
            }
        }
    }

    function caughtRethrown() external {
        try callee.refuse() { //@ caughtRethrown#1
            total = 1;
        } catch (bytes memory reason) {
            assembly {
                revert(add(reason, 32), mload(reason))
            }
        }
    }

    function caughtReworded() external {
        try callee.refuse() {
            total = 1;
        } catch (bytes memory reason) {
            require(reason.length == 0, "reworded"); //@ caughtReworded
        }
    }

    function delegated() external {
        (bool ok, bytes memory result) = address(callee).delegatecall(abi.encodeCall(Callee.refuse, ())); //@ delegated#1
        if (!ok) {
            assembly {
                revert(add(result, 32), mload(result))
            }
        }
    }

    function lowLevel() external {
        (bool ok, ) = address(callee).call(abi.encodeCall(Callee.refuseEmpty, ()));
        require(ok); //@ lowLevel
    }

    function lowLevelText() external {
        (bool ok, ) = address(callee).call(abi.encodeCall(Callee.refuse, ()));
        require(ok, "call failed"); //@ lowLevelText
    }

    function noContract() external {
        Missing(address(0x1234)).nothing(); //@ noContract
    }

    function noContractReturn() external returns (uint256) {
        return Missing(address(0x1234)).answer(); //@ noContractReturn
    }

    function shortReturn() external returns (uint256) {
        return Missing(address(new Short())).answer(); //@ shortReturn
    }

    function noFunction() external {
        Missing(address(callee)).nothing(); //@ noFunction#1
    }

    function sendsValue() external payable {
        payable(address(callee)).transfer(msg.value); //@ sendsValue#1
    }

    function notEnough() external {
        payable(address(0x9999)).transfer(1 ether); //@ notEnough
    }

    function creates(uint256 x) external {
        new Picky(x); //@ creates#1
    }

    function burnsGas() external {
        for (uint256 i = 0; i < 1_000_000; i++) {
            total += i; //@ burnsGas
        }
    }

    function notPayable() external { //@ notPayable
        total = 1;
    }

    function takesStruct(Item calldata item, uint8 small) external { //@ badArguments
        total = item.id + small;
    }

    receive() external payable {
        require(msg.value != 3, "three"); //@ receives
    }
}

contract Unlucky is Base {
    constructor(uint256 x) Base(x + 3) { //@ baseConstructor#1 baseArgument
        limit = x;
    }
}

contract Short {
    fallback() external {
        assembly {
            return(0, 1)
        }
    }
}

contract Picky {
    uint256 internal immutable chosen;
    uint256 internal doubled = twice(21);

    constructor(uint256 x) { //@ constructorValue constructorArguments
        require(x != 3, "not three"); //@ creates constructorFails
        chosen = x;
        check(x); //@ constructorInternal#1
    }

    function twice(uint256 x) internal pure returns (uint256) {
        return 2 * x;
    }

    function check(uint256 x) internal pure {
        require(x != 4, "not four"); //@ constructorInternal
    }
}

contract Proxy {
    address internal immutable implementation;

    constructor(address implementation_) {
        implementation = implementation_;
    }

    fallback() external payable {
        address target = implementation;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), target, 0, calldatasize(), 0, 0) //@ proxied#1
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

contract NoReceive { //@ noReceive noSuchFunction
    uint256 public x;
}

contract WithFallback {
    fallback() external {
        revert("fell"); //@ fallbackFails
    }
}

contract TooLarge {
    constructor() {
        assembly {
            return(0, 30000)
        }
    }
}

contract Factory {
    function make() external {
        new TooLarge(); //@ tooLarge#1
    }
}
