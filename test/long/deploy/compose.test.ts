import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { BlockList } from 'node:net'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { processRoles, readConfig } from '../../../src/config.ts'
import { assertAccepted } from './accepted.ts'
import { knownFiles, ROOT, read, readAssignments, settingNames } from './checkout.ts'
import { programsOf, readCompose, variablesOf, writers } from './compose.ts'
import { allOf, environmentOf, readContainerfile } from './containerfile.ts'

const FILES = ['deploy/compose.yaml', 'deploy/compose.scaled.yaml']
const image = readContainerfile(read('deploy/Containerfile')).at(-1)!
const exposed = allOf(image, 'EXPOSE').flatMap((rest) => rest.split(' '))
const DATA = '/var/lib/stentor'

/** Settings that the program does not know yet. */
const COMING = ['STENTOR_EVENTS_URL', 'STENTOR_EVENTS_HOT_DAYS']

/** Of the environment of a service, what the program is given. */
function settingsOf(environment: Record<string, string | number> = {}): Record<string, string> {
  const given = Object.entries(environment).filter(([name]) => !COMING.includes(name))
  return { ...environmentOf(image), ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])) }
}

const volumeAt = (volumes: readonly string[] | undefined, place: string): string | undefined =>
  volumes?.map((volume) => volume.split(':')).find(([, target]) => target === place)?.[0]

