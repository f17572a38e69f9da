import type { Build, Code } from '#solidity/build/build.ts'

/** In which forms the same compilation can come in: with or without AST, and `functionDebugData`. */
export const FORMS = {
  everything: (build: Build) => build,
  'AST only': (build: Build) => withoutFunctions(build),
  'functionDebugData only': (build: Build) => withoutAst(build),
  neither: (build: Build) => withoutAst(withoutFunctions(build)),
} as const

function withCode(build: Build, change: (code: Code) => Code): Build {
  const contracts = build.contracts.map((contract) => ({
    ...contract,
    creation: contract.creation && change(contract.creation),
    deployed: contract.deployed && change(contract.deployed),
  }))
  return { ...build, contracts }
}

function withoutFunctions(build: Build): Build {
  return withCode(build, (code) => ({ ...code, functions: [] }))
}

/** Foundry leaves out the AST by default, and with it what the compiler says about generated code. */
function withoutAst(build: Build): Build {
  const sources = build.sources.map((source) => ({ ...source, ast: undefined }))
  return withCode({ ...build, sources }, (code) => ({ ...code, generatedSources: [] }))
}
