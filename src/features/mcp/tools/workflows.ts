import { Type } from 'typebox'
import { conflictProblem } from '../../../lib/errors/problem.ts'
import { buildApiPath, ifMatchHeader, readApiResource, readTaggedResource, requestApiBody } from '../ask.ts'
import {
  defineMcpTool,
  listLimitSchema,
  McpJsonObject,
  numericIdSchema,
  searchTextSchema,
  toolArguments,
} from '../tool.ts'
import { wrapUntrusted } from '../untrusted.ts'
import { loadReferencedContact, McpContactReference } from './contacts.ts'

/** Reference to a workflow. */
export const McpWorkflowId = numericIdSchema('workflow')

const WORKFLOWS_PATH = '/scripting/workflows'

/** A workflow in lists of it. */
interface WorkflowSummary {
  id: number
  name: string
  state: number
  version: number
}

const listWorkflowsTool = defineMcpTool({
  name: 'list_workflows',
  title: 'List workflows',
  description: 'Lists workflows and whether they are active.',
  effect: 'reads',
  input: toolArguments({
    query: Type.Optional(searchTextSchema('Part of the name.', 200)),
    limit: listLimitSchema(100, 20),
  }),
  async run({ ask }, { query: name, limit = 20 }) {
    const workflows = await readApiResource<WorkflowSummary[]>(ask, WORKFLOWS_PATH, { name, limit })
    const summaries = workflows.map(({ id, name: workflowName, state, version }) => ({
      id,
      name: workflowName,
      active: state === 1,
      version,
    }))
    return { workflows: wrapUntrusted(summaries) }
  },
})

const readWorkflowTool = defineMcpTool({
  name: 'read_workflow',
  title: 'Read a workflow',
  description: 'Reads a workflow: its definition, its flaws, and how many runs took each path.',
  effect: 'reads',
  input: toolArguments({ id: McpWorkflowId }),
  async run({ ask }, { id }) {
    const path = buildApiPath`/scripting/workflows/${id}`
    const workflow = await readApiResource<{ state: number; version: number }>(ask, path)
    const flaws = await readApiResource<unknown[]>(ask, `${path}/flaws`)
    const statistics = await readApiResource(ask, `${path}/statistics`)
    const { state, version } = workflow
    return {
      id,
      version,
      active: state === 1,
      workflow: wrapUntrusted(workflow),
      flaws: wrapUntrusted(flaws),
      statistics: wrapUntrusted(statistics),
    }
  },
})

const draftWorkflowTool = defineMcpTool({
  name: 'draft_workflow',
  title: 'Draft a workflow',
  description:
    'Creates an inactive workflow or, with `id`, changes one, and returns the flaws of its definition. Nothing starts.',
  effect: 'drafts',
  input: toolArguments({
    id: Type.Optional(McpWorkflowId),
    definition: McpJsonObject(
      'Members to write: name, nodes, listeners, tasks, settings and others as in read_workflow; arrays are replaced as a whole. See read_reference workflows.',
    ),
  }),
  async run({ ask }, { id, definition: body }) {
    const showDraft = async ({ id: draftId, version }: WorkflowSummary) => {
      const flaws = await readApiResource(ask, buildApiPath`/scripting/workflows/${draftId}/flaws`)
      return { id: draftId, version, active: false, flaws: wrapUntrusted(flaws) }
    }
    if (id === undefined)
      return showDraft(await requestApiBody<WorkflowSummary>(ask, { method: 'POST', path: WORKFLOWS_PATH, body }))
    const path = buildApiPath`/scripting/workflows/${id}`
    const { body: workflow, etag } = await readTaggedResource<WorkflowSummary>(ask, path)
    if (workflow.state === 1)
      throw conflictProblem('workflow-active', `Workflow ${id} is active: a change would apply at once.`)
    const headers = ifMatchHeader(etag)
    return showDraft(await requestApiBody<WorkflowSummary>(ask, { method: 'PUT', path, body, headers }))
  },
})

const simulateWorkflowTool = defineMcpTool({
  name: 'simulate_workflow',
  title: 'Simulate a workflow',
  description: 'Simulates a run: the path it takes and the effects it would have. Nothing is written, sent or fetched.',
  effect: 'reads',
  input: toolArguments({
    id: McpWorkflowId,
    contact: Type.Optional(McpContactReference),
    node: Type.Optional(
      Type.String({ maxLength: 128, description: 'Node where the run starts. Default: the default node.' }),
    ),
    event: Type.Optional(McpJsonObject('Event that starts the run, as listeners see it.')),
    data: Type.Optional(McpJsonObject('Data of the run.')),
    events: Type.Optional(
      Type.Array(McpJsonObject('Event during the simulation: {"at": date, "type": …}.'), { maxItems: 100 }),
    ),
  }),
  async run({ ask }, { id, contact: name, ...simulationInput }) {
    const receiver = name === undefined ? undefined : { type: 'id', value: (await loadReferencedContact(ask, name)).id }
    const path = buildApiPath`/scripting/workflows/${id}/simulation`
    const body = { ...simulationInput, ...(receiver && { receiver }) }
    return { simulation: wrapUntrusted(await requestApiBody(ask, { method: 'POST', path, body })) }
  },
})

/** Tools that read and draft workflows. */
export const mcpWorkflowTools = [listWorkflowsTool, readWorkflowTool, draftWorkflowTool, simulateWorkflowTool]