for (const path of FILES) {
  const file = readCompose(path)
  const { services } = file
  const programs = programsOf(file)

  suite(path, () => {
    test('passes the program only known and valid settings', () => {
      const known = settingNames()
      for (const [name, { environment = {} }] of programs) {
        const unknown = Object.keys(environment).filter((setting) => !known.has(setting))
        assert.deepEqual(unknown, [], name)
        const config = readConfig(settingsOf(environment))
        assert.deepEqual([config.httpHost, config.httpPort, config.dataDir], ['0.0.0.0', 8080, DATA])
        assert.ok(!config.development)
      }
      const keys = programs.map(([, { environment }]) => environment?.['STENTOR_MASTER_KEY'])
      assert.deepEqual(keys, Array(programs.length).fill(Buffer.alloc(32, 7).toString('base64')))
    })

    test('runs every role, with valid commands', async () => {
      assert.deepEqual(
        processRoles.filter((role) => !programs.some(([, , played]) => played.includes(role))),
        [],
      )
      const commands = new Set(programs.map(([, { command = [] }]) => command.join(' ')))
      await Promise.all([...commands].map((command) => assertAccepted(command.split(' '))))
    })

    test('shares no data directory of a process with journals or spools', () => {
      const used = programs.map(([name, { volumes }, played]) => {
        const volume = volumeAt(volumes, DATA)
        assert.ok(volume, `${name} keeps its data in no volume`)
        return { volume, name, writes: played.some((role) => writers.includes(role)) }
      })
      for (const { volume, name } of used.filter(({ writes }) => writes))
        assert.deepEqual(
          used.filter((other) => other.volume === volume && other.name !== name),
          [],
        )
    })

    test('declares the volumes it uses and mounts existing files', (t) => {
      const sources = Object.values(services).flatMap(({ volumes = [] }) =>
        volumes.map((volume) => volume.split(':')[0]!),
      )
      const named = sources.filter((source) => !source.startsWith('.'))
      assert.deepEqual([...new Set(named)].sort(), Object.keys(file.volumes).sort())
      const files = knownFiles()
      if (!files) return t.skip('this is no checkout of git')
      for (const source of sources.filter((candidate) => candidate.startsWith('./')))
        assert.ok(files.includes(join('deploy', source)), source)
    })

    test('has an image for every service, a build for ours, and waits only for checked or finite services', () => {
      for (const [name, { image: from, build, depends_on = {}, restart }] of Object.entries(services)) {
        assert.match(from ?? '', /^[a-z]+(\/[a-z-]+)?(:[\w.]+)?$/, `${name}: an image without a host`)
        assert.ok(restart, `${name} says when it is started again`)
        if (build) assert.ok(existsSync(join(ROOT, 'deploy', build.context, build.dockerfile)))
        for (const [other, { condition }] of Object.entries(depends_on)) {
          const awaited = services[other]
          assert.ok(awaited, `${name} waits for ${other}`)
          const isChecked = awaited.image === 'stentor' || awaited.healthcheck !== undefined
          assert.ok(condition === 'service_completed_successfully' || isChecked, `${other} has no health check`)
        }
      }
      for (const [name, { build, stop_grace_period: grace = '' }] of programs)
        assert.ok(build && Number.parseInt(grace, 10) >= 15, `${name} is built here, and has the time to stop`)
    })

    test('routes to ports that are listened on and publishes nothing else', () => {
      for (const [name, { ports = [] }] of programs)
        for (const port of ports) assert.ok(exposed.includes(port.split(':').at(-1)!), `${name}: ${port}`)
      const proxy = services['proxy']!
      for (const role of ['api', 'tracking', 'inbound'] as const) {
        const [host, port] = String(proxy.environment?.[`STENTOR_${role.toUpperCase()}`]).split(':')
        const played = programs.find(([name]) => name === host)?.[2]
        assert.ok(played?.includes(role), `${host} plays ${role}`)
        assert.equal(port, '8080')
      }
      const published = Object.entries(services).filter(([name, { ports }]) => ports && name !== 'proxy')
      assert.ok(
        published.every(([, { image: from }]) => from === 'stentor'),
        'stores are published to nobody',
      )
    })

    test('refers to existing stores with their account, password and ports', () => {
      const [, { environment = {} }] = programs[0]!
      const database = new URL(String(environment['STENTOR_DATABASE_URL']))
      const { image: from, environment: made, volumes } = services[database.hostname]!
      assert.deepEqual([from, database.port], ['postgres:18', '5432'])
      assert.deepEqual(
        [database.username, database.password, database.pathname],
        [made?.['POSTGRES_USER'], made?.['POSTGRES_PASSWORD'], `/${made?.['POSTGRES_DB']}`],
      )
      assert.ok(volumeAt(volumes, '/var/lib/postgresql'), 'where the image keeps its files since 18')
      if (path === FILES[0]) return
      const events = new URL(String(environment['STENTOR_EVENTS_URL']))
      const store = services[events.hostname]!
      assert.deepEqual(
        [events.protocol, events.port, events.username, events.password, events.pathname],
        [
          'clickhouse:',
          '8123',
          ...['USER', 'PASSWORD'].map((of) => store.environment?.[`CLICKHOUSE_${of}`]),
          '/stentor',
        ],
      )
      assert.equal(store.environment?.['CLICKHOUSE_DB'], 'stentor')
      const objects = new URL(String(environment['STENTOR_S3_ENDPOINT']))
      assert.ok(services[objects.hostname]?.command?.includes(`-s3.port=${objects.port}`))
      assert.equal(
        services[objects.hostname]?.environment?.['AWS_SECRET_ACCESS_KEY'],
        environment['STENTOR_S3_SECRET_KEY'],
      )
    })

    test('trusts only the proxy, at an address reserved for it', () => {
      const { networks } = services['proxy']!
      assert.ok(networks && !Array.isArray(networks))
      const address = networks['stentor']!.ipv4_address
      for (const [, { environment }] of programs) assert.equal(environment?.['STENTOR_TRUSTED_PROXIES'], address)
      const [{ subnet, ip_range: range } = { subnet: '', ip_range: '' }] = file.networks.stentor.ipam.config
      const isIn = (network: string): boolean => {
        const list = new BlockList()
        const [base = '', bits] = network.split('/')
        list.addSubnet(base, Number(bits))
        return list.check(address)
      }
      assert.deepEqual([isIn(subnet), isIn(range)], [true, false])
    })
  })
}

test('the example environment names exactly the variables that the compose files use', () => {
  const named = readAssignments(read('deploy/.env.example')).map(([name]) => name)
  const asked = new Set(FILES.flatMap(variablesOf))
  assert.deepEqual([...named].sort(), [...asked].sort())
  assert.throws(() => readCompose(FILES[0]!, {}), /POSTGRES_PASSWORD is not there: set it in deploy\/\.env/)
})

test('the two senders of the scaled compose file have separate data volumes', () => {
  const senders = programsOf(readCompose('deploy/compose.scaled.yaml')).filter(([, , played]) =>
    played.includes('sender'),
  )
  assert.deepEqual(
    senders.map(([name, { volumes }]) => [name, volumes]),
    [
      ['sender-1', ['sender-1:/var/lib/stentor']],
      ['sender-2', ['sender-2:/var/lib/stentor']],
    ],
  )
})
