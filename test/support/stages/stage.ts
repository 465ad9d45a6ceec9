import assert from 'node:assert/strict'
import { advanceActions } from '../../../src/features/actions/execution/advance.ts'
import { runActionTest } from '../../../src/features/actions/validation/test-run.ts'
import { parseActionId } from '../../../src/lib/ids.ts'
import { planCampaign } from '../../../src/sending/plan/plan-campaign.ts'
import type { SenderContext } from '../../../src/sending/senders/sender-context.ts'
import type { RecordingGateway } from '../../fakes/web/recording-gateway.ts'
import { type Answer, type Harness, startHarness } from '../harness.ts'
import { startTestSender } from './sending.ts'

/** The harness with everything that actions need around them, and functions that run what otherwise runs in the background. */
export interface Stage extends Harness {
  gateway: RecordingGateway
  /** What sends: its gateway may be exchanged. */
  sender: SenderContext
  /** Makes a contact of the own account; gives its id. */
  contact(address: string, more?: Record<string, unknown>): Promise<string>
  /** Makes a static segment with these contacts; gives its id. */
  segment(contacts: readonly string[], more?: object): Promise<number>
  /** Makes an e-mail action that is complete, unless `more` says otherwise; gives its id. */
  action(more?: object): Promise<string>
  get(action: string): Promise<Answer['body']>
  state(action: string): Promise<number>
  /** Puts an action into a state, whatever the rules say. */
  put(action: string, columns: { state: number; paused?: boolean }): Promise<void>
  /** Takes an action to 50 by way of a test; gives its id. */
  validated(action: string): Promise<string>
  /** A campaign to a segment under way, planned so many contacts at once; nothing of it is sent. Gives its id and number. */
  planned(segment: number, slice: number, name?: string): Promise<{ id: string; action: number }>
  /** Sends what is due. */
  sendDue(): Promise<number>
  /** Prepares the tests that wait, and plans the campaigns that began. */
  work(): Promise<void>
  /** Runs all that goes on by itself: jobs, transitions of actions, sender, transitions. */
  settle(): Promise<void>
  advance(): Promise<void>
}

const CONTENT = { subject: 'Hello', html: '<html><body><a href="https://shop.example/a">Come in</a></body></html>' }

let named = 0

async function workJobs({ context }: Harness): Promise<void> {
  const { db } = context
  const columns = ['account', 'id as action', 'attempt'] as const
  const tests = await db.selectFrom('actions').select(columns).where('state', 'in', [30, 35]).execute()
  for (const { account, action, attempt } of tests) await runActionTest(context, { account, action, attempt })
  const plans = await db.selectFrom('sendings').select('id').where('state', '=', 'planning').execute()
  for (const { id } of plans) await planCampaign(context, { sending: id })
}

function makers({ call }: Harness): Pick<Stage, 'contact' | 'segment' | 'action' | 'get' | 'state'> {
  const made = async (url: string, body: object): Promise<Answer['body']> => {
    const answer = await call('POST', url, { body })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const get = async (action: string): Promise<Answer['body']> => (await call('GET', `/actions/${action}`)).body
  return {
    get,
    contact: async (address, more = {}) => (await made('/targets', { Email: address, ...more })).id,
    async segment(contacts, more = {}) {
      const { id } = await made('/segments', { type: 'static', name: `Segment ${++named}`, ...more })
      await call('PUT', `/segments/${id}/targets`, { body: contacts })
      return id
    },
    action: async (more = {}) =>
      (await made('/actions', { type: 'mailMessage', name: `Action ${++named}`, content: CONTENT, ...more })).id,
    state: async (action) => (await get(action)).state,
  }
}

/** Starts a harness and what stands around it. `environment`: more settings. */
export async function startStage(environment: Record<string, string> = {}): Promise<Stage> {
  const harness = await startHarness(environment)
  const { gateway, sender, sendDue } = startTestSender(harness)
  const made = makers(harness)
  const { call, context } = harness
  const advance = () => advanceActions(context)
  const settle = async (): Promise<void> => {
    await workJobs(harness)
    await advance()
    await workJobs(harness)
    await sendDue()
    await advance()
  }
  const command = async (action: string, body: object): Promise<void> => {
    const answer = await call('POST', `/actions/${action}/validation`, { body })
    assert.equal(answer.status, 204, answer.text)
  }
  const validated = async (action: string): Promise<string> => {
    await command(action, { fortest: true, mediaForTest: 'proof@desk.example' })
    await settle()
    await command(action, { fortest: false })
    return action
  }
  return {
    ...harness,
    ...made,
    gateway,
    sender,
    sendDue,
    settle,
    advance,
    work: () => workJobs(harness),
    async put(action, columns) {
      const paused = columns.paused ?? false
      const state = columns.state as 10
      const id = parseActionId(action)!
      await context.db.updateTable('actions').set({ state }).where('id', '=', id).execute()
      // A campaign that is under way has a sending.
      await context.pool.query(
        `with version as (
          insert into content_versions (account, owner_kind, owner, source, links, created_at)
          select account, 'action', id, '{}', '[]', now() from actions where id = $1 and state = 55 and sending is null
          returning id, account, owner
        ), made as (
          insert into sendings (account, channel, source_kind, source, kind, version, lane, run, state, created_at)
          select account, 'email', 'action', owner, 'campaign', id, 2, uuidv7(), 'running', now() from version
          returning id, source
        )
        update actions a set sending = made.id from made where a.id = made.source`,
        [id],
      )
      await context.pool.query('update sendings set paused = $2 where source = $1', [id, paused])
    },
    async planned(segment, slice, name) {
      const scheduler = { type: 'asap', segments: { selected: [segment] } }
      const id = await validated(await made.action({ type: 'mailCampaign', scheduler, ...(name && { name }) }))
      await advance()
      const action = parseActionId(id)!
      const { sending } = await context.db
        .selectFrom('actions')
        .select('sending')
        .where('id', '=', action)
        .executeTakeFirstOrThrow()
      await planCampaign(context, { sending: sending! }, { slice })
      return { id, action }
    },
    validated,
  }
}
