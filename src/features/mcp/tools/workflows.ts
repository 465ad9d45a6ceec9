import { Type } from 'typebox'
import { buildApiPath, readApiResource, requestApiBody } from '../ask.ts'
import { defineMcpTool, listLimitSchema, McpJsonObject } from '../tool.ts'
import { wrapUntrusted } from '../untrusted.ts'
import { loadReferencedContact, McpContactReference } from './contacts.ts'

const closedSchema = { additionalProperties: false }
/** Reference to a workflow. */
export const McpWorkflowId = Type.Integer({ minimum: 1, description: 'ID of the workflow.' })

const listWorkflowsTool = defineMcpTool({
  name: 'list_workflows',
  title: 'List workflows',
  description: 'Lists workflows with their definitions.',
  effect: 'reads',
  input: Type.Object(
    { name: Type.Optional(Type.String({ maxLength: 200 })), limit: listLimitSchema(100, 20) },
    closedSchema,
  ),
  async run({ ask }, { name, limit = 20 }) {
    return { workflows: wrapUntrusted(await readApiResource(ask, '/scripting/workflows', { name, limit })) }
  },
})

const readWorkflowTool = defineMcpTool({
  name: 'read_workflow',
  title: 'Read a workflow',
  description: 'Reads a workflow: its definition, its flaws, and how many runs took each path.',
  effect: 'reads',
  input: Type.Object({ workflow: McpWorkflowId }, closedSchema),
  async run({ ask }, { workflow: id }) {
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

const simulateWorkflowTool = defineMcpTool({
  name: 'simulate_workflow',
  title: 'Simulate a workflow',
  description:
    'Simulates a run of a workflow: the path it takes and the effects it would have. Nothing is written, sent or fetched; the clock jumps to the next due time or event.',
  effect: 'reads',
  input: Type.Object(
    {
      workflow: McpWorkflowId,
      contact: Type.Optional(McpContactReference),
      node: Type.Optional(
        Type.String({ maxLength: 128, description: 'Node where the run starts. Default: the default node.' }),
      ),
      event: Type.Optional(McpJsonObject('Event that starts the run, as listeners see it.')),
      data: Type.Optional(McpJsonObject('Data of the run.')),
      events: Type.Optional(
        Type.Array(McpJsonObject('Event during the simulation: {"at": date, "type": …}.'), { maxItems: 100 }),
      ),
    },
    closedSchema,
  ),
  async run({ ask }, { workflow, contact: name, ...simulationInput }) {
    const receiver = name === undefined ? undefined : { type: 'id', value: (await loadReferencedContact(ask, name)).id }
    const path = buildApiPath`/scripting/workflows/${workflow}/simulation`
    const body = { ...simulationInput, ...(receiver && { receiver }) }
    return { simulation: wrapUntrusted(await requestApiBody(ask, { method: 'POST', path, body })) }
  },
})

/** Tools that read workflows. */
export const mcpWorkflowTools = [listWorkflowsTool, readWorkflowTool, simulateWorkflowTool]
