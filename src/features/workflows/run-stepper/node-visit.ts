import type { AccountId } from '../../../lib/account.ts'
import { isConditionTrue } from '../../../scripting/expressions/evaluate.ts'
import type { DefinitionExpression } from '../../../scripting/expressions/expression.ts'
import type {
  ReadyDefinition,
  ReadyNode,
  RunExpressionScope,
  ScriptExpressionValue,
} from '../engine/ready-definition.ts'
import type { NodeVisit } from '../nodes/node-contract.ts'
import type { WorkflowRunState } from './run-state.ts'

/** Context of the steps of a run. */
export interface StepContext {
  /** Milliseconds. */
  now: number
  accountOf(account: AccountId): { agency: string; customer: string; name: string; culture: string }
  zonesOf(draft: WorkflowRunState): NodeVisit['zones']
  /** The current version of the workflow: capping goes by it, and migration of waiting runs. Absent: that of the run. */
  currentOf?(draft: WorkflowRunState): ReadyDefinition
}

/** The scope of the expressions of a run, at the node where it stands. */
export function buildRunScope(draft: WorkflowRunState, { now, accountOf, zonesOf }: StepContext): RunExpressionScope {
  const { run, definition, contact } = draft
  const { id, workflow, version, node, visit, createdAt, depth } = run
  return {
    contact: contact ?? null,
    data: run.data,
    variables: run.variables,
    state: run.state,
    event: run.event,
    stamp: { time: run.stampTime.getTime(), id: run.stamp, thread: run.thread, set: run.set },
    last: run.last,
    run: { id, workflow, version, node, visit, start: createdAt.toISOString(), depth },
    environment: definition.environment,
    account: accountOf(run.account),
    now: new Date(now).toISOString(),
    $zone: zonesOf(draft).contact,
  }
}

/** Creates the view of a run for a node. */
export function createNodeVisit(
  draft: WorkflowRunState,
  node: ReadyNode,
  around: StepContext,
  scripts: ReadonlyMap<DefinitionExpression, ScriptExpressionValue>,
): NodeVisit {
  const { run, definition } = draft
  const scope = buildRunScope(draft, around)
  const value = (expression: DefinitionExpression) => definition.evaluate(expression, scope, scripts)
  return {
    account: run.account,
    workflow: run.workflow,
    run: run.id,
    node: run.node,
    visit: run.visit,
    attempt: run.attempt,
    settings: node.settings,
    next: node.next,
    contact: run.contact,
    stamp: { id: run.stamp, thread: run.thread, set: run.set, time: run.stampTime.getTime() },
    now: around.now,
    enteredAt: run.enteredAt?.getTime() ?? around.now,
    memo: run.memo,
    happened: draft.happened,
    zones: around.zonesOf(draft),
    sends: run.sends ?? {},
    value,
    holds: (condition) => isConditionTrue(value(condition)),
  }
}
