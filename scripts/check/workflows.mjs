// Checks what GitHub and Docker read, none of which runs here: workflows, templates, Dependabot, the Dockerfile and the
// compose file. Usage: workflows.mjs [folder of the repository]
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseDocument } from 'yaml'

/**
 * @typedef {{ run?: string, uses?: string }} Step
 * @typedef {{ 'timeout-minutes'?: number, steps?: Step[], strategy?: { matrix?: { node?: string[] } } }} Job
 * @typedef {{ permissions?: unknown, jobs?: Record<string, Job> }} Workflow
 */

const WORKFLOWS = '.github/workflows/'
const COMPOSE = 'examples/docker/compose.yaml'
/** Actions of GitHub itself, by a major version that Dependabot moves. */
const ACTION = /^actions\/[\w-]+@v\d+$/
/** The project's address, whose owner is a placeholder until somebody fills it in. */
const ADDRESS = /github\.com\/([\w-]+)\/blinknet\b/g

const root = path.resolve(process.argv[2] ?? '.')
/** @type {string[]} */
const found = []
const read = (/** @type {string} */ file) => readFileSync(path.join(root, file), 'utf8')
/** @type {{ version: string, engines: { node: string }, scripts: Record<string, string>, repository: { url: string } }} */
const manifest = JSON.parse(read('package.json'))

/** @param {string} file @returns {unknown} */
function parse(file) {
  const document = parseDocument(read(file))
  for (const { message } of document.errors) found.push(`${file}: ${message.split('\n', 1)[0]}`)
  return document.errors.length === 0 ? document.toJS() : undefined
}

/** Programs and scripts that a step runs exist. @param {string} place @param {string} run */
function checkCommand(place, run) {
  if (run.includes('${{')) found.push(`${place}: values come by \`env\`, so that nobody's text becomes a command`)
  for (const [, script = ''] of run.matchAll(/npm run (?:--\S+ )*([\w:-]+)/g)) {
    if (manifest.scripts[script] === undefined) found.push(`${place}: package.json has no script ${script}`)
  }
  for (const [, program = ''] of run.matchAll(/(?:^|node )((?:scripts|\.ci)\/[\w./-]+)/g)) {
    if (!existsSync(path.join(root, program))) found.push(`${place}: there is no ${program}`)
  }
}

/** @param {string} file @param {Workflow} workflow */
function checkWorkflow(file, { permissions, jobs = {} }) {
  if (permissions === undefined) found.push(`${file}: it has no \`permissions\`, so it may have all`)
  for (const [name, job] of Object.entries(jobs)) {
    const place = `${file}: ${name}`
    if (job['timeout-minutes'] === undefined) found.push(`${place}: without \`timeout-minutes\` it may hang for hours`)
    for (const { run, uses } of job.steps ?? []) {
      if (run !== undefined) checkCommand(place, run)
      if (uses !== undefined && !ACTION.test(uses))
        found.push(`${place}: ${uses} is no action of GitHub's, by its version`)
    }
  }
}

/** CI runs the lowest version of each range of `engines`, and none that they leave out. @param {Workflow} ci */
function checkVersions({ jobs = {} }) {
  const tested = Object.values(jobs).flatMap(({ strategy }) => strategy?.matrix?.node ?? [])
  const ranges = manifest.engines.node.split('||').map((range) => ({
    open: range.includes('>='),
    lowest: /\d+(?:\.\d+)*/.exec(range)?.[0] ?? '',
  }))
  for (const { lowest } of ranges) {
    if (!tested.some((version) => `${version}.`.startsWith(`${lowest}.`)))
      found.push(`${WORKFLOWS}ci.yml: no job runs Node.js ${lowest}, which \`engines\` names`)
  }
  for (const version of tested) {
    const major = Number.parseInt(version, 10)
    const isNamed = ranges.some(({ open, lowest }) => {
      const least = Number.parseInt(lowest, 10)
      return open ? major >= least : major === least
    })
    if (!isNamed) found.push(`${WORKFLOWS}ci.yml: Node.js ${version} is not in \`engines\``)
  }
}

/** What the Dockerfile copies is not ignored, and its commands are lists. */
function checkDockerfile() {
  const lines = read('Dockerfile').replace(/\\\n/g, '').split('\n')
  const allowed = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))
  for (const name of allowed) {
    if (!existsSync(path.join(root, name))) found.push(`.dockerignore: there is no ${name}`)
  }
  for (const line of lines) {
    const [instruction = '', ...words] = line.split(' ')
    if (instruction === 'COPY' && !words[0]?.startsWith('--from') && words[0] !== '.') {
      for (const name of words.slice(0, -1)) {
        if (!allowed.includes(name)) found.push(`Dockerfile: ${name} is ignored by .dockerignore`)
      }
    }
    const list = /^(?:ENTRYPOINT|CMD|HEALTHCHECK .*CMD) (.*)$/.exec(line)?.[1]
    if (list === undefined) continue
    try {
      JSON.parse(list)
    } catch (error) {
      found.push(`Dockerfile: ${instruction} is no list: ${String(error)}`)
    }
  }
  for (const needed of ['USER', 'EXPOSE', 'VOLUME', 'HEALTHCHECK']) {
    if (!lines.some((line) => line.startsWith(`${needed} `))) found.push(`Dockerfile: it has no ${needed}`)
  }
}

const github = readdirSync(path.join(root, '.github'), { recursive: true, encoding: 'utf8' })
  .map((file) => path.posix.join('.github', file.split(path.sep).join('/')))
  .filter((file) => /\.(?:ya?ml|md)$/.test(file))
if (!github.some((file) => file.startsWith(WORKFLOWS)))
  throw new Error(`no workflows under ${root}: nothing was checked`)
for (const file of [...github, COMPOSE].filter((name) => !name.endsWith('.md'))) {
  const content = parse(file)
  if (content === undefined || !file.startsWith(WORKFLOWS)) continue
  const workflow = /** @type {Workflow} */ (content)
  checkWorkflow(file, workflow)
  if (file === `${WORKFLOWS}ci.yml`) checkVersions(workflow)
}
checkDockerfile()

const owner = [...manifest.repository.url.matchAll(ADDRESS)][0]?.[1]
for (const file of [...github, 'Dockerfile', 'README.md', 'CONTRIBUTING.md', 'package.json']) {
  for (const [, other] of read(file).matchAll(ADDRESS)) {
    if (other !== owner) found.push(`${file}: its owner is ${other}, that of package.json is ${owner}`)
  }
}

for (const line of found) console.error(line)
console.log(`workflows: ${github.length} files, ${found.length} violations`)
process.exitCode = found.length === 0 ? 0 : 1
