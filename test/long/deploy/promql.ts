import { parser } from '@prometheus-io/lezer-promql'

/** What an expression of PromQL asks for. */
export interface Asked {
  /** Where it is none: its characters from there on. */
  faults: string[]
  /** The figures it names, each with the labels it is chosen by. */
  figures: [name: string, labels: string[]][]
  /** The labels that it groups by. */
  grouped: string[]
}

/** Reads an expression of a rule or a panel; variables of Grafana stand in texts and for durations. */
export function readExpression(given: string): Asked {
  const expr = given.replaceAll('$__rate_interval', '5m')
  const asked: Asked = { faults: [], figures: [], grouped: [] }
  parser.parse(expr).iterate({
    enter({ name, node, from, to }) {
      const text = expr.slice(from, to)
      if (node.type.isError) asked.faults.push(expr.slice(from))
      else if (name === 'Identifier' && node.parent?.name === 'VectorSelector') asked.figures.push([text, []])
      else if (name === 'LabelName' && node.parent?.name === 'GroupingLabels') asked.grouped.push(text)
      else if (name === 'LabelName') asked.figures.at(-1)?.[1].push(text)
    },
  })
  return asked
}
