import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { simpleParser } from 'mailparser'
import {
  mailApiKeyCreated,
  mailApprovalsDisabled,
  mailNewBrowserSignIn,
} from '../../../src/features/account-mail/people-mail.ts'
import { startSink } from '../../fakes/mail/smtp-sink.ts'
import { startHarness } from '../../support/harness.ts'
import { makePerson, openBrowser, PASSWORD, signedIn } from '../../support/stages/people.ts'

const sink = await startSink()
const harness = await startHarness({ STENTOR_SMTP_URL: `smtp://127.0.0.1:${sink.port}` })
const { own, context, call } = harness
const { db } = context

after(() => sink.close())

/** The mails that came since the last look: whom they went to, and what they say. */
async function taken(): Promise<{ to: string; subject: string; text: string }[]> {
  const mails = sink.messages.splice(0).map(async ({ to, bytes }) => {
    const { subject = '', text = '' } = await simpleParser(bytes)
    return { to: to.join(), subject, text }
  })
  return Promise.all(mails)
}

/** Takes the jobs of a task from the queue: their payloads. */
async function jobs<Payload>(task: string): Promise<Payload[]> {
  const { rows } = await context.pool.query<{ payload: Payload }>(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
     where t.id = j.task_id and t.identifier = $1 returning j.payload`,
    [task],
  )
  return rows.map(({ payload }) => payload)
}

const soon = () => AbortSignal.timeout(10_000)

suite('mails to people', () => {
  test('a mailed invitation has no link in its answer, and confirms the address', async () => {
    const invited = await call('POST', '/people/invitations', { body: { email: 'new@people.example', role: 'viewer' } })
    assert.deepEqual([invited.status, invited.body.link], [200, undefined])
    const [mail, ...others] = await taken()
    assert.deepEqual([mail?.to, others.length], ['new@people.example', 0])
    const token = /https:\/\/stentor\.example\/console\/invitation#token=([\w-]{43})/.exec(mail?.text ?? '')?.[1]
    const body = { name: 'New', password: PASSWORD }
    assert.equal((await openBrowser(harness).visit('POST', `/auth/invitations/${token}`, { body })).status, 200)
    const row = await db
      .selectFrom('people')
      .select('email_confirmed')
      .where('name', '=', 'New')
      .executeTakeFirstOrThrow()
    assert.equal(row.email_confirmed, true)
  })

  test('a sign-in from an unknown browser is mailed, the first one and known browsers are not', async () => {
    const person = await makePerson(harness, 'Pia', [[own, 'viewer']])
    const browser = await signedIn(harness, person)
    assert.deepEqual(await jobs('people.place'), [])
    await browser.visit('POST', '/auth/sign-in', { body: { email: person.email, password: PASSWORD } })
    assert.deepEqual(await jobs('people.place'), [])
    await db.updateTable('people').set({ locale: 'fr' }).where('id', '=', person.id).execute()
    await signedIn(harness, person, '198.51.100.99')
    const [payload, ...others] = await jobs<{ session: string }>('people.place')
    assert.ok(payload && others.length === 0)
    await mailNewBrowserSignIn(context, payload, soon())
    const [mail] = await taken()
    assert.equal(mail?.to, person.email)
    assert.match(mail?.text ?? '', /198\.51\.100\.99 \(test browser\)/)
    assert.equal(mail?.subject, 'Nouvelle connexion à votre compte')
    // Of a session that has ended meanwhile there is nothing to say.
    await db.deleteFrom('sessions').where('person', '=', person.id).execute()
    await mailNewBrowserSignIn(context, payload, soon())
    assert.deepEqual(await taken(), [])
  })

  test('a new key that may send is mailed to the other admins of an account with approvals', async () => {
    const [ada] = [
      await makePerson(harness, 'Ada', [[own, 'admin']]),
      await makePerson(harness, 'Bob', [[own, 'admin']]),
    ]
    const browser = await signedIn(harness, ada)
    const make = (rights: string[]) => browser.visit('POST', '/keys', { body: { name: 'Shop', rights } })
    assert.equal((await make(['read'])).status, 200)
    assert.deepEqual(await jobs('people.key'), [])
    assert.equal((await make(['send'])).status, 200)
    const [payload] = await jobs<{ key: number; by: string | null }>('people.key')
    assert.ok(payload)
    await mailApiKeyCreated(context, payload, soon())
    assert.deepEqual(await taken(), [])
    await db.updateTable('accounts').set({ approval: true }).where('id', '=', own.account).execute()
    await mailApiKeyCreated(context, payload, soon())
    const mails = await taken()
    assert.deepEqual(
      mails.map(({ to }) => to),
      ['bob@people.example'],
    )
    assert.match(mails[0]?.text ?? '', /Ada created the API key "Shop", which has the right to send/)
  })

  test('switching approvals off is mailed to the other admins, even if they are on again, and is in the audit', async () => {
    const [zoe] = [
      await makePerson(harness, 'Zoe', [[own, 'admin']]),
      await makePerson(harness, 'Yan', [[own, 'admin']]),
    ]
    await db.updateTable('people').set({ locale: 'fr' }).where('name', '=', 'Yan').execute()
    const browser = await signedIn(harness, zoe)
    const set = async (approval: boolean) => {
      const answer = await browser.visit('PUT', '/settings/people', { body: { approval } })
      assert.deepEqual([answer.status, answer.body.approval], [200, approval])
    }
    await set(true)
    await set(true)
    assert.deepEqual(await jobs('people.approval'), [])
    await set(false)
    await set(false)
    const payloads = await jobs<{ account: number; by: string | null }>('people.approval')
    assert.deepEqual(payloads, [{ account: own.account, by: zoe.id }])
    await set(true)
    await mailApprovalsDisabled(context, payloads[0]!, soon())
    const mails = (await taken()).filter(({ to }) => /^(zoe|yan)@/.test(to))
    assert.deepEqual(
      mails.map(({ to, subject }) => [to, subject]),
      [['yan@people.example', `Approbations désactivées dans ${own.code}`]],
    )
    assert.match(mails[0]?.text ?? '', /Zoe a désactivé/)
    const [, , row] = (await call('GET', '/audit?object=people-settings&limit=3')).body
    assert.deepEqual([row.who.name, row.changes], ['Zoe', { '/approval': [true, false] }])
    // By a key all admins are told.
    await call('PUT', '/settings/people', { body: { approval: false } })
    const [byKey] = await jobs<{ account: number; by: string | null }>('people.approval')
    await mailApprovalsDisabled(context, byKey!, soon())
    const told = (await taken()).filter(({ to }) => /^(zoe|yan)@/.test(to))
    assert.deepEqual(told.map(({ to }) => to).sort(), ['yan@people.example', 'zoe@people.example'])
    assert.match(told.find(({ to }) => to.startsWith('zoe'))?.text ?? '', /^An API key turned off approvals/)
  })
})
