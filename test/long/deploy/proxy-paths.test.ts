import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parse } from 'yaml'
import { read } from './checkout.ts'

interface Operation {
  security?: unknown[]
  tags?: string[]
}

/** Paths of the interface, with whether all of their operations go without a key. */
const described = Object.entries(JSON.parse(read('openapi.json')).paths as Record<string, Record<string, Operation>>)
const paths = described.map(([path, operations]) => ({
  path: path.replaceAll(/\{\w+\}/g, 'x'),
  isOpen: Object.values(operations).every(({ security }) => security?.length === 0),
  tags: Object.values(operations).flatMap(({ tags = [] }) => tags),
}))

/** Whose paths the role `tracking` serves to the world, by their tags; media and webtasks have paths of operators, too. */
const TRACKING = ['recipients', 'display', 'devices', 'webtasks']

/** What each file of deploy/proxy sends to whom. */
const files: Record<string, { privates: string; recipients: string; hooks: string; imports: string | undefined }> = {
  nginx: patternsOf(read('deploy/proxy/nginx.conf'), /location ~\* (\S+) \{/g),
  caddy: patternsOf(read('deploy/proxy/Caddyfile'), /path_regexp \(\?i\)(\S+)$/gm),
  traefik: patternsOf(read('deploy/proxy/traefik.yaml'), /PathRegexp\(`\(\?i\)([^`]+)`\)/g),
}

function patternsOf(text: string, pattern: RegExp) {
  const found = [...text.matchAll(pattern)].map(([, expression = '']) => expression)
  const named = (word: string) => found.find((expression) => expression.includes(word))
  return {
    privates: named('metrics') ?? '',
    recipients: named('hit') ?? '',
    hooks: named('hooks') ?? '',
    imports: named('imports'),
  }
}

const sorted = (all: readonly string[]): string[] => [...new Set(all)].sort()

suite('proxy configurations in deploy/proxy', () => {
  test('route paths alike', () => {
    const { nginx, caddy, traefik } = files
    assert.deepEqual(caddy, nginx)
    // Traefik has no limit of bodies, which imports would be an exception of.
    assert.deepEqual(traefik, { ...nginx, imports: undefined })
  })

  test('route the public paths of the recipients role to it, and nothing else', () => {
    const recipients = new RegExp(files['nginx']!.recipients, 'i')
    const served = paths.filter(({ isOpen, tags }) => isOpen && tags.some((tag) => TRACKING.includes(tag)))
    assert.deepEqual(
      sorted(paths.filter(({ path }) => recipients.test(path)).map(({ path }) => path)),
      sorted(served.map(({ path }) => path)),
    )
  })

  test('route gateway callbacks to the role that receives them', () => {
    const hooks = new RegExp(files['nginx']!.hooks, 'i')
    const called = paths.filter(({ path }) => hooks.test(path)).map(({ path }) => path)
    assert.deepEqual(sorted(called), ['/hooks/rcs/x', '/hooks/sms/x'])
  })

  test('hide only metrics, captured messages, the API reference and the manual', () => {
    const privates = new RegExp(files['nginx']!.privates, 'i')
    const kept = paths.filter(({ path }) => privates.test(path)).map(({ path }) => path)
    assert.deepEqual(sorted(kept), ['/captured', '/captured/x', '/metrics'])
    for (const path of ['/docs', '/docs/assets/swagger-ui.css', '/openapi.json', '/v1/metrics', '/CAPTURED'])
      assert.ok(privates.test(path), path)
    for (const path of ['/manual', '/manual/', '/manual/how-to/send-sms.html', '/V1/Manual/'])
      assert.ok(privates.test(path), path)
    for (const path of ['/', '/health/live', '/console/', '/documents', '/metricsx', '/manuals'])
      assert.ok(!privates.test(path), path)
  })
})

interface Router {
  rule: string
  priority: number
  middlewares?: string[]
  service: string
}

test('the Traefik configuration refers to its own middlewares, services and transports, and orders its rules', () => {
  const { http } = parse(read('deploy/proxy/traefik.yaml'))
  const routers: Record<string, Router> = http.routers
  for (const { service, middlewares = [] } of Object.values(routers)) {
    assert.ok(http.services[service], service)
    for (const middleware of middlewares) assert.ok(http.middlewares[middleware], middleware)
  }
  const services: { loadBalancer: { serversTransport: string } }[] = Object.values(http.services)
  for (const { loadBalancer } of services) assert.ok(http.serversTransports[loadBalancer.serversTransport])
  const priorities = Object.fromEntries(Object.entries(routers).map(([name, { priority }]) => [name, priority]))
  assert.deepEqual(priorities, {
    'stentor-private': 400,
    'stentor-recipients': 300,
    'stentor-hooks': 300,
    'stentor-api': 100,
  })
  assert.equal(http.services['stentor-api'].loadBalancer.responseForwarding.flushInterval, '-1ms')
})
