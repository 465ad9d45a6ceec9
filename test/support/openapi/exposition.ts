import { spawnSync } from 'node:child_process'

/*
 * The rules of https://prometheus.io/docs/instrumenting/exposition_formats/ and those by which `promtool check metrics` judges names, so that they are held
 * to where promtool is not installed too.
 */

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\n"])*)"(?:,|$)/y
const VALUE = /^(?:[+-]?Inf|NaN|[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/
const TYPES = ['counter', 'gauge', 'histogram', 'summary', 'untyped']
/** Units that are not the base unit of what they measure. */
const UNIT =
  /_(?:(?:milli|micro|nano)seconds|minutes|hours|days|weeks|(?:kilo|mega|giga|kibi|mebi|gibi)bytes|bits)(?:_|$)/
const ABBREVIATED = /_(?:s|ms|us|ns|sec|b|kb|mb|gb|tb|pb|m|h|d)(?:_|$)/

/** A metric of the text: its samples' ends of names, labels and values. */
interface Metric {
  name: string
  help: string
  type: string
  samples: { end: string; labels: ReadonlyMap<string, string>; value: string }[]
}

/** Reads the text of /metrics; lines that belong to no metric before them, and what cannot be read, are faults. */
function readMetrics(text: string): { metrics: Metric[]; faults: string[] } {
  const metrics: Metric[] = []
  const faults: string[] = text.endsWith('\n') ? [] : ['the last line has no end']
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const metric = metrics.at(-1)
    const [, about, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? []
    if (about === 'HELP') metrics.push({ name, help: rest, type: 'untyped', samples: [] })
    else if (about === 'TYPE' && metric?.name === name && metric.samples.length === 0) metric.type = rest
    else if (about === 'TYPE') metrics.push({ name, help: '', type: rest, samples: [] })
    else if (!line.startsWith('#')) {
      const [, full = '', inner = '', value = ''] = SAMPLE.exec(line) ?? []
      const labels = [...inner.matchAll(new RegExp(LABEL, 'g'))]
      const isRead = labels.map(([all]) => all).join('') === inner && VALUE.test(value)
      if (!isRead || !metric || !full.startsWith(metric.name)) faults.push(`cannot be read: ${line}`)
      else
        metric.samples.push({
          end: full.slice(metric.name.length),
          labels: new Map(labels.map(([, a = '', b = '']) => [a, b])),
          value,
        })
    }
  }
  return { metrics, faults }
}

/** What is wrong with a metric's name and type. */
function nameFaults({ name, help, type }: Metric): string[] {
  const rules: [boolean, string][] = [
    [help !== '', 'has no help'],
    [TYPES.includes(type), 'has no known type'],
    [/^[a-z_][a-z0-9_]*$/.test(name), 'is not written in snake_case'],
    [(type === 'counter') === name.endsWith('_total'), 'ends in _total if and only if it is a counter'],
    [!/_(?:counter|gauge|histogram|summary)(?:_|$)/.test(name), 'has its type in its name'],
    [!UNIT.test(name), 'is not in the base unit'],
    [!ABBREVIATED.test(name), 'has an abbreviated unit'],
    [type === 'histogram' || !name.endsWith('_bucket'), 'ends in _bucket'],
    [['histogram', 'summary'].includes(type) || !/_(?:count|sum)$/.test(name), 'ends in _count or _sum'],
  ]
  return rules.flatMap(([holds, fault]) => (holds ? [] : [`${name} ${fault}`]))
}

/** What is wrong with the buckets of a histogram: they rise to the last, `+Inf`, which is `_count`. */
function bucketFaults({ name, samples }: Metric): string[] {
  const seriesOf = ({ labels }: Metric['samples'][number]) =>
    JSON.stringify([...labels].filter(([label]) => label !== 'le'))
  return [...Map.groupBy(samples, seriesOf)].flatMap(([series, all]) => {
    const buckets = all.filter(({ end }) => end === '_bucket')
    const counts = buckets.map(({ value }) => Number(value))
    const count = Number(all.find(({ end }) => end === '_count')?.value)
    const isWhole = buckets.at(-1)?.labels.get('le') === '+Inf' && counts.at(-1) === count
    const rises = counts.every((value, index) => value >= (counts[index - 1] ?? 0))
    return isWhole && rises && all.some(({ end }) => end === '_sum') ? [] : [`${name} has wrong buckets: ${series}`]
  })
}

/** What is wrong with the samples of a metric. */
function sampleFaults(metric: Metric): string[] {
  const { name, type, samples } = metric
  const ends = { histogram: ['_bucket', '_sum', '_count'], summary: ['', '_sum', '_count'] }[type] ?? ['']
  const faults = samples.flatMap(({ end, labels, value }) => [
    ...(ends.includes(end) ? [] : [`${name} has a sample of ${name}${end}`]),
    ...(type !== 'histogram' && labels.has('le') ? [`${name} has the label le`] : []),
    ...(type !== 'summary' && labels.has('quantile') ? [`${name} has the label quantile`] : []),
    ...[...labels.keys()]
      .filter((label) => !/^[a-z_][a-z0-9_]*$/.test(label) || label.startsWith('__'))
      .map((label) => `${name} has the label ${label}`),
    ...(type === 'counter' && !(Number(value) >= 0) ? [`${name} is less than 0`] : []),
  ])
  const series = samples.map(({ end, labels }) => JSON.stringify([end, [...labels].toSorted()]))
  if (new Set(series).size < series.length) faults.push(`${name} has a sample twice`)
  return type === 'histogram' ? [...faults, ...bucketFaults(metric)] : faults
}

/** What is wrong with a text of /metrics, a sentence each; none when promtool would take it. */
export function findExpositionFaults(text: string): string[] {
  const { metrics, faults } = readMetrics(text)
  const names = metrics.map(({ name }) => name)
  const twice = names.filter((name, index) => names.indexOf(name) < index).map((name) => `${name} is there twice`)
  return [...faults, ...twice, ...metrics.flatMap((metric) => [...nameFaults(metric), ...sampleFaults(metric)])]
}

/** The names of metrics of a text of /metrics that are neither Stentor's own nor those of any process of Node.js. */
export function findForeignNames(text: string): string[] {
  return readMetrics(text)
    .metrics.map(({ name }) => name)
    .filter((name) => !/^(?:stentor|process|nodejs)_/.test(name))
}

/** Whether promtool is installed. */
export const hasPromtool = (): boolean => spawnSync('promtool', ['--version']).error === undefined

/** What `promtool check metrics` writes about a text of /metrics; nothing when it takes it. */
export function askPromtool(text: string): string {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
  return status === 0 ? '' : `${stdout}${stderr}` || `ended with ${status}`
}
