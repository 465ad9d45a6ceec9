import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleLink, makeSetUp } from '../../src/features/people/links.ts'
import { startBrowserStage } from './browser-stage.ts'
import { isIn } from './steps/door.ts'
import { type Hands, keyboard, mouse } from './steps/hands.ts'
import { importPeople, peopleFile, workImports } from './steps/imports.ts'
import { buildSegment } from './steps/segments.ts'

const EMAIL = 'ann@orchard.example'
const PASSWORD = 'apples and pears and plums'
/** More than a menu has items. */
const MENU_STEPS = 20

/** Fills the page of the first person in. */
async function introduce({ page, press, write }: Hands, name: string, email: string, password: string): Promise<void> {
  await write(page.getByLabel('Your name'), name)
  await write(page.getByLabel('Email'), email)
  await write(page.getByLabel('Password', { exact: true }), password)
  await press(page.getByRole('button', { name: 'Begin' }))
}

/** Names the account, reads the test mail that was captured, and brings sample data in and out. */
async function setUp({ page, press, write }: Hands): Promise<void> {
  await write(page.getByLabel('Name of the account'), 'Orchard')
  await page.keyboard.press('Control+s')
  await page.getByText('1 change not saved').waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).pathname, '/console/ACME001/set-up')
  await press(page.getByRole('link', { name: 'Test mail' }).first())
  await press(page.getByRole('button', { name: 'Send a test mail to myself' }))
  await press(page.getByRole('link', { name: 'Read the captured mail' }))
  await page.getByRole('definition').getByText(EMAIL).waitFor()
  await page.goBack()
  await press(page.getByRole('link', { name: 'Contacts' }).last())
  await press(page.getByRole('button', { name: 'Add sample data' }))
  await page.getByText(/^Sample data is there/).waitFor()
  await press(page.getByRole('button', { name: 'Take the sample data away' }))
  await page.getByRole('button', { name: 'Add sample data' }).waitFor()
}

/** Leaves, and comes in again by address and password; items of a menu are walked by arrows. */
async function comeBack({ page, press, write }: Hands, way: string): Promise<void> {
  await press(page.getByRole('button', { name: /@/ }))
  const leave = page.getByRole('menuitem', { name: 'Sign out' })
  await leave.waitFor()
  const isReached = (): Promise<boolean> =>
    leave.evaluate((item: { matches(selector: string): boolean }) => item.matches(':focus'))
  for (let step = 0; way === 'keyboard' && step < MENU_STEPS && !(await isReached()); step++)
    await page.keyboard.press('ArrowDown')
  await press(leave)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await write(page.getByLabel('Email'), EMAIL)
  await write(page.getByLabel('Password', { exact: true }), PASSWORD)
  await press(page.getByRole('button', { name: 'Sign in', exact: true }))
  await isIn(page)
}

// Each begins with an empty installation; both are there before the first test is, or the file would end with it.
const ways = [
  { way: 'mouse', hands: mouse, ...(await startBrowserStage()) },
  { way: 'keyboard', hands: keyboard, ...(await startBrowserStage()) },
]

for (const { way, hands, stage, url, window } of ways)
  test(`case 1: from an empty installation to a segment of 10,000 imported lines, by ${way}`, async () => {
    const token = (await makeSetUp(stage.context.db, stage.clock.now())) ?? ''
    const { page, complaints } = await window({ role: null })
    const by = hands(page)
    await page.goto(consoleLink(url, 'setup', token))
    await introduce(by, 'Ann Orchard', EMAIL, 'short')
    await page.getByRole('alert').getByText('12').first().waitFor()
    await introduce(by, 'Ann Orchard', EMAIL, PASSWORD)
    await setUp(by)
    await comeBack(by, way)
    const file = peopleFile(10_000)
    const { checked, applied } = await importPeople(by, file, () => workImports(stage))
    const { created, rejected, duplicates } = file
    const counts = { created, blocked: 0, rejected, duplicates }
    assert.deepEqual({ checked, applied }, { checked: counts, applied: counts })
    await page.getByText('not a value of this field').first().waitFor()
    await buildSegment(by, { name: 'Ninth', ending: '9@orchard.example', count: '998' })

    await page.goto(consoleLink(url, 'setup', token))
    await introduce(by, 'Somebody', 'somebody@orchard.example', PASSWORD)
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    assert.deepEqual(complaints, [])
  })
