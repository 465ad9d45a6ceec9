import type { ApiRequestBody } from '../../../api/shapes.ts'
import type { ApiCriteria } from '../../../components/criteria/model.ts'
import type en from './en.ts'

export type NewWorkflowBody = ApiRequestBody<'createWorkflow'>
type WorkflowNode = NonNullable<NewWorkflowBody['nodes']>[number]
type TextKey = keyof typeof en
type Listeners = NonNullable<NewWorkflowBody['listeners']>
type Tasks = NonNullable<NewWorkflowBody['tasks']>
type EventFilter = NonNullable<Listeners[number]['event']>

/** What a person chooses before a workflow is created from a template. */
export type WorkflowTemplateNeed = 'dateField' | 'segment'

/** An email that a template comes with: its subject, and a design of the library. */
export interface WorkflowTemplateEmail {
  name: TextKey
  design: string
}

interface TemplateParts {
  t(key: TextKey): string
  /** Ids of the emails, in the order of the template. */
  emails: readonly string[]
  /** Id of the chosen date field or segment. */
  chosenId: number | null
}

export interface WorkflowTemplate {
  id: string
  need?: WorkflowTemplateNeed
  emails: readonly WorkflowTemplateEmail[]
  build(parts: TemplateParts): Omit<NewWorkflowBody, 'name'>
}

const period = (unit: 'HOUR' | 'DAY', value: number) => ({ unit, value })

const EMAIL_OPENED: EventFilter = { type: 'action.hit', kinds: ['open'] }
const EMAIL_CLICKED: EventFilter = { type: 'action.hit', kinds: ['redirection'] }
const customEvent = (name: string): EventFilter => ({ type: 'custom', names: [name] })

const sendEmail = (id: string, name: string, action: string | undefined, next: string): WorkflowNode => ({
  type: 'sendMail',
  id,
  name,
  settings: { action },
  next,
})
const pause = (id: string, name: string, length: ReturnType<typeof period>, next: string): WorkflowNode => ({
  type: 'sleep',
  id,
  name,
  settings: { period: length },
  next,
})
const waitForEvent = (
  id: string,
  name: string,
  event: EventFilter,
  { days, next, timeoutNext }: { days: number; next: string; timeoutNext: string },
): WorkflowNode => ({
  type: 'wait',
  id,
  name,
  settings: { event, correlation: 'send', timeout: period('DAY', days), timeoutNext },
  next,
})
const end = (id: string, outcome: string): WorkflowNode => ({ type: 'terminal', id, settings: { outcome } })

/** The nodes of a graph; runs start at the first one. */
const startingAt = ([first, ...others]: readonly WorkflowNode[]): WorkflowNode[] =>
  first ? [{ ...first, default: true }, ...others] : []

const startOn = (event: EventFilter, handler: string): Listeners => [{ id: 'start', event, onOpen: 'skip', handler }]
/** A task for the contacts that match criteria, at nine in the morning; `dayOfWeek` as in cron, every day if absent. */
const startDaily = (criteria: ApiCriteria, handler: string, dayOfWeek = '*'): Tasks => [
  {
    id: 'start',
    schedulers: [{ type: 'cron', minute: '0', hour: '9', dayOfWeek }],
    provider: { type: 'search', value: { criteria } },
    handler,
  },
]
const reentryAfterDays = (days: number): Pick<NewWorkflowBody, 'settings'> => ({
  settings: { reentry: { mode: 'afterPeriod', period: period('DAY', days) } },
})
/** Appointments of one contact that can be waited for at the same time. */
const MOST_APPOINTMENTS = 20
const NO_REENTRY: Pick<NewWorkflowBody, 'settings'> = { settings: { reentry: { mode: 'never' } } }

const neverOpenedIn = (days: number): ApiCriteria => ({
  all: [
    { type: 'creationDate', operator: 'before', value: { ago: { value: days, unit: 'day' } } },
    { none: [{ type: 'event', event: 'hits/open', period: { last: { value: days, unit: 'day' } } }] },
  ],
})

