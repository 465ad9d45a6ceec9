import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { refusing, startSink } from '../../fakes/mail/smtp-sink.ts'
import { browserForFile, test } from '../../support/browser/launch.ts'
import { isIn } from '../../support/browser/steps/door.ts'
import { type Hands, keyboard, mouse } from '../../support/browser/steps/hands.ts'
import { importPeople, peopleFile } from '../../support/browser/steps/imports.ts'
import {
  addressTo,
  newEmail,
  readBalance,
  testMessage,
  untilDone,
  validateMessage,
  writeSubject,
} from '../../support/browser/steps/messages.ts'
import { buildSegment } from '../../support/browser/steps/segments.ts'
import { startFresh } from '../../support/browser/steps/service.ts'
import { openWindow } from '../../support/browser/windows.ts'
import { eventually } from '../../support/wait.ts'

const EMAIL = 'ann@orchard.example'
const PASSWORD = 'apples and pears and plums'
const LINES = 10_000
const EDITORS = 200
/** Addresses that the far side does not know. */
const UNKNOWN = [
  'person0-editor@orchard.example',
  'person50-editor@orchard.example',
  'person9950-editor@orchard.example',
]
/** Messages an hour: slow enough that somebody can look, pause and go on. */
const PACE = '18000'
/** Service, database, sink and browser share the machine: 10,000 lines are imported beside them. */
const PATIENCE_MS = 90_000

/** Fills the page of the first person in. */
async function introduce({ page, press, write }: Hands, name: string, email: string, password: string): Promise<void> {
  await write(page.getByLabel('Your name'), name)
  await write(page.getByLabel('Email'), email)
  await write(page.getByLabel('Password', { exact: true }), password)
  await press(page.getByRole('button', { name: 'Get started' }))
}

const openStep = ({ page, press }: Hands, step: string): Promise<void> =>
  press(page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: step }))

/** Names the account where the browser says it is, and reads the test mail that was captured as nothing carries mail yet. */
async function setUp(by: Hands): Promise<void> {
  const { page, press, write } = by
  await write(page.getByLabel('Name of the account'), 'Orchard')
  await press(page.getByRole('button', { name: 'Next · Domain' }))
  await page.waitForURL(/^[^?]*\/console\/\w+\/set-up\?step=domain$/)
  await openStep(by, 'Test email')
  await press(page.getByRole('button', { name: 'Send test email' }))
  await press(page.getByRole('link', { name: 'Open the captured email' }))
  await page.getByRole('definition').getByText(EMAIL).waitFor()
  await page.goBack()
  await openStep(by, 'Contacts')
  await press(page.getByRole('button', { name: 'Add sample data' }))
  await page.getByText(/^Sample data added/).waitFor()
  await press(page.getByRole('button', { name: 'Remove sample data' }))
  await page.getByRole('button', { name: 'Add sample data' }).waitFor()
}

/** Adds the relay that mail leaves by, tries it, and sends a test mail through it. */
async function addRelay(by: Hands, port: number): Promise<void> {
  const { page, press, write, choose } = by
  await openStep(by, 'Gateway')
  await press(page.getByRole('radio', { name: /^Another relay/ }))
  await write(page.getByLabel('Host', { exact: true }), '127.0.0.1')
  await write(page.getByLabel('Port', { exact: true }), String(port))
  await choose(page.getByLabel('Encryption (TLS)').first(), 'None')
  await press(page.getByRole('button', { name: 'Save' }))
  await press(page.getByRole('button', { name: 'Test the connection' }))
  await page.getByText('works', { exact: true }).waitFor()
  await openStep(by, 'Test email')
  await press(page.getByRole('button', { name: 'Send test email' }))
  await page.getByText(`The receiving server accepted it for ${EMAIL}`).waitFor()
}

/** Leaves, and comes in again by address and password. */
async function comeBack({ page, press, write }: Hands): Promise<void> {
  await press(page.getByRole('button', { name: /@/ }))
  await press(page.getByRole('menuitem', { name: 'Sign out' }))
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await write(page.getByLabel('Email'), EMAIL)
  await write(page.getByLabel('Password', { exact: true }), PASSWORD)
  await press(page.getByRole('button', { name: 'Sign in', exact: true }))
  await isIn(page)
}

