import { type Static, Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { isStrictPreferred } from '../../../http/validation/validation.ts'
import { invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { INVALID_DATE_DETAIL, parseInstant } from '../../../lib/time/period.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { optionalOrNull } from '../../actions/execution/item-schemas.ts'
import { MAX_WORKFLOW_BYTES } from '../definition/parse-definition.ts'
import { findWorkflowEngine } from '../engine/engine.ts'
import { WorkflowTraceEntry } from '../runs/run-schemas.ts'
import { requireEventSizes } from '../starts/execution-items.ts'
import { WorkflowExecutionItem } from '../starts/execution-schemas.ts'
import { readWorkflowKey, WORKFLOWS_PATH } from '../workflow-paths.ts'
import { WorkflowBody, WorkflowParams, workflowWriteRefusals } from '../workflow-schemas.ts'
import { parseWholeWorkflow } from '../workflows.ts'
import { loadSimulatedDefinition, runSimulation, type SimulationRequest } from './simulate-run.ts'
import { showSimulationResult } from './simulation-presenter.ts'

const MAX_SIMULATED_NODES = 10_000
const MAX_SIMULATED_EVENTS = 1000
const JsonObjectSchema = Type.Object({}, { additionalProperties: true })
const InstantSchema = Type.Unsafe<string | number>({ description: 'an ISO 8601 date, or milliseconds' })

const { receiver, node, event, data, state, variables } = WorkflowExecutionItem.properties

const SimulationBody = Type.Object({
  receiver,
  node,
  event,
  data,
  state,
  variables,
  clock: Type.Optional(
    Type.Union([InstantSchema, Type.Null()], {
      description: 'when it begins, ISO 8601 or milliseconds since 1970; now by default',
    }),
  ),
  events: optionalOrNull(
    Type.Array(
      Type.Object(
        { at: InstantSchema, type: Type.String({ description: 'which of the possible kinds it is' }) },
        { additionalProperties: true },
      ),
      {
        maxItems: MAX_SIMULATED_EVENTS,
        description: 'what happens to the contact meanwhile, with the members that filters see',
      },
    ),
  ),
  responses: optionalOrNull(
    Type.Record(
      Type.String(),
      Type.Object({
        status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599, description: 'status of the answer' })),
        headers: Type.Optional(
          Type.Record(Type.String(), Type.String(), { description: 'headers of the message, by name' }),
        ),
        body: Type.Optional(Type.Unknown({ description: 'body of the answer' })),
      }),
      { description: 'what servers answer, by node' },
    ),
  ),
  maxNodes: optionalOrNull(
    Type.Integer({ minimum: 1, maximum: MAX_SIMULATED_NODES, description: 'visits of nodes at most' }),
  ),
  definition: optionalOrNull({ ...WorkflowBody, description: 'a workflow in place of the stored one' }),
})
type SimulationBody = Static<typeof SimulationBody>

const SimulationResult = Type.Object({
  type: Type.Enum(['success', 'error'], { description: 'which of the possible kinds it is' }),
  value: Type.Optional(
    Type.Object(
      { type: Type.String({ description: 'which of the possible kinds it is' }) },
      { additionalProperties: true, description: 'the value itself' },
    ),
  ),
  status: Type.Optional(Type.String({ description: 'how it stands' })),
  reason: Type.Optional(nullableSchema(Type.String({ description: 'why, in words or by a code' }))),
  outcome: Type.Optional(nullableSchema(Type.String({ description: 'how it ended' }))),
  node: Type.Optional(Type.String({ description: 'id of the node' })),
  clock: Type.Optional(Type.String({ format: 'date-time', description: 'the time that it came to, in UTC' })),
  variables: Type.Optional({ ...JsonObjectSchema, description: 'values that templates and scripts read by name' }),
  trace: Type.Optional(
    Type.Array(WorkflowTraceEntry, { description: 'the nodes that the run went through, in order' }),
  ),
  effects: Type.Optional(
    Type.Array(
      Type.Object({
        node: Type.String({ description: 'id of the node' }),
        type: Type.String({ description: 'which of the possible kinds it is' }),
        at: Type.String({ format: 'date-time', description: 'when it happened' }),
        value: Type.Unknown({ description: 'the value itself' }),
      }),
      { description: 'what a run would have done' },
    ),
  ),
})

/** Parses a body with its defaults. Throws a 400 Problem for invalid dates. */
function parseSimulationBody(body: SimulationBody, now: number): SimulationRequest {
  const faults: ProblemFault[] = []
  const parseBodyInstant = (value: unknown, pointer: string): number => {
    const parsedInstant = parseInstant(value)
    if (parsedInstant === undefined) faults.push({ pointer, detail: INVALID_DATE_DETAIL })
    return parsedInstant ?? now
  }
  const simulationRequest: SimulationRequest = {
    receiver: body.receiver ?? null,
    node: body.node ?? null,
    event: body.event ?? null,
    data: body.data ?? {},
    state: body.state ?? {},
    variables: Object.fromEntries(
      (body.variables ?? []).map((variableEntry) => [variableEntry.key, variableEntry.value]),
    ),
    clock: body.clock == null ? now : parseBodyInstant(body.clock, '/clock'),
    events: (body.events ?? []).map((variableEntry, nth) => ({
      ...variableEntry,
      at: parseBodyInstant(variableEntry.at, `/events/${nth}/at`),
    })),
    responses: body.responses ?? {},
    maxNodes: body.maxNodes ?? MAX_SIMULATED_NODES,
    pointer: '',
  }
  if (faults.length > 0) throw invalidRequestProblem(faults)
  return simulationRequest
}

/** Runs that are tried without effect. */
export function workflowSimulationRoutes(app: HttpApp, context: ServiceContext): void {
  const engine = findWorkflowEngine(context)
  app.post(`${WORKFLOWS_PATH}/:id/simulation`, {
    config: { right: 'read', revealing: true },
    bodyLimit: MAX_WORKFLOW_BYTES,
    schema: {
      tags: routeTags,
      summary: 'try a workflow',
      refusals: workflowWriteRefusals,
      description: 'Nothing is written, sent or fetched; the clock jumps to what comes next.',
      params: WorkflowParams,
      body: SimulationBody,
      response: { 200: SimulationResult },
    },
    handler: async (request) => {
      const { body } = request
      requireEventSizes([body as never], false)
      const simulationRequest = parseSimulationBody(body, context.clock.now())
      const key = readWorkflowKey(request)
      const bodyDefinition =
        body.definition == null
          ? undefined
          : await parseWholeWorkflow(context, key, body.definition, isStrictPreferred(request.headers.prefer))
      const definition = await loadSimulatedDefinition(engine, key, bodyDefinition)
      return showSimulationResult(await runSimulation(engine, definition, simulationRequest)) as Static<
        typeof SimulationResult
      >
    },
  })
}

const routeTags = ['workflows']
