// `npm run test:changed [BASE]`: runs the tests that what has changed since BASE (by default the last commit) can reach.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { printResults, showResult } from './print.ts'
import { withTestRun } from './suite-run.ts'
import { allTestFiles, isLong, testFile } from './suites.ts'

/** Modules that import everything: dependencies through them are ignored, and listed in the table below instead. */
const HUBS = /^src\/(?:app|main)\.ts$|^src\/(?:service|cli)\/|^src\/features\/mcp\//

/** Dependencies that imports do not show: changed files, and the path prefixes of the tests that cover them. */
const BEHIND: readonly [changed: RegExp, tests: readonly string[]][] = [
  [/^migrations\//, ['src/database/', 'test/api/']],
  [/^(?:src\/http\/|openapi\.json)/, ['src/http/', 'test/api/interface/', 'test/clients/', 'test/console/']],
  [/^clients\//, ['test/clients/', 'test/console/', 'test/browser/']],
  [/^console\//, ['test/console/', 'test/browser/']],
  [/^docs\/|\.md$/, ['test/documents/', 'test/commands/', 'test/api/manual/']],
  [/^(?:package(?:-lock)?\.json|src\/(?:app|context)\.ts|src\/service\/)/, ['src/', 'test/api/interface/']],
  [/^src\/cli\//, ['test/commands/']],
  [/^src\/features\/account-mail\//, ['test/api/approvals/']],
  [/^src\/features\/(?:applications|notifications|subscriptions)\//, ['test/api/push/']],
  [/^src\/features\/(?:captured|samples|rendering|designs)\//, ['test/api/actions/', 'test/api/designs/']],
  [/^src\/features\/forms\//, ['test/api/display/']],
  [/^src\/features\/(?:listeners|notices|tracking|webhooks|archives)\//, ['test/api/events/']],
  [/^src\/features\/reporting\//, ['test/api/reports/', 'test/api/campaigns/', 'test/api/contacts/']],
  [/^src\/features\/(?:gateway-settings|deliverability)\//, ['test/api/accounts/', 'test/api/sending/']],
  [/^src\/features\/capping\//, ['test/api/pressure/', 'test/api/workflows/']],
  [/^src\/features\/rcs-profiles\/|^src\/features\/actions\/rcs\//, ['test/api/rcs/']],
  [
    /^src\/(?:scripting|features\/script-host)\//,
    ['test/api/scripts/', 'test/api/webtasks/', 'test/api/pipelines/', 'test/api/workflows/'],
  ],
  [/^src\/channels\/email\//, ['test/api/actions/', 'test/api/sending/']],
  [/^src\/channels\/push\//, ['test/api/push/']],
  [/^src\/channels\/(?:sms|rcs)\//, ['test/api/rcs/', 'test/api/sending/']],
  [/^src\/sending\//, ['test/api/sending/', 'test/api/actions/']],
]

interface Module {
  source: string
  dependencies: { resolved: string }[]
}

const git = (...words: string[]): string[] =>
  execFileSync('git', words, { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '')

/** Files that differ from a commit, those that git does not know among them. */
function changedFiles(base: string): string[] {
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]
}

/** The modules that import each module. */
function readImporters(): Map<string, string[]> {
  const words = ['depcruise', 'src', 'test', 'scripts', '--no-config', '--output-type', 'json']
  const options = { encoding: 'utf8', maxBuffer: 2 ** 30 } as const
  const { modules } = JSON.parse(
    execFileSync('npx', [...words, '--ts-pre-compilation-deps', '--do-not-follow', 'node_modules'], options),
  ) as { modules: Module[] }
  const importers = new Map<string, string[]>()
  for (const { source, dependencies } of modules)
    for (const { resolved } of dependencies) importers.set(resolved, [...(importers.get(resolved) ?? []), source])
  return importers
}

/** All that imports what has changed, itself or by others. */
function reachable(changed: readonly string[], importers: ReadonlyMap<string, string[]>): Set<string> {
  const reached = new Set<string>(changed)
  const queue = [...changed]
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (HUBS.test(file) && !changed.includes(file)) continue
    for (const importer of importers.get(file) ?? [])
      if (!reached.has(importer)) {
        reached.add(importer)
        queue.push(importer)
      }
  }
  return reached
}

/** The folder of the interface's tests that has the name of a room. */
function folderOf(file: string): string[] {
  const room = /^src\/features\/([^/]+)\//.exec(file)?.[1]
  return room && existsSync(`test/api/${room}`) ? [`test/api/${room}/`] : []
}

const { positionals } = parseArgs({ allowPositionals: true })
const startedAt = performance.now()
const changed = changedFiles(positionals[0] ?? 'HEAD')
const reached = reachable(changed, readImporters())
const folders = changed.flatMap((file) => [
  ...folderOf(file),
  ...BEHIND.flatMap(([pattern, tests]) => (pattern.test(file) ? tests : [])),
])
const files = allTestFiles().filter(
  (file) => reached.has(file) || (!isLong(file) && folders.some((folder) => file.startsWith(folder))),
)
console.log(`${changed.length} files have changed; ${files.length} files of tests can notice`)
const results = await withTestRun((run) =>
  run(
    files.map((file) => testFile(file)),
    { onResult: showResult },
  ),
)
process.exitCode = printResults(results, { startedAt }) ? 0 : 1
