import type { SpanOptions, TraceSpan } from '../../../lib/telemetry/tracing.ts'
import type { RunStepper } from './commit-steps.ts'
import type { WorkflowRunKey } from './run.ts'

/** Ids that a span names at most. */
const MAX_SPAN_IDS = 20

const listDistinctIds = (ids: Iterable<number>): number[] => [...new Set(ids)].slice(0, MAX_SPAN_IDS)

/** The span of runs that a worker has taken. */
export function describeRunsSpan(runs: readonly WorkflowRunKey[]): SpanOptions {
  return { kind: 'consumer', attributes: { 'stentor.workflow.runs': runs.length } }
}

/** The span of one step of many runs: what it reads, and its transaction. */
export function describeStepSpan(walkers: readonly RunStepper[], parent: TraceSpan | undefined): SpanOptions {
  const runs = walkers.map(({ draft }) => draft.run)
  return {
    parent,
    attributes: {
      'stentor.workflow.runs': runs.length,
      'stentor.accounts': listDistinctIds(runs.map(({ account }) => account)),
      'stentor.workflows': listDistinctIds(runs.map(({ workflow }) => workflow)),
    },
  }
}

/** The span of what one run asks of the outside; not whom it calls. */
export function describeCallSpan({ draft }: RunStepper, parent: TraceSpan | undefined): SpanOptions {
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

/** Formats the name of a stepper's call: `call request`. */
export function formatCallName({ wanted: pendingRequest }: RunStepper): string {
  return `call ${pendingRequest?.kind === 'ask' ? pendingRequest.ask.kind : ''}`
}
