import { type Static, Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { isStrictPreferred } from '../../../http/validation/validation.ts'
import { invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { COMPONENT_REF_KEYWORD } from '../../../lib/errors/schema-reference.ts'
import { INVALID_DATE_DETAIL, parseInstant } from '../../../lib/time/period.ts'
import { optionalOrNull } from '../../actions/execution/item-schemas.ts'
import { MAX_WORKFLOW_BYTES } from '../definition/parse-definition.ts'
import { findWorkflowEngine } from '../engine/engine.ts'
import { requireEventSizes } from '../starts/execution-items.ts'
import { WorkflowExecutionItem } from '../starts/execution-schemas.ts'
import { readWorkflowKey, WORKFLOWS_PATH } from '../workflow-paths.ts'
import { WorkflowBody, WorkflowParams, workflowWriteRefusals } from '../workflow-schemas.ts'
import { parseWholeWorkflow } from '../workflows.ts'
import { loadSimulatedDefinition, runSimulation, type SimulationRequest } from './simulate-run.ts'
import { showSimulationResult } from './simulation-presenter.ts'
import { SimulatedRunResult } from './simulation-schemas.ts'

const MAX_SIMULATED_NODES = 10_000
const MAX_SIMULATED_EVENTS = 1000
const InstantSchema = Type.Unsafe<string | number>({
  description: 'An ISO 8601 date, or milliseconds since 1970.',
  [COMPONENT_REF_KEYWORD]: 'Instant',
})

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
      description: 'Time at which the simulation starts: an ISO 8601 date, or milliseconds since 1970. Default: now.',
    }),
  ),
  events: optionalOrNull(
    Type.Array(
      Type.Object(
        { at: InstantSchema, type: Type.String({ description: 'Type of the event.' }) },
        { additionalProperties: true },
      ),
      {
        maxItems: MAX_SIMULATED_EVENTS,
        description:
          'Events that happen to the contact during the simulation, at most 1,000, with the members that filters read.',
      },
    ),
  ),
  responses: optionalOrNull(
    Type.Record(
      Type.String(),
      Type.Object({
        status: Type.Optional(
          Type.Integer({ minimum: 100, maximum: 599, description: 'HTTP status of the response; default 200.' }),
        ),
        headers: Type.Optional(
          Type.Record(Type.String(), Type.String(), { description: 'Headers of the response, by name.' }),
        ),
        body: Type.Optional(Type.Unknown({ description: 'Body of the response. Absent: null.' })),
      }),
      {
        description:
          'Simulated responses of `request` nodes and `http.fetch`, by node ID. Without an entry: status 200, no body.',
      },
    ),
  ),
  maxNodes: optionalOrNull(
    Type.Integer({
      minimum: 1,
      maximum: MAX_SIMULATED_NODES,
      description: 'Maximum number of node visits; lowers `maxNodes` of the settings. Default and maximum: 10,000.',
    }),
  ),
  definition: optionalOrNull({ ...WorkflowBody, description: 'Workflow to simulate instead of the stored one.' }),
})
type SimulationBody = Static<typeof SimulationBody>

const SimulationResult = Type.Object({
  type: Type.Enum(['success', 'error'], {
    description: '`success`, or `error` if the simulation could not start or a node failed.',
  }),
  value: Type.Optional(
    Type.Object(
      { type: Type.String({ description: 'Type of the error.' }) },
      { additionalProperties: true, description: 'Error, if `type` is `error`.' },
    ),
  ),
  ...Type.Partial(SimulatedRunResult).properties,
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
      summary: 'Simulate a run of a workflow',
      refusals: workflowWriteRefusals,
      description:
        'Returns the trace and effects of a run without writing, sending or fetching anything. Segments and history are read for real; capping and re-entry are checked but not counted. The clock jumps to the next due time or listed event. Refused with 409 if the definition has error flaws, whether the workflow is active or not.',
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