/** Brings the people in; what becomes of each line is known. */
async function bringPeople(by: Hands): Promise<void> {
  const file = peopleFile(LINES)
  const applied = await importPeople(by, file)
  const { created, rejected, duplicates } = file
  const counts = { created, blocked: 0, rejected, duplicates }
  assert.deepEqual(applied, counts)
  await by.page.getByText('not a valid email address').first().waitFor()
}

/** Validates, looks on, pauses, goes on, and waits for the end, without reading the page anew. */
async function send(by: Hands): Promise<void> {
  const { page, press } = by
  await validateMessage(by, `${EDITORS} contacts will get this as soon as it is validated`)
  await untilDone(by, 1)
  await press(page.getByRole('button', { name: 'Pause' }))
  await page.getByText('It is paused', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Stop permanently' }).waitFor()
  await press(page.getByRole('button', { name: 'Resume' }))
  await page.getByText('It is being sent.').waitFor()
  await untilDone(by, EDITORS)
  await page.getByText('Sending is complete.').waitFor()
}

/** Where it went wrong: what the page says, and its picture where pictures are wanted. */
async function leaveWords(page: Page, name: string, isFine: boolean): Promise<void> {
  const folder = process.env['STENTOR_TEST_PICTURES']
  if (!isFine) console.error(page.url(), await page.getByRole('alert').allTextContents())
  if (!isFine && folder) await page.screenshot({ path: join(folder, `${name}.png`) })
  await page.context().close()
}

const browser = browserForFile()

for (const [way, hands] of Object.entries({ mouse, keyboard }))
  test(`from an empty data directory, a person reaches a campaign's report by ${way}`, async (t) => {
    const behave = refusing(Object.fromEntries(UNKNOWN.map((address) => [address, '550 5.1.1 no such user'])))
    const sink = await startSink({ behave })
    after(() => sink.close())
    const { page, complaints } = await openWindow(await browser())
    page.setDefaultTimeout(PATIENCE_MS)
    t.after(() => leaveWords(page, `first-person-${way}`, t.passed))
    const { url, setUpLink } = await startFresh(t, sink.port)
    const by = hands(page)
    await page.goto(setUpLink)
    assert.ok(page.url().startsWith(url))
    await introduce(by, 'Ann Orchard', EMAIL, 'short')
    await page.getByRole('alert').getByText('12').first().waitFor()
    await introduce(by, 'Ann Orchard', EMAIL, PASSWORD)
    await setUp(by)
    await addRelay(by, sink.port)
    assert.deepEqual(
      sink.messages.map(({ to }) => to),
      [[EMAIL]],
    )
    await comeBack(by)
    await bringPeople(by)
    await buildSegment(by, { name: 'Editors', ending: '-editor@orchard.example', count: String(EDITORS) })

    await newEmail(by, 'Harvest letter', 'Newsletter')
    await writeSubject(by, 'The harvest is in')
    await addressTo(by, { segment: 'Editors', count: String(EDITORS), pace: PACE })
    await testMessage(by)
    const proof = await eventually(() => sink.messages[1])
    assert.deepEqual(proof.to, [EMAIL])
    assert.match(proof.bytes.toString(), /^Subject: .*The harvest is in/m)
    await send(by)
    const received = sink.messages.slice(2).flatMap(({ to }) => to)
    assert.equal(new Set(received).size, received.length)
    const sent = { Sent: received.length, Refused: UNKNOWN.length }
    const none = { 'In doubt': 0, 'Not sent': 0, Postponed: 0, Retrying: 0, Waiting: 0 }
    assert.deepEqual(await readBalance(by), { ...sent, ...none, Audience: EDITORS })
    assert.equal(received.length + UNKNOWN.length, EDITORS)

    await page.goto(setUpLink)
    await introduce(by, 'Somebody', 'somebody@orchard.example', PASSWORD)
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    assert.deepEqual(complaints, [])
  })
