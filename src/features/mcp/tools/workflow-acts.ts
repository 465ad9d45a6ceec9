import { Type } from 'typebox'
import { conflictProblem, Problem } from '../../../lib/errors/problem.ts'
import {
  buildApiPath,
  ifMatchHeader,
  type McpApiCaller,
  readApiResource,
  readTaggedResource,
  requestApiBody,
} from '../ask.ts'
import { confirmableArguments, defineMcpTool, readCallerIdentity, runWithConfirmation } from '../tool.ts'
import { wrapUntrusted } from '../untrusted.ts'
import { McpWorkflowId } from './workflows.ts'

interface Task {
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
  tasks: Task[]
}

interface Runs {
  runs: { open: number; paused: number }
}

interface Segment {
  type: 'static' | 'dynamic'
  targetsCount: number
  criteria: unknown
  parentId: number | null
}

const pathOf = (id: number): string => buildApiPath`/scripting/workflows/${id}`

async function previewed(ask: McpApiCaller, body: object): Promise<number> {
  return (await requestApiBody<{ count: number }>(ask, { method: 'POST', path: '/segments/preview', body })).count
}

/** For how many contacts a task starts runs now; null where only its execution can tell. */
async function contactsOf(ask: McpApiCaller, { provider: { type, value } }: Task): Promise<number | null> {
  if (type === 'none') return 0
  if (type === 'search') return previewed(ask, { criteria: value?.criteria })
  if (type === 'compilable' || value?.id == null) return null
  const {
    type: kind,
    targetsCount,
    criteria,
    parentId,
  } = await readApiResource<Segment>(ask, buildApiPath`/segments/${value.id}`)
  return kind === 'static' ? targetsCount : previewed(ask, { criteria, parentId })
}

/** What an activation starts: runs that were paused go on, listeners wait for events, tasks fire. */
async function startsOf(ask: McpApiCaller, { id, listeners, tasks }: Workflow) {
  const { runs } = await readApiResource<Runs>(ask, `${pathOf(id)}/statistics`)
  const firing = tasks.filter(({ enabled, schedulers }) => enabled && schedulers.length > 0)
  const fired = await Promise.all(
    firing.map(async (task) => ({
      ...{ id: task.id, provider: task.provider.type, schedulers: task.schedulers },
      contacts: await contactsOf(ask, task),
    })),
  )
  return {
    pausedRuns: runs.paused,
    listeners: listeners.flatMap(({ id: listener, enabled, event }) => (enabled ? [{ id: listener, event }] : [])),
    tasks: fired,
  }
}

/** Throws conflict `workflow-flawed` with the flaws that prevent an activation: nothing is confirmed that could not be done. */
async function requireSound(ask: McpApiCaller, id: number): Promise<void> {
  const flaws = await readApiResource<{ severity: string }[]>(ask, `${pathOf(id)}/flaws`)
  const errors = flaws.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return
  throw new Problem(409, 'workflow-flawed', `${errors.length} flaws prevent the activation.`, {
    extras: { more: wrapUntrusted({ flaws }) },
  })
}

async function readWorkflow(ask: McpApiCaller, id: number): Promise<Workflow> {
  return readApiResource<Workflow>(ask, pathOf(id))
}

async function stateNow(ask: McpApiCaller, id: number) {
  const { version, state } = await readWorkflow(ask, id)
  return { id, version, active: state === 1 }
}

const activate = defineMcpTool({
  name: 'activate_workflow',
  title: 'Activate a workflow',
  description:
    'Activates a workflow: its listeners and tasks start runs from then on, and paused runs go on. Needs the right to send. The first call changes nothing and answers a confirmation bound to the version of the workflow and what it would start, good once for 5 minutes; a second call with it carries out.',
  effect: 'acts',
  input: confirmableArguments({ workflow: McpWorkflowId }),
  async run(desk, args) {
    const { ask } = desk
    const id = args.workflow
    const { body: workflow, etag } = await readTaggedResource<Workflow>(ask, pathOf(id))
    if (workflow.state === 1) throw conflictProblem('workflow-active', `Workflow ${id} is active already.`)
    const starts = await startsOf(ask, workflow)
    const count = starts.tasks.reduce((sum, { contacts }) => sum + (contacts ?? 0), starts.pausedRuns)
    const pending = {
      ...{ tool: 'activate_workflow', right: 'send' as const, asksApproval: 'The activation of a workflow' },
      ...{ will: 'activate the workflow', object: { workflow, starts }, count },
      of: 'paused runs that go on, and contacts for whom its tasks start runs when they fire',
    }
    if (args.confirmation === undefined) await requireSound(ask, id)
    return runWithConfirmation(desk, { ...pending, args }, async () => {
      await requestApiBody(ask, { method: 'POST', path: `${pathOf(id)}/activation`, headers: ifMatchHeader(etag) })
      return stateNow(ask, id)
    })
  },
})

const deactivate = defineMcpTool({
  name: 'deactivate_workflow',
  title: 'Deactivate a workflow',
  description:
    'Deactivates a workflow: nothing starts any more, and open runs are paused or killed. Needs the right to send, or of keys the one to write. The first call changes nothing and answers a confirmation bound to the version of the workflow, good once for 5 minutes; a second call with it carries out.',
  effect: 'acts',
  input: confirmableArguments({
    workflow: McpWorkflowId,
    open: Type.Optional(
      Type.Enum(['pause', 'kill'], {
        description: 'what becomes of open runs; what the workflow itself says unless given; killed ones never go on',
      }),
    ),
  }),
  async run(desk, args) {
    const { ask } = desk
    const { workflow: id, open } = args
    const workflow = await readWorkflow(ask, id)
    if (workflow.state !== 1) throw conflictProblem('workflow-inactive', `Workflow ${id} is not active.`)
    const { runs } = await readApiResource<Runs>(ask, `${pathOf(id)}/statistics`)
    const { person } = await readCallerIdentity(desk)
    const right = person ? ('send' as const) : (['write', 'send'] as const)
    const pending = {
      ...{ tool: 'deactivate_workflow', right, will: 'deactivate the workflow', count: 1, of: 'workflows' },
      // Runs of a workflow that is active come and go: bound to their number nothing could be confirmed.
      ...{ object: workflow, shown: { workflow, openRuns: runs.open } },
    }
    return runWithConfirmation(desk, { ...pending, args }, async () => {
      const query = open === undefined ? '' : `?open=${open}`
      await requestApiBody(ask, { method: 'DELETE', path: `${pathOf(id)}/activation${query}` })
      return stateNow(ask, id)
    })
  },
})

/** What starts and stops workflows. */
export const mcpWorkflowControlTools = [activate, deactivate]