/** Workflows to start from, most used first. */
export const WORKFLOW_TEMPLATES: readonly WorkflowTemplate[] = [
  {
    id: 'welcome',
    emails: [
      { name: 'emailWelcome', design: 'welcome' },
      { name: 'emailWelcomeAgain', design: 'plain-letter' },
    ],
    build: ({ t, emails }) => ({
      ...NO_REENTRY,
      listeners: startOn({ type: 'target.created' }, 'welcome'),
      nodes: startingAt([
        sendEmail('welcome', t('emailWelcome'), emails[0], 'opened'),
        waitForEvent('opened', t('nodeOpened'), EMAIL_OPENED, { days: 2, next: 'end', timeoutNext: 'again' }),
        sendEmail('again', t('emailWelcomeAgain'), emails[1], 'end'),
        end('end', t('outcomeWelcomed')),
      ]),
    }),
  },
  {
    id: 'cart',
    emails: [{ name: 'emailCart', design: 'cart' }],
    build: ({ t, emails }) => ({
      ...reentryAfterDays(7),
      listeners: startOn(customEvent('cart.left'), 'hour'),
      nodes: startingAt([
        pause('hour', t('nodeHour'), period('HOUR', 1), 'reminder'),
        sendEmail('reminder', t('emailCart'), emails[0], 'day'),
        pause('day', t('nodeDay'), period('DAY', 1), 'end'),
        end('end', t('outcomeNotPaid')),
        { type: 'goal', id: 'paid', name: t('nodePaid'), settings: { event: customEvent('cart.paid') } },
      ]),
    }),
  },
  {
    id: 'birthday',
    need: 'dateField',
    emails: [{ name: 'emailBirthday', design: 'plain-letter' }],
    build: ({ t, emails, chosenId }) => ({
      ...reentryAfterDays(300),
      tasks: startDaily(
        { all: [{ type: 'field', field: chosenId ?? 0, operator: 'anniversary', value: { from: 0, to: 0 } }] },
        'birthday',
      ),
      nodes: startingAt([
        sendEmail('birthday', t('emailBirthday'), emails[0], 'end'),
        end('end', t('outcomeCongratulated')),
      ]),
    }),
  },
  {
    id: 'winBack',
    emails: [{ name: 'emailWinBack', design: 'win-back' }],
    build: ({ t, emails }) => ({
      ...reentryAfterDays(180),
      tasks: startDaily(neverOpenedIn(90), 'back', '1'),
      nodes: startingAt([
        sendEmail('back', t('emailWinBack'), emails[0], 'opened'),
        waitForEvent('opened', t('nodeOpened'), EMAIL_OPENED, { days: 14, next: 'won', timeoutNext: 'quiet' }),
        end('won', t('outcomeWonBack')),
        end('quiet', t('outcomeQuiet')),
      ]),
    }),
  },
  {
    id: 'afterPurchase',
    emails: [{ name: 'emailAfterPurchase', design: 'survey' }],
    build: ({ t, emails }) => ({
      ...reentryAfterDays(30),
      listeners: startOn(customEvent('order.paid'), 'days'),
      nodes: startingAt([
        pause('days', t('nodeThreeDays'), period('DAY', 3), 'survey'),
        sendEmail('survey', t('emailAfterPurchase'), emails[0], 'end'),
        end('end', t('outcomeAsked')),
      ]),
    }),
  },
  {
    id: 'reconfirm',
    emails: [
      { name: 'emailReconfirm', design: 'plain-letter' },
      { name: 'emailReconfirmAgain', design: 'plain-letter' },
    ],
    build: ({ t, emails }) => ({
      ...reentryAfterDays(365),
      tasks: startDaily(neverOpenedIn(365), 'first', '1'),
      nodes: startingAt([
        sendEmail('first', t('emailReconfirm'), emails[0], 'clicked'),
        waitForEvent('clicked', t('nodeClicked'), EMAIL_CLICKED, { days: 7, next: 'stays', timeoutNext: 'last' }),
        sendEmail('last', t('emailReconfirmAgain'), emails[1], 'clickedAgain'),
        waitForEvent('clickedAgain', t('nodeClicked'), EMAIL_CLICKED, {
          days: 7,
          next: 'stays',
          timeoutNext: 'silent',
        }),
        end('stays', t('outcomeConfirmed')),
        end('silent', t('outcomeNotConfirmed')),
      ]),
    }),
  },
  {
    id: 'nurture',
    need: 'segment',
    emails: [
      { name: 'emailNurtureFirst', design: 'announcement' },
      { name: 'emailNurtureSecond', design: 'newsletter' },
      { name: 'emailNurtureThird', design: 'event' },
    ],
    build: ({ t, emails, chosenId }) => ({
      ...NO_REENTRY,
      listeners: startOn({ type: 'segment.entered', segments: chosenId === null ? [] : [chosenId] }, 'first'),
      nodes: startingAt([
        sendEmail('first', t('emailNurtureFirst'), emails[0], 'days'),
        pause('days', t('nodeThreeDays'), period('DAY', 3), 'second'),
        sendEmail('second', t('emailNurtureSecond'), emails[1], 'week'),
        pause('week', t('nodeWeek'), period('DAY', 7), 'third'),
        sendEmail('third', t('emailNurtureThird'), emails[2], 'end'),
        end('end', t('outcomeIntroduced')),
      ]),
    }),
  },
  {
    id: 'appointment',
    emails: [{ name: 'emailAppointment', design: 'event' }],
    build: ({ t, emails }) => ({
      settings: { concurrency: MOST_APPOINTMENTS },
      listeners: [{ id: 'start', event: customEvent('appointment.booked'), onOpen: 'start', handler: 'before' }],
      nodes: startingAt([
        {
          type: 'sleep',
          id: 'before',
          name: t('nodeDayBefore'),
          settings: {
            until: { type: 'script', value: 'new Date(Date.parse(event.data.date) - 24 * 3600 * 1000).toISOString()' },
          },
          next: 'reminder',
        },
        sendEmail('reminder', t('emailAppointment'), emails[0], 'end'),
        end('end', t('outcomeReminded')),
        {
          type: 'goal',
          id: 'cancelled',
          name: t('nodeCancelled'),
          settings: { event: customEvent('appointment.cancelled') },
        },
      ]),
    }),
  },
]
