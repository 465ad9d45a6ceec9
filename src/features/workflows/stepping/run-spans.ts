import type { OpenSpan, SpanFacts } from '../../../lib/telemetry/tracing.ts'
import type { Walker } from './round.ts'
import type { RunKey } from './run.ts'

/** Ids that a span names at most. */
const MAX_IDS = 20

const distinct = (ids: Iterable<number>): number[] => [...new Set(ids)].slice(0, MAX_IDS)

/** The span of runs that a worker has taken. */
export function factsOfRuns(runs: readonly RunKey[]): SpanFacts {
  return { kind: 'consumer', attributes: { 'stentor.workflow.runs': runs.length } }
}

/** The span of one step of many runs: what it reads, and its transaction. */
export function factsOfStep(walkers: readonly Walker[], parent: OpenSpan | undefined): SpanFacts {
  const runs = walkers.map(({ draft }) => draft.run)
  return {
    parent,
    attributes: {
      'stentor.workflow.runs': runs.length,
      'stentor.accounts': distinct(runs.map(({ account }) => account)),
      'stentor.workflows': distinct(runs.map(({ workflow }) => workflow)),
    },
  }
}

/** The span of what one run asks of the outside; not whom it calls. */
export function factsOfCall({ draft }: Walker, parent: OpenSpan | undefined): SpanFacts {
  const { account, workflow, id, node } = draft.run
  return {
    kind: 'client',
    parent,
    attributes: {
      'stentor.account': account,
      'stentor.workflow': workflow,
      'stentor.workflow.run': id,
      'stentor.workflow.node': node,
    },
  }
}

/** What a walker calls: `call request`. */
export function nameOfCall({ wanted }: Walker): string {
  return `call ${wanted?.kind === 'ask' ? wanted.ask.kind : ''}`
}
