import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleLink, makeSetUp } from '../../src/features/people/links.ts'
import { startBrowserStage } from './browser-stage.ts'

const { stage, url, window } = await startBrowserStage()

test('case 1: the link of the first start makes a person, leads through set-up, and shows the test mail that was captured', async () => {
  const { context, clock } = stage
  const token = await makeSetUp(context.db, clock.now())
  const { page, complaints } = await window({ role: null })
  await page.goto(consoleLink(url, 'setup', token ?? ''))
  await page.getByLabel('Your name').fill('Ann Orchard')
  await page.getByLabel('Email').fill('ann@orchard.example')
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByRole('button', { name: 'Begin' }).click()
  await page.getByRole('alert').getByText('12').first().waitFor()
  await page.getByLabel('Password', { exact: true }).fill('apples and pears and plums')
  await page.getByRole('button', { name: 'Begin' }).click()

  await page.getByLabel('Name of the account').fill('Orchard')
  await page.keyboard.press('Control+s')
  await page.getByText('1 change not saved').waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).pathname, '/console/ACME001/set-up')
  await page.getByRole('link', { name: 'Test mail' }).first().click()
  await page.getByRole('button', { name: 'Send a test mail to myself' }).click()
  await page.getByRole('link', { name: 'Read the captured mail' }).click()
  await page.getByRole('definition').getByText('ann@orchard.example').waitFor()
  await page.goBack()

  await page.getByRole('link', { name: 'Contacts' }).last().click()
  await page.getByRole('button', { name: 'Add sample data' }).click()
  await page.getByText(/^Sample data is there/).waitFor()
  await page.getByRole('button', { name: 'Take the sample data away' }).click()
  await page.getByRole('button', { name: 'Add sample data' }).waitFor()

  await page.goto(consoleLink(url, 'setup', token ?? ''))
  await page.getByLabel('Your name').fill('Somebody')
  await page.getByLabel('Email').fill('somebody@orchard.example')
  await page.getByLabel('Password', { exact: true }).fill('apples and pears and plums')
  await page.getByRole('button', { name: 'Begin' }).click()
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
  assert.deepEqual(complaints, [])
})
