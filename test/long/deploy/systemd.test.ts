import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { processRoles, readConfig } from '../../../src/config.ts'
import { assertAccepted } from './accepted.ts'
import { mentionedSettings, ROOT, read, readAssignments, settingNames } from './checkout.ts'
import { writers } from './compose.ts'

const FOLDER = 'deploy/systemd'
const INSTALLED = '/opt/stentor/'
const UNITS = ['stentor.service', 'stentor@.service'] as const

/** Directives of a unit, each with all its values. */
function directivesOf(unit: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [name, value] of readAssignments(read(`${FOLDER}/${unit}`)))
    found.set(name, [...(found.get(name) ?? []), value])
  return found
}

/** The words of ExecStart of a unit after the program itself. */
function wordsOf(unit: string, instance = ''): string[] {
  const [line = ''] = directivesOf(unit).get('ExecStart') ?? []
  const [program, ...words] = line.replace('%i', instance).split(' ')
  assert.equal(program, `${INSTALLED}bin/stentor`)
  return words
}

const settingsIn = (name: string): Record<string, string> =>
  Object.fromEntries(readAssignments(read(`${FOLDER}/env/${name}.env`)))

/** What keeps a service that is broken into from the rest of the machine. */
const HARDENING = {
  User: 'stentor',
  NoNewPrivileges: 'yes',
  CapabilityBoundingSet: '',
  ProtectSystem: 'strict',
  ProtectHome: 'yes',
  PrivateTmp: 'yes',
  PrivateDevices: 'yes',
  ProtectKernelModules: 'yes',
  RestrictSUIDSGID: 'yes',
  RestrictNamespaces: 'yes',
  SystemCallArchitectures: 'native',
  UMask: '0077',
}

suite('systemd units', () => {
  test("pass systemd's verification for each role", async (t) => {
    if (spawnSync('systemd-analyze', ['--version']).error) return t.skip('systemd-analyze is not installed')
    const folder = await mkdtemp(join(tmpdir(), 'stentor-units-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const put = (name: string, from: string) =>
      writeFile(
        join(folder, name),
        read(`${FOLDER}/${from}`).replaceAll(INSTALLED, ROOT).replaceAll(INSTALLED.slice(0, -1), ROOT),
      )
    await put('stentor.service', 'stentor.service')
    await put('stentor.target', 'stentor.target')
    const instances = processRoles.map((role) => `stentor@${role}.service`)
    for (const instance of instances) await put(instance, 'stentor@.service')
    const units = ['stentor.service', 'stentor.target', ...instances].map((name) => join(folder, name))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], { encoding: 'utf8' })
    const ours = stderr.split('\n').filter((line) => line.includes('stentor'))
    assert.deepEqual([status, ours], [0, []])
  })

  test('start the program with valid arguments', async () => {
    await assertAccepted(wordsOf('stentor.service'))
    await Promise.all(processRoles.map((role) => assertAccepted(wordsOf('stentor@.service', role))))
  })

  test('are isolated from the rest of the machine and write only to their own directory', () => {
    for (const unit of UNITS) {
      const directives = directivesOf(unit)
      const found = Object.fromEntries(Object.keys(HARDENING).map((name) => [name, directives.get(name)?.at(-1)]))
      assert.deepEqual(found, HARDENING, unit)
      assert.ok(directives.get('StateDirectory')?.[0]?.startsWith('stentor'))
      assert.equal(directives.has('ReadWritePaths'), false)
    }
  })

  test('are restarted after a failure and have enough time to stop cleanly', () => {
    const [, limit = ''] = /^const STOP_MS = ([\d_]+)$/m.exec(read('src/service/service.ts')) ?? []
    for (const unit of UNITS) {
      const directives = directivesOf(unit)
      assert.deepEqual([directives.get('Restart'), directives.get('KillMode')], [['on-failure'], ['mixed']])
      const [stop = ''] = directives.get('TimeoutStopSec') ?? []
      assert.match(stop, /^\d+s$/)
      assert.ok(Number.parseInt(stop, 10) * 1000 >= Number(limit.replaceAll('_', '')) + 5000, stop)
    }
  })

  test('have valid settings, a port for each role and a directory for each role with journals or spools', () => {
    const known = settingNames()
    const shared = settingsIn('stentor')
    for (const name of ['stentor', ...processRoles])
      for (const setting of mentionedSettings(read(`${FOLDER}/env/${name}.env`))) assert.ok(known.has(setting), setting)
    const configs = new Map(processRoles.map((role) => [role, readConfig({ ...shared, ...settingsIn(role) })]))
    const ports = [...configs.values()].map(({ httpPort }) => httpPort)
    assert.equal(new Set(ports).size, processRoles.length)
    for (const role of writers) {
      const { dataDir } = configs.get(role)!
      assert.equal(dataDir, `/var/lib/stentor/${role}`)
      assert.equal([...configs.values()].filter((other) => other.dataDir === dataDir).length, 1)
    }
    assert.equal(configs.get('api')?.dataDir, configs.get('jobs')?.dataDir)
    const state = directivesOf('stentor@.service').get('StateDirectory')?.[0]?.split(' ')
    assert.deepEqual(state, ['stentor', 'stentor/%i', 'stentor/files'])
  })

  test('come with a command that the shell can parse', () => {
    assert.equal(spawnSync('sh', ['-n', join(ROOT, FOLDER, 'stentor')]).status, 0)
    assert.ok(read(`${FOLDER}/stentor`).includes(`${INSTALLED}bin/stentor "$@"`))
  })
})
