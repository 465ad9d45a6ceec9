import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parse } from 'yaml'
import { findFreePort } from '../../../src/lib/net/free-port.ts'
import { askPromtool, findExpositionFaults, hasPromtool } from '../../support/openapi/exposition.ts'
import { prepareService } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'
import { read } from './checkout.ts'
import { readExpression } from './promql.ts'

/*
 * The rules and the dashboard of deploy/monitoring ask for figures that a running service has, by labels that they have.
 */

interface Rule {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string; description: string }
}

const rules: Rule[] = parse(read('deploy/monitoring/alerts.yaml')).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
)
const dashboard = JSON.parse(read('deploy/monitoring/dashboard.json'))

interface Panel {
  id: number
  type: string
  title: string
  targets?: { expr: string; legendFormat: string }[]
}
const panels: Panel[] = dashboard.panels
const asked = [
  ...rules.map(({ alert, expr }) => ({ name: alert, expr })),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ name: title, expr }))),
]

/** What Prometheus adds. */
const ADDED = { metrics: ['up'], labels: ['job', 'instance', 'le'] }

/** The figures of /metrics with the labels of their samples; none where there is no sample yet. */
function figuresOf(metrics: string): Map<string, Set<string>> {
  const figures = new Map<string, Set<string>>()
  for (const [, name = '', type] of metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    const names = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name]
    for (const one of names) figures.set(one, new Set())
  }
  for (const [, name = '', labels = ''] of metrics.matchAll(/^(\w+)\{(.*)\} \S+$/gm))
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) figures.get(name)?.add(label)
  return figures
}

suite('monitoring', () => {
  test('every expression is valid PromQL', () => {
    assert.deepEqual(readExpression('sum by (a, b) (rate(x_total{job="s",c=~"5.."}[5m])) / max(y_bytes) > z{d!="1"}'), {
      faults: [],
      figures: [
        ['x_total', ['job', 'c']],
        ['y_bytes', []],
        ['z', ['d']],
      ],
      grouped: ['a', 'b'],
    })
    assert.deepEqual(readExpression('sum by (a) (rate(x[5m)').faults, [')', ''])
    assert.deepEqual(
      asked.flatMap(({ name, expr }) => readExpression(expr).faults.map((fault) => `${name}: ${fault}`)),
      [],
    )
  })

  test('every alert has a severity, a summary and a description', () => {
    assert.ok(rules.length >= 10)
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
    for (const { alert, labels, annotations, for: time } of rules) {
      assert.match(alert, /^Stentor[A-Z]\w+$/)
      assert.match(labels.severity, /^(warning|critical)$/)
      assert.ok(annotations.summary.length > 10 && annotations.description.length > 20, alert)
      if (time !== undefined) assert.match(time, /^\d+[mh]$/)
    }
  })

  test('Prometheus loads the rules and scrapes the jobs they name', () => {
    const { rule_files, scrape_configs } = parse(read('deploy/monitoring/prometheus.yaml'))
    assert.deepEqual(rule_files, ['alerts.yaml'])
    const jobs = scrape_configs.map(({ job_name }: { job_name: string }) => job_name)
    for (const { alert, expr } of rules)
      for (const [, job] of expr.matchAll(/job="(\w+)"/g)) assert.ok(jobs.includes(job), `${alert}: ${job}`)
  })

  test('panels have unique ids and something to show', () => {
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
    for (const { type, title, targets } of panels) assert.equal(type === 'row', targets === undefined, title)
  })

  test('every queried metric is exported by a running service with the queried labels', async (t) => {
    const port = String(await findFreePort())
    const service = await prepareService(t, { STENTOR_METRICS_PORT: port, STENTOR_OUTGOING_ALLOW: 'localhost' })
    await service.start()
    // Something to count: a mail that is sent, a webhook that nobody answers.
    const { id } = await service.call('POST', '/webhooks', {
      name: 'Nobody',
      url: `http://localhost:${await findFreePort()}/`,
    })
    await service.call('POST', `/webhooks/${id}/test`)
    await service.call('POST', '/targets', { Email: 'ann@orchard.example' })
    const content = { subject: 'Hello', html: '<p>Hello</p>' }
    const action = await service.call('POST', '/actions', { type: 'mailMessage', name: 'Hello', content })
    await service.call('POST', `/actions/${action.id}/validation`, {
      fortest: true,
      mediaForTest: 'proof@desk.example',
    })
    const { metrics, figures } = await eventually(async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      const found = figuresOf(metrics)
      const isCounted = ['stentor_messages_total', 'stentor_webhook_tries_total'].every(
        (name) => found.get(name)!.size > 0,
      )
      return isCounted && { metrics, figures: found }
    })
    const unknown = asked.flatMap(({ name, expr }) => {
      const { figures: named, grouped } = readExpression(expr)
      assert.ok(named.length > 0, name)
      return named.flatMap(([figure, labels]) => {
        if (ADDED.metrics.includes(figure)) return []
        const has = figures.get(figure)
        if (!has) return [`${name}: ${figure}`]
        const wanted = has.size === 0 ? [] : [...labels, ...grouped]
        const missing = wanted.filter((label) => !has.has(label) && !ADDED.labels.includes(label))
        return missing.map((label) => `${name}: ${figure}{${label}}`)
      })
    })
    assert.deepEqual(unknown, [])
    assert.deepEqual(findExpositionFaults(metrics), [])
    await t.test(
      'promtool takes the metrics of a running service',
      {
        skip: hasPromtool() ? false : 'promtool is not installed',
      },
      () => assert.equal(askPromtool(metrics), ''),
    )
  })
})
