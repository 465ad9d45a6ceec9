import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { startBrowserStage } from '../../support/browser/browser-stage.ts'
import { test } from '../../support/browser/launch.ts'
import { givePassword, isIn, signOut } from '../../support/browser/steps/door.ts'
import { colleague } from '../../support/stages/colleagues.ts'

const browserStage = await startBrowserStage()
const { stage, url, window, password } = browserStage
const { call } = stage

suite('people in the console', () => {
  test('an invited person joins, and their screens follow the role that an admin gives them', async () => {
    const admin = await window()
    await admin.open('/settings/people')
    await admin.page.getByRole('button', { name: 'Invite user' }).click()
    const dialog = admin.page.getByRole('dialog')
    await dialog.getByLabel('Email').fill('kim@orchard.example')
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await dialog.getByText('The email could not be sent', { exact: false }).waitFor()
    const link =
      (await dialog
        .getByRole('status')
        .getByText(/^http:/)
        .textContent()) ?? ''
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await admin.page.getByText('kim@orchard.example').waitFor()

    const kim = await window({ role: null })
    await kim.page.goto(link)
    await kim.page.getByRole('heading', { name: 'Join ACME001' }).waitFor()
    await kim.page.getByLabel('Your name').fill('Kim Fields')
    await kim.page.getByLabel('Password', { exact: true }).fill(password)
    await kim.page.getByRole('button', { name: 'Continue' }).click()
    await isIn(kim.page)
    await kim.open('/segments')
    await kim.page.getByRole('link', { name: /^New/ }).first().waitFor()
    await kim.open('/settings')
    await kim.page.getByText('this one').waitFor()
    assert.equal(await kim.page.getByRole('link', { name: 'Users', exact: true }).count(), 0)

    await admin.page.reload()
    await admin.page.getByRole('combobox', { name: 'Role of Kim Fields' }).click()
    await admin.page.getByRole('option', { name: 'Viewer' }).click()
    await admin.page.getByText('Kim Fields was changed').waitFor()
    await kim.open('/segments')
    await kim.page.getByText('No segments yet').waitFor()
    assert.equal(await kim.page.getByRole('link', { name: /^New/ }).count(), 0)

    await admin.page.getByRole('combobox', { name: 'Role of Kim Fields' }).click()
    await admin.page.getByRole('option', { name: 'Admin' }).click()
    await admin.page.getByRole('button', { name: 'More actions: Kim Fields' }).waitFor()
    await kim.open('/settings/people')
    await kim.page.getByText('Kim Fields').first().waitFor()
    assert.deepEqual([...admin.complaints, ...kim.complaints], [])
    await Promise.all([admin.close(), kim.close()])
  })

  test('a person sees their sessions, ends another one and signs out', async () => {
    const here = await window({ role: 'author' })
    const there = await window({ role: null })
    await there.page.goto(`${url}/console/sign-in`)
    await givePassword(there.page, 'author.en@orchard.example', password)
    await isIn(there.page)
    await here.open('/settings')
    await here.page.getByRole('button', { name: 'End session' }).click()
    await here.page.getByRole('button', { name: 'End session' }).waitFor({ state: 'detached' })
    await here.page.getByText('this one').waitFor()
    await there.page.getByRole('link', { name: 'Audience' }).first().click()
    await there.page.getByRole('dialog', { name: 'Your session has expired' }).waitFor()
    await signOut(here.page)
    await here.open('/contacts')
    await here.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.deepEqual([...here.complaints, ...there.complaints], [])
    browserStage.forgetSessions()
    await Promise.all([here.close(), there.close()])
  })

  test('an approval is requested, given, refused as stale and recorded in the audit', async () => {
    await colleague(stage, 'sender', { name: 'Bo Gale' })
    const author = await window({ role: 'author' })
    const admin = await window()
    assert.equal((await call('PUT', '/settings/people', { body: { approval: true } })).status, 200)
    const proven = async (id: string): Promise<void> => {
      await call('POST', `/actions/${id}/validation`, {
        body: { fortest: true, mediaForTest: 'proof@orchard.example' },
      })
      await stage.settle()
    }
    const campaign = async (name: string): Promise<string> => {
      const selected = [await stage.segment([await stage.contact(`${name}@orchard.example`)])]
      const scheduler = { type: 'asap', segments: { selected } }
      const id = await stage.action({ name: `${name} letter`, type: 'mailCampaign', scheduler })
      await proven(id)
      return id
    }
    const [spring, autumn] = [await campaign('Spring'), await campaign('Autumn')]

    await author.open('/approvals')
    await author.page.getByRole('button', { name: 'Request approval' }).click()
    const ask = author.page.getByRole('dialog', { name: 'Request approval' })
    await ask.getByRole('combobox', { name: 'What to approve' }).fill('Spring')
    await author.page.getByRole('option', { name: 'Spring letter' }).click()
    await ask.getByLabel('Comment').fill('For Monday')
    await ask.getByRole('button', { name: 'Request approval' }).click()
    await author.page.getByText('1 contact · requested by Ann Orchard', { exact: false }).waitFor()
    await author.open(`/approvals?ask=action:${autumn}`)
    await ask.getByText('Autumn letter').waitFor()
    await ask.getByRole('button', { name: 'Request approval' }).click()
    await author.page.getByRole('button', { name: 'Withdraw' }).nth(1).waitFor()

    await call('PUT', `/actions/${autumn}`, { body: { content: { subject: 'Another one' } } })
    await admin.open('/approvals')
    const line = (name: string) => admin.page.getByRole('listitem').filter({ hasText: name })
    const main = admin.page.getByRole('main')
    await line('Autumn letter').getByRole('link', { name: 'Review' }).click()
    await main.getByRole('button', { name: 'Approve, goes now' }).click()
    await main.getByRole('link', { name: 'What changed since' }).waitFor()
    await main.getByRole('link', { name: 'Approvals' }).click()
    await line('Spring letter').getByRole('link', { name: 'Review' }).click()
    await main.getByText('For Monday').waitFor()
    await main.getByRole('region', { name: 'Facts' }).getByText('Hello').waitFor()
    await main.getByRole('button', { name: 'Approve, goes now' }).click()
    await admin.page.getByText('Nothing is waiting for approval').waitFor()
    assert.ok((await stage.state(spring)) >= 40, 'it is under way')

    await admin.page.getByRole('link', { name: 'Changed since' }).click()
    await admin.page.getByRole('link', { name: 'What changed since' }).click()
    await admin.page.getByText('/content/subject').waitFor({ state: 'attached' })
    assert.equal(new URL(admin.page.url()).searchParams.get('object'), `action:${autumn}`)
    await admin.page.getByRole('combobox', { name: 'Operation' }).click()
    await admin.page.getByRole('option', { name: 'PUT /actions/{id}' }).click()
    await admin.page.getByRole('list', { name: 'Audit' }).getByRole('listitem').nth(1).waitFor({ state: 'detached' })
    const [file] = await Promise.all([
      admin.page.waitForEvent('download'),
      admin.page.getByRole('button', { name: 'Save as a file' }).click(),
    ])
    const stream = await file.createReadStream()
    const told = (await stream.toArray())
      .join('')
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one))
    assert.deepEqual(
      told.map(({ operation, changes }) => [operation, changes['/content/subject']]),
      [['PUT /actions/{id}', ['Hello', 'Another one']]],
    )
    await author.open('/approvals?state=stale')
    await author.page.getByRole('button', { name: 'Request again' }).click()
    await author.page.getByRole('alert').waitFor()
    await proven(autumn)
    await author.page.getByRole('button', { name: 'Request again' }).click()
    await author.page.getByText('Approval of Autumn letter requested').waitFor()
    assert.deepEqual([...author.complaints, ...admin.complaints], [])
    await Promise.all([author.close(), admin.close()])
  })
})
