// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// Arithmetic of BN254 by its precompiles.
library Curve {
  uint256 internal constant P = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47;

  struct Point {
    uint256 x;
    uint256 y;
  }

  function add(Point memory a, Point memory b) internal view returns (Point memory sum) {
    (bool ok, bytes memory answer) = address(6).staticcall(abi.encode(a, b));
    require(ok, 'bad point');
    (sum.x, sum.y) = abi.decode(answer, (uint256, uint256));
  }

  function mul(Point memory a, uint256 k) internal view returns (Point memory product) {
    (bool ok, bytes memory answer) = address(7).staticcall(abi.encode(a, k));
    require(ok, 'bad point');
    (product.x, product.y) = abi.decode(answer, (uint256, uint256));
  }

  function negated(Point memory a) internal pure returns (Point memory) {
    return a.y == 0 ? a : Point(a.x, P - a.y);
  }

  function pairing(bytes memory pairs) internal view returns (bool) {
    (bool ok, bytes memory answer) = address(8).staticcall(pairs);
    require(ok, 'bad pair');
    return abi.decode(answer, (uint256)) == 1;
  }
}

/// Checks proofs of Groth16: https://eprint.iacr.org/2016/260
contract Groth16Verifier {
  using Curve for Curve.Point;

  struct Key {
    Curve.Point alpha;
    uint256[4] beta;
    uint256[4] gamma;
    uint256[4] delta;
    Curve.Point[] inputs;
  }

  struct Proof {
    Curve.Point a;
    uint256[4] b;
    Curve.Point c;
  }

  function verify(Key memory key, Proof memory proof, uint256[] memory publics) external view returns (bool) {
    Curve.Point memory input = key.inputs[0];
    for (uint256 i = 0; i < publics.length; i++) input = input.add(key.inputs[i + 1].mul(publics[i]));
    return
      Curve.pairing(
        abi.encode(proof.a.negated(), proof.b, key.alpha, key.beta, input, key.gamma, proof.c, key.delta)
      );
  }
}

