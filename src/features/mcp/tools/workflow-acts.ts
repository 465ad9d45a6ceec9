import { Type } from 'typebox'
import { conflictProblem } from '../../../lib/errors/problem.ts'
import {
  buildApiPath,
  ifMatchHeader,
  type McpApiCaller,
  readApiResource,
  readTaggedResource,
  requestApiBody,
} from '../ask.ts'
import { confirmableArguments, defineMcpTool, readCallerIdentity, runWithConfirmation } from '../tool.ts'
import { McpWorkflowId } from './workflows.ts'

interface WorkflowTask {
  id: string
  enabled: boolean
  schedulers: unknown[]
  provider: { type: 'none' | 'segment' | 'search' | 'compilable'; value?: { id?: number; criteria?: unknown } }
}

interface Workflow {
  id: number
  name: string
  state: number
  version: number
  listeners: { id: string; enabled: boolean; event: { type: string } | null }[]
  tasks: WorkflowTask[]
}

interface RunStatistics {
  runs: { open: number; paused: number }
}

interface Segment {
  type: 'static' | 'dynamic'
  targetsCount: number
  criteria: unknown
  parentId: number | null
}

const buildWorkflowPath = (id: number): string => buildApiPath`/scripting/workflows/${id}`

async function countPreviewed(ask: McpApiCaller, body: object): Promise<number> {
  return (await requestApiBody<{ count: number }>(ask, { method: 'POST', path: '/segments/preview', body })).count
}

/** For how many contacts a task starts runs now; null where only its execution can tell. */
async function countTaskContacts(
  ask: McpApiCaller,
  { provider: { type, value } }: WorkflowTask,
): Promise<number | null> {
  if (type === 'none') return 0
  if (type === 'search') return countPreviewed(ask, { criteria: value?.criteria })
  if (type === 'compilable' || value?.id == null) return null
  const {
    type: kind,
    targetsCount,
    criteria,
    parentId,
  } = await readApiResource<Segment>(ask, buildApiPath`/segments/${value.id}`)
  return kind === 'static' ? targetsCount : countPreviewed(ask, { criteria, parentId })
}

/** Describes the effects of an activation: paused runs continue, listeners wait for events, tasks fire. */
async function describeStarts(ask: McpApiCaller, { id, listeners, tasks }: Workflow) {
  const { runs } = await readApiResource<RunStatistics>(ask, `${buildWorkflowPath(id)}/statistics`)
  const firingTasks = tasks.filter(({ enabled, schedulers }) => enabled && schedulers.length > 0)
  const firedTasks = await Promise.all(
    firingTasks.map(async (task) => ({
      id: task.id,
      provider: task.provider.type,
      schedulers: task.schedulers,
      contacts: await countTaskContacts(ask, task),
    })),
  )
  return {
    pausedRuns: runs.paused,
    listeners: listeners.flatMap(({ id: listener, enabled, event }) => (enabled ? [{ id: listener, event }] : [])),
    tasks: firedTasks,
  }
}

async function readWorkflow(ask: McpApiCaller, id: number): Promise<Workflow> {
  return readApiResource<Workflow>(ask, buildWorkflowPath(id))
}

async function readWorkflowState(ask: McpApiCaller, id: number) {
  const { version, state } = await readWorkflow(ask, id)
  return { id, version, active: state === 1 }
}

const activateTool = defineMcpTool({
  name: 'activate_workflow',
  title: 'Activate a workflow',
  description: 'Activates a workflow: its listeners and tasks start runs from then on, and paused runs continue.',
  effect: 'acts',
  input: confirmableArguments({ id: McpWorkflowId }),
  async run(desk, args) {
    const { ask: callApi } = desk
    const { id } = args
    const { body: workflow, etag } = await readTaggedResource<Workflow>(callApi, buildWorkflowPath(id))
    if (workflow.state === 1) throw conflictProblem('workflow-active', `Workflow ${id} is already active.`)
    const activationStarts = await describeStarts(callApi, workflow)
    const count = activationStarts.tasks.reduce(
      (sum, { contacts }) => sum + (contacts ?? 0),
      activationStarts.pausedRuns,
    )
    const pendingCall = {
      tool: 'activate_workflow',
      right: 'send' as const,
      asksApproval: 'The activation of a workflow',
      will: 'activate the workflow',
      object: { workflow, starts: activationStarts },
      count,
      of: 'paused runs that continue, and contacts for which its tasks start runs',
      async check() {
        await desk.assertReleasable('workflow', id)
        return undefined
      },
    }
    return runWithConfirmation(desk, { ...pendingCall, args }, async () => {
      await requestApiBody(callApi, {
        method: 'POST',
        path: `${buildWorkflowPath(id)}/activation`,
        headers: ifMatchHeader(etag),
      })
      return readWorkflowState(callApi, id)
    })
  },
})

const deactivateTool = defineMcpTool({
  name: 'deactivate_workflow',
  title: 'Deactivate a workflow',
  description: 'Deactivates a workflow: nothing starts any longer, and open runs are paused or killed.',
  effect: 'acts',
  input: confirmableArguments({
    id: McpWorkflowId,
    open: Type.Optional(
      Type.Enum(['pause', 'kill'], {
        description:
          'Open runs. `pause`: they continue after the next activation. `kill`: they end. Default: the setting of the workflow.',
      }),
    ),
  }),
  async run(desk, args) {
    const { ask: callApi } = desk
    const { id, open: openRunsAction } = args
    const workflow = await readWorkflow(callApi, id)
    if (workflow.state !== 1) throw conflictProblem('workflow-inactive', `Workflow ${id} is not active.`)
    const { runs } = await readApiResource<RunStatistics>(callApi, `${buildWorkflowPath(id)}/statistics`)
    const { person } = await readCallerIdentity(desk)
    const right = person ? ('send' as const) : (['write', 'send'] as const)
    const pendingCall = {
      tool: 'deactivate_workflow',
      right,
      will: 'deactivate the workflow',
      count: 1,
      of: 'workflows',
      // Runs of a workflow that is active come and go: bound to their number nothing could be confirmed.
      object: workflow,
      shown: { workflow, openRuns: runs.open },
    }
    return runWithConfirmation(desk, { ...pendingCall, args }, async () => {
      const query = openRunsAction === undefined ? '' : `?open=${openRunsAction}`
      await requestApiBody(callApi, { method: 'DELETE', path: `${buildWorkflowPath(id)}/activation${query}` })
      return readWorkflowState(callApi, id)
    })
  },
})

/** Tools that start and stop workflows. */
export const mcpWorkflowControlTools = [activateTool, deactivateTool]
