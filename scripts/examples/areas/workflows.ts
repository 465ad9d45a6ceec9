import type { Story, StoryAnswer } from '../story.ts'
import { type ShopStock, validate } from './emails.ts'

const MAYA = { type: 'unicity', value: ['maya@mailbox.example'] }

/** A validated message with one link. */
async function createMessage(story: Story, name: string, html: string): Promise<string> {
  const body = { type: 'mailMessage', name, content: { subject: name, html: `<html><body>${html}</body></html>` } }
  const { id } = await story.call('createAction', { body, shown: false })
  await validate(story, id)
  return id
}

const buildWelcome = (welcome: string, reminder: string) => ({
  name: 'Welcome series',
  description: 'Two letters to new readers.',
  listeners: [{ id: 'new', event: { type: 'target.created' }, handler: 'hello' }],
  nodes: [
    { type: 'sendMail', id: 'hello', name: 'Welcome', default: true, settings: { action: welcome }, next: 'welcomed' },
    { type: 'publish', id: 'welcomed', event: { type: 'literal', value: 'reader.welcomed' }, next: 'opened' },
    {
      type: 'wait',
      id: 'opened',
      name: 'Opened?',
      settings: {
        event: { type: 'action.hit', kinds: ['open'] },
        correlation: 'thread',
        timeout: { unit: 'DAY', value: 1 },
        timeoutNext: 'again',
      },
      next: 'end',
    },
    { type: 'sendMail', id: 'again', name: 'Second letter', settings: { action: reminder }, next: 'end' },
    { type: 'terminal', id: 'end', settings: { outcome: 'welcomed' } },
  ],
  settings: { reentry: { mode: 'never' }, timeZone: { id: 'Europe/Paris' } },
})

const MONDAY = {
  id: 'monday',
  name: 'Monday morning',
  schedulers: [{ type: 'cron', minute: '0', hour: '9', dayOfWeek: 'MON', timeZone: { id: 'Europe/Paris' } }],
}

const buildWinBack = (segment: number, offer: string, news: string) => ({
  name: 'Win-back',
  tasks: [{ ...MONDAY, provider: { type: 'segment', value: { id: segment } }, handler: 'which' }],
  nodes: [
    {
      type: 'experiment',
      id: 'which',
      default: true,
      settings: {
        branches: [
          { id: 'offer', next: 'offer' },
          { id: 'news', next: 'news' },
        ],
        metric: { type: 'action.hit', kinds: ['open'] },
        period: { unit: 'DAY', value: 3 },
      },
    },
    { type: 'sendMail', id: 'offer', settings: { action: offer }, next: 'end' },
    { type: 'sendMail', id: 'news', settings: { action: news }, next: 'end' },
    { type: 'terminal', id: 'end', settings: { outcome: 'written' } },
  ],
})

/** The parts of a workflow, in an inactive copy. */
async function changeParts({ call, calendar }: Story, id: number, welcome: string): Promise<void> {
  const path = { id }
  await call('listWorkflowListeners', { path })
  await call('replaceWorkflowListeners', {
    path,
    body: [{ id: 'joined', event: { type: 'segment.entered', segments: [1] }, onOpen: 'skip', handler: 'hello' }],
  })
  const tasks = [{ ...MONDAY, provider: { type: 'segment', value: { id: 1 } }, handler: 'hello' }]
  const [task] = await call('replaceWorkflowTasks', { path, body: tasks })
  if (task.nextRun) calendar.pinTime(task.nextRun, '2026-09-14T07:00:00Z')
  await call('listWorkflowTasks', { path })
  await call('listWorkflowNodes', { path })
  const nodes = [
    { type: 'sendMail', id: 'hello', name: 'Welcome', default: true, settings: { action: welcome }, next: 'end' },
    { type: 'terminal', id: 'end', settings: { outcome: 'welcomed' } },
  ]
  await call('replaceWorkflowNodes', { path, body: nodes })
  const capping = [{ threshold: 1, period: { unit: 'DAY', value: 7 }, nodes: ['hello'] }]
  await call('replaceWorkflowCapping', { path, body: capping })
  await call('getWorkflowCapping', { path })
  const environment = {
    capabilities: ['http.fetch'],
    http: { allow: ['api.harbourtea.example'] },
    variables: { gold: 200 },
  }
  await call('replaceWorkflowScripting', { path, body: { environment } })
  await call('getWorkflowScripting', { path })
  await call('patchWorkflowScripting', {
    path,
    body: { environment: { variables: { gold: 250 } } },
    type: 'application/merge-patch+json',
  })
  await call('replaceWorkflowSettings', {
    path,
    body: { concurrency: 1, trace: 'all', timeZone: { id: 'Europe/Paris' } },
  })
  await call('getWorkflowSettings', { path })
  const reentry = { mode: 'afterPeriod', period: { unit: 'DAY', value: 180 } }
  await call('patchWorkflowSettings', { path, body: { reentry }, type: 'application/merge-patch+json' })
  for (const part of ['Listeners', 'Tasks', 'Capping', 'Scripting', 'Settings', 'Nodes'])
    await call(`deleteWorkflow${part}`, { path })
  await call('deleteWorkflow', { path })
}

