import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { type Abi, decodeFunctionResult, encodeFunctionData } from 'viem'
import { describe, expect, test } from 'vitest'
import { createTestNode } from '#testing/node/test-node.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../../testing/node/evm')
const VERIFIER = `0x${'a'.repeat(40)}` as const
const G2_GENERATOR = [
  11559732032986387107991004021392285783925812861821192530917403151452391805634n,
  10857046999023057135944570762232829481370756359578518086990519993285655852781n,
  4082367875863433681332203403145435568316851327593401208105741076214120093531n,
  8495653923123431417604973247489272438418190587263600148770280649306958101930n,
]

type Coordinates = readonly string[]

/** What snarkjs writes of Groth16; numbers are decimal texts. */
interface Groth16Record {
  readonly key: Record<'vk_alpha_1', Coordinates> &
    Record<'vk_beta_2' | 'vk_gamma_2' | 'vk_delta_2' | 'IC', readonly Coordinates[]>
  readonly proof: Record<'pi_a' | 'pi_c', Coordinates> & Record<'pi_b', readonly Coordinates[]>
  readonly publics: readonly string[]
}

type PlonkPoint = 'Qm' | 'Ql' | 'Qr' | 'Qo' | 'Qc' | 'S1' | 'S2' | 'S3'
type PlonkCommitment = 'A' | 'B' | 'C' | 'Z' | 'T1' | 'T2' | 'T3' | 'Wxi' | 'Wxiw'
type PlonkEvaluation = 'eval_a' | 'eval_b' | 'eval_c' | 'eval_s1' | 'eval_s2' | 'eval_zw'

/** What snarkjs writes of Plonk. */
interface PlonkRecord {
  readonly key: Record<PlonkPoint, Coordinates> &
    Record<'X_2', readonly Coordinates[]> &
    Record<'power', number> &
    Record<'w' | 'k1' | 'k2', string>
  readonly proof: Record<PlonkCommitment, Coordinates> & Record<PlonkEvaluation, string>
  readonly publics: readonly string[]
}

const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string }
const { contracts } = JSON.parse(
  solc.compile(
    JSON.stringify({
      language: 'Solidity',
      sources: { 'verifiers.sol': { content: readFileSync(path.join(FOLDER, 'verifiers.sol'), 'utf8') } },
      settings: {
        viaIR: true,
        optimizer: { enabled: true, runs: 200 },
        outputSelection: { '*': { '*': ['abi', 'evm.deployedBytecode.object'] } },
      },
    }),
  ),
) as { contracts: { 'verifiers.sol': Record<string, { abi: Abi; evm: { deployedBytecode: { object: string } } }> } }
const proofs = JSON.parse(readFileSync(path.join(FOLDER, 'proofs.json'), 'utf8')) as {
  readonly groth16: Groth16Record
  readonly plonk: PlonkRecord
}

/** A point of the first group; (0 : 1 : 0) is infinity. */
const point = ([x, y, z]: Coordinates) =>
  z === '0' ? { x: 0n, y: 0n } : { x: BigInt(x as string), y: BigInt(y as string) }
/** A point of the second group, whose imaginary parts come first in the precompile. */
const twisted = ([x, y]: readonly Coordinates[]) =>
  [x, y].flatMap((pair) => [BigInt(pair?.[1] ?? ''), BigInt(pair?.[0] ?? '')])
const numbers = (values: readonly string[]) => values.map(BigInt)

const groth16 = {
  name: 'Groth16Verifier',
  key: {
    alpha: point(proofs.groth16.key.vk_alpha_1),
    beta: twisted(proofs.groth16.key.vk_beta_2),
    gamma: twisted(proofs.groth16.key.vk_gamma_2),
    delta: twisted(proofs.groth16.key.vk_delta_2),
    inputs: proofs.groth16.key.IC.map(point),
  },
  proof: {
    a: point(proofs.groth16.proof.pi_a),
    b: twisted(proofs.groth16.proof.pi_b),
    c: point(proofs.groth16.proof.pi_c),
  },
  publics: numbers(proofs.groth16.publics),
}

const { key, proof } = proofs.plonk
const plonk = {
  name: 'PlonkVerifier',
  key: {
    power: BigInt(key.power),
    root: BigInt(key.w),
    k1: BigInt(key.k1),
    k2: BigInt(key.k2),
    qm: point(key.Qm),
    ql: point(key.Ql),
    qr: point(key.Qr),
    qo: point(key.Qo),
    qc: point(key.Qc),
    s1: point(key.S1),
    s2: point(key.S2),
    s3: point(key.S3),
    x2: twisted(key.X_2),
    one2: G2_GENERATOR,
  },
  proof: {
    a: point(proof.A),
    b: point(proof.B),
    c: point(proof.C),
    z: point(proof.Z),
    t1: point(proof.T1),
    t2: point(proof.T2),
    t3: point(proof.T3),
    wXi: point(proof.Wxi),
    wXiW: point(proof.Wxiw),
    a_: BigInt(proof.eval_a),
    b_: BigInt(proof.eval_b),
    c_: BigInt(proof.eval_c),
    s1_: BigInt(proof.eval_s1),
    s2_: BigInt(proof.eval_s2),
    zw_: BigInt(proof.eval_zw),
  },
  publics: numbers(proofs.plonk.publics),
}

describe.each(['wasm', 'reference'] as const)('on the engine %s', (engine) => {
  test.each([groth16, plonk])('$name accepts a proof of snarkjs, and no other public input', async (system) => {
    const { request } = await createTestNode({ engine })
    const compiled = contracts['verifiers.sol'][system.name]
    if (!compiled) throw new Error(`${system.name} does not compile`)
    const { abi, evm } = compiled
    const verify = async (publics: readonly bigint[]) => {
      const data = encodeFunctionData({ abi, functionName: 'verify', args: [system.key, system.proof, publics] })
      const overrides = { [VERIFIER]: { code: `0x${evm.deployedBytecode.object}` } }
      const answer = await request('eth_call', [{ to: VERIFIER, data }, 'latest', overrides])
      return decodeFunctionResult({ abi, functionName: 'verify', data: answer })
    }
    expect(await verify(system.publics)).toBe(true)
    expect(await verify(system.publics.map((value, i) => (i === 0 ? value + 1n : value)))).toBe(false)
  })
})
