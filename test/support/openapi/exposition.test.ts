import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findExpositionFaults, findForeignNames } from './exposition.ts'

const FINE = `# HELP a_requests_total Requests
# TYPE a_requests_total counter
a_requests_total{route="/a,b \\"c\\"",status="200"} 3
a_requests_total{route="",status="200"} 1.5e+21
# HELP a_seconds Times
# TYPE a_seconds histogram
a_seconds_bucket{le="1",area="x"} 1
a_seconds_bucket{le="+Inf",area="x"} 2
a_seconds_sum{area="x"} 4.5
a_seconds_count{area="x"} 2
`

const metric = (name: string, type: string, samples = `${name} 1`) =>
  `# HELP ${name} Help\n# TYPE ${name} ${type}\n${samples}\n`

const wrong: [text: string, fault: RegExp][] = [
  [metric('a_things_total', 'gauge'), /if and only if it is a counter/],
  [metric('a_things', 'counter'), /if and only if it is a counter/],
  [metric('a_things', 'thing'), /no known type/],
  ['# TYPE a_things gauge\na_things 1\n', /no help/],
  [metric('a_milliseconds', 'gauge'), /base unit/],
  [metric('a_days_total', 'counter'), /base unit/],
  [metric('a_ms', 'gauge'), /abbreviated/],
  [metric('aThing', 'gauge'), /snake_case/],
  [metric('a:thing', 'gauge'), /snake_case/],
  [metric('a_gauge', 'gauge'), /type in its name/],
  [metric('a_bucket', 'gauge'), /ends in _bucket/],
  [metric('a_count', 'gauge'), /ends in _count/],
  [metric('a_thing', 'gauge', 'a_thing{le="1"} 1'), /label le/],
  [metric('a_thing', 'gauge', 'a_thing{perRoute="1"} 1'), /label perRoute/],
  [metric('a_thing', 'gauge', 'a_thing{b="1",c="2"} 1\na_thing{c="2",b="1"} 1'), /twice/],
  [metric('a_thing', 'gauge') + metric('a_thing', 'gauge'), /there twice/],
  [metric('a_thing', 'gauge', 'b_thing 1'), /cannot be read: b_thing/],
  [metric('a_thing', 'gauge', 'a_thing{b="\\x"} 1'), /cannot be read/],
  [metric('a_thing', 'gauge', 'a_thing one'), /cannot be read/],
  [metric('a_things_total', 'counter', 'a_things_total -1'), /less than 0/],
  [FINE.replace('le="1",area="x"} 1', 'le="1",area="x"} 3'), /wrong buckets/],
  [FINE.replace('a_seconds_count{area="x"} 2', 'a_seconds_count{area="x"} 3'), /wrong buckets/],
  [FINE.slice(0, -1), /no end/],
]

test('a text of metrics that promtool takes has no faults, and each broken rule is one', () => {
  assert.deepEqual(findExpositionFaults(FINE), [])
  for (const [text, fault] of wrong) {
    const faults = findExpositionFaults(text)
    assert.equal(faults.length, 1, `${text}: ${faults}`)
    assert.match(faults[0] ?? '', fault)
  }
})

test("names that are neither Stentor's nor those of every process are foreign", () => {
  const text = ['stentor_a', 'process_b', 'nodejs_c', 'outbox_messages'].map((name) => metric(name, 'gauge')).join('')
  assert.deepEqual(findForeignNames(text), ['outbox_messages'])
})