async function runWelcome(story: Story, id: number): Promise<void> {
  const { call, settle, calendar } = story
  const path = { id }
  const at = (time: string): string => calendar.timeAhead(time)
  const opened = { at: at('2026-09-28T11:00:00Z'), type: 'action.hit', source: { detail: { link: { type: 'open' } } } }
  const simulation = { receiver: MAYA, node: 'hello', clock: at('2026-09-28T10:00:00Z'), events: [opened] }
  await call('simulateWorkflow', { path, body: simulation })
  await call('activateWorkflow', { path })
  await call('executeWorkflow', { path, body: { receiver: MAYA, data: { source: 'the shop' } } })
  const batch = ['tom', 'priya'].map((name) => ({
    receiver: { type: 'unicity', value: [`${name}@mailbox.example`] },
    data: { source: 'the tasting' },
  }))
  await call('executeWorkflowBatch', { path, body: batch })
  await settle()
  const runs = await call('listWorkflowRuns', { path, query: { sort: 'desc', limit: 2 } })
  // Runs of one request have no order.
  const [run] = runs.toSorted((a: StoryAnswer, b: StoryAnswer) => (a.contact.id < b.contact.id ? -1 : 1))
  await call('getWorkflowRun', { path: { id, run: run.id } })
  await call('killWorkflowRun', { path: { id, run: run.id } })
  await settle()
  await call('listWorkflowEvents', { path })
  await call('getWorkflowStatistics', { path })
  await call('listWorkflowVersions', { path })
  await call('getWorkflowVersion', { path: { id, version: 1 } })
  await call('deactivateWorkflow', { path, query: { open: 'pause' } })
}

async function runWinBack({ call, settle, calendar }: Story, body: ReturnType<typeof buildWinBack>): Promise<void> {
  const { id } = await call('createWorkflow', { body, shown: false })
  await call('activateWorkflow', { path: { id }, shown: false })
  const { tasks } = await call('getWorkflow', { path: { id }, shown: false })
  if (tasks[0].nextRun) calendar.pinTime(tasks[0].nextRun, '2026-09-14T07:00:00Z')
  const task = { id, uuid: 'monday' }
  const firing = await call('executeWorkflowTask', { path: task, body: { limit: 2 } })
  await settle()
  await call('getWorkflowTaskExecution', { path: { ...task, firing: firing.id } })
  await call('getWorkflowNodeExperiment', { path: { id, node: 'which' } })
}

/** A run without a contact, which has nobody to write to: it fails. */
async function retryRun({ call, settle }: Story): Promise<void> {
  const body = {
    name: 'Mark as a regular',
    nodes: [
      { type: 'updateTarget', id: 'mark', default: true, settings: { fields: { Newsletter: 'Yes' } }, next: 'end' },
      { type: 'terminal', id: 'end' },
    ],
  }
  const { id } = await call('createWorkflow', { body, shown: false })
  await call('activateWorkflow', { path: { id }, shown: false })
  await call('executeWorkflow', { path: { id }, body: { data: { source: 'the till' } }, shown: false })
  await settle()
  const [run] = await call('listWorkflowRuns', { path: { id }, query: { status: 'failed' }, shown: false })
  await call('retryWorkflowRun', { path: { id, run: run.id } })
}

export async function tellOfWorkflows(story: Story, { segments }: ShopStock): Promise<void> {
  const { call } = story
  const welcome = await createMessage(story, 'Welcome to Harbour Tea', '<p>Hello {{ contact.FirstName }}</p>')
  const reminder = await createMessage(story, 'Did you see this?', '<p>Three teas to begin with.</p>')
  const { id } = await call('createWorkflow', { body: buildWelcome(welcome, reminder) })
  await call('listWorkflows')
  await call('getWorkflow', { path: { id } })
  await call('updateWorkflow', { path: { id }, body: { description: 'Two letters to those who are new.' } })
  const patch = [{ op: 'replace', path: '/nodes/2/settings/timeout/value', value: 2 }]
  await call('patchWorkflow', { path: { id }, body: patch, type: 'application/json-patch+json' })
  const copy = await call('duplicateWorkflow', { path: { id } })
  await call('patchWorkflow', {
    path: { id: copy.id },
    body: [{ op: 'replace', path: '/nodes/0/next', value: 'nobody' }],
    type: 'application/json-patch+json',
    shown: false,
  })
  await call('listWorkflowFlaws', { path: { id: copy.id } })
  await changeParts(story, copy.id, welcome)
  await runWelcome(story, id)
  await runWinBack(story, buildWinBack(segments.tasting, welcome, reminder))
  await retryRun(story)
}