/// Checks proofs of Plonk: https://eprint.iacr.org/2019/953, with challenges of keccak256.
contract PlonkVerifier {
  using Curve for Curve.Point;

  uint256 private constant R = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001;

  struct Key {
    uint256 power;
    uint256 root;
    uint256 k1;
    uint256 k2;
    Curve.Point qm;
    Curve.Point ql;
    Curve.Point qr;
    Curve.Point qo;
    Curve.Point qc;
    Curve.Point s1;
    Curve.Point s2;
    Curve.Point s3;
    uint256[4] x2;
    uint256[4] one2;
  }

  struct Proof {
    Curve.Point a;
    Curve.Point b;
    Curve.Point c;
    Curve.Point z;
    Curve.Point t1;
    Curve.Point t2;
    Curve.Point t3;
    Curve.Point wXi;
    Curve.Point wXiW;
    uint256 a_;
    uint256 b_;
    uint256 c_;
    uint256 s1_;
    uint256 s2_;
    uint256 zw_;
  }

  struct Challenges {
    uint256 beta;
    uint256 gamma;
    uint256 alpha;
    uint256 xi;
    uint256 v;
    uint256 u;
    uint256 xiN;
    uint256 zeros;
    uint256 l1;
    uint256 pi;
  }

  function verify(Key memory key, Proof memory proof, uint256[] memory publics) external view returns (bool) {
    Challenges memory c = challenges(key, proof, publics);
    lagrange(key, publics, c);
    Curve.Point memory batch = linearisation(key, proof, c);
    uint256 power = c.v;
    batch = batch.add(proof.a.mul(power));
    batch = batch.add(proof.b.mul(power = times(power, c.v)));
    batch = batch.add(proof.c.mul(power = times(power, c.v)));
    batch = batch.add(key.s1.mul(power = times(power, c.v)));
    batch = batch.add(key.s2.mul(times(power, c.v)));
    batch = batch.add(Curve.Point(1, 2).mul(evaluation(proof, c)).negated());
    batch = batch.add(proof.wXi.mul(c.xi));
    batch = batch.add(proof.wXiW.mul(times(times(c.u, c.xi), key.root)));
    Curve.Point memory opening = proof.wXi.add(proof.wXiW.mul(c.u));
    return Curve.pairing(abi.encode(opening.negated(), key.x2, batch, key.one2));
  }

  function times(uint256 a, uint256 b) private pure returns (uint256) {
    return mulmod(a, b, R);
  }

  function plus(uint256 a, uint256 b) private pure returns (uint256) {
    return addmod(a, b, R);
  }

  function less(uint256 a, uint256 b) private pure returns (uint256) {
    return addmod(a, R - b, R);
  }

  function inverse(uint256 a) private view returns (uint256 result) {
    (bool ok, bytes memory answer) = address(5).staticcall(abi.encode(32, 32, 32, a, R - 2, R));
    require(ok, 'modexp failed');
    return abi.decode(answer, (uint256));
  }

  function challenges(
    Key memory key,
    Proof memory proof,
    uint256[] memory publics
  ) private pure returns (Challenges memory c) {
    bytes memory start = abi.encode(key.qm, key.ql, key.qr, key.qo, key.qc, key.s1, key.s2, key.s3);
    c.beta = uint256(keccak256(abi.encodePacked(start, publics, abi.encode(proof.a, proof.b, proof.c)))) % R;
    c.gamma = uint256(keccak256(abi.encode(c.beta))) % R;
    c.alpha = uint256(keccak256(abi.encode(c.beta, c.gamma, proof.z))) % R;
    c.xi = uint256(keccak256(abi.encode(c.alpha, proof.t1, proof.t2, proof.t3))) % R;
    c.v =
      uint256(keccak256(abi.encode(c.xi, proof.a_, proof.b_, proof.c_, proof.s1_, proof.s2_, proof.zw_))) %
      R;
    c.u = uint256(keccak256(abi.encode(proof.wXi, proof.wXiW))) % R;
  }

  /// Xiⁿ − 1, the first Lagrange polynomial at xi, and the public inputs' polynomial.
  function lagrange(Key memory key, uint256[] memory publics, Challenges memory c) private view {
    c.xiN = c.xi;
    for (uint256 i = 0; i < key.power; i++) c.xiN = times(c.xiN, c.xiN);
    c.zeros = less(c.xiN, 1);
    uint256 w = 1;
    for (uint256 i = 0; i < publics.length || i == 0; i++) {
      uint256 l = times(times(w, c.zeros), inverse(times(1 << key.power, less(c.xi, w))));
      if (i == 0) c.l1 = l;
      if (i < publics.length) c.pi = less(c.pi, times(publics[i], l));
      w = times(w, key.root);
    }
  }

  /// (a + βs₁ + γ)(b + βs₂ + γ)
  function permuted(Proof memory proof, Challenges memory c) private pure returns (uint256) {
    return
      times(
        plus(plus(proof.a_, times(c.beta, proof.s1_)), c.gamma),
        plus(plus(proof.b_, times(c.beta, proof.s2_)), c.gamma)
      );
  }

  function linearisation(
    Key memory key,
    Proof memory proof,
    Challenges memory c
  ) private view returns (Curve.Point memory d) {
    d = key.qm.mul(times(proof.a_, proof.b_));
    d = d.add(key.ql.mul(proof.a_)).add(key.qr.mul(proof.b_)).add(key.qo.mul(proof.c_)).add(key.qc);
    uint256 betaXi = times(c.beta, c.xi);
    uint256 ofZ = plus(plus(proof.a_, betaXi), c.gamma);
    ofZ = times(ofZ, plus(plus(proof.b_, times(betaXi, key.k1)), c.gamma));
    ofZ = times(ofZ, plus(plus(proof.c_, times(betaXi, key.k2)), c.gamma));
    ofZ = plus(times(ofZ, c.alpha), times(c.l1, times(c.alpha, c.alpha)));
    d = d.add(proof.z.mul(plus(ofZ, c.u)));
    uint256 ofS3 = times(permuted(proof, c), times(times(c.alpha, c.beta), proof.zw_));
    d = d.add(key.s3.mul(ofS3).negated());
    Curve.Point memory t = proof.t1.add(proof.t2.mul(c.xiN)).add(proof.t3.mul(times(c.xiN, c.xiN)));
    d = d.add(t.mul(c.zeros).negated());
  }

  function evaluation(Proof memory proof, Challenges memory c) private pure returns (uint256 e) {
    uint256 r0 = less(c.pi, times(c.l1, times(c.alpha, c.alpha)));
    r0 = less(r0, times(times(times(permuted(proof, c), plus(proof.c_, c.gamma)), proof.zw_), c.alpha));
    e = less(0, r0);
    uint256 power = c.v;
    e = plus(e, times(power, proof.a_));
    e = plus(e, times(power = times(power, c.v), proof.b_));
    e = plus(e, times(power = times(power, c.v), proof.c_));
    e = plus(e, times(power = times(power, c.v), proof.s1_));
    e = plus(e, times(times(power, c.v), proof.s2_));
    e = plus(e, times(c.u, proof.zw_));
  }
}
