import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { runJob } from '../../../src/features/jobs/run.ts'
import { createJobHandlers } from '../../../src/service/job-handlers.ts'
import { startBrowserStage } from '../../support/browser/browser-stage.ts'
import { test } from '../../support/browser/launch.ts'
import { eventually } from '../../support/wait.ts'

const { stage, window } = await startBrowserStage()
const { call } = stage
const first = await stage.contact('ann@orchard.example')
const second = await stage.contact('omar@orchard.example')
await stage.contact('mei@harbour.example')

/** Chooses in a field that offers values. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  await page
    .getByRole('combobox', { name: label, exact: true })
    .or(page.getByLabel(label, { exact: true }))
    .first()
    .click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

suite('contacts in the console', () => {
  test('a segment is built, counted while it is edited, explained and saved', async () => {
    const { page, open, complaints, close } = await window()
    await open('/segments/new')
    await page.getByText('3', { exact: true }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Orchard people')
    await page.getByRole('button', { name: 'Add a criterion' }).click()
    await page.getByRole('option', { name: 'Email', exact: true }).click()
    await choose(page, 'Comparison', 'ends with')
    await page.getByLabel('Value', { exact: true }).fill('@orchard.example')
    await page.getByText('2', { exact: true }).waitFor()
    await page.getByText('ends with', { exact: false }).first().waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Orchard people' }).waitFor()
    const { body } = await call('GET', '/segments')
    const made = body.find(({ name }: { name: string }) => name === 'Orchard people')
    const [email] = (await call('GET', '/fields')).body
    assert.deepEqual((await call('GET', `/segments/${made.id}`)).body.criteria, {
      all: [{ type: 'field', field: email.id, operator: 'endsWith', value: '@orchard.example' }],
    })
    await page.getByRole('link', { name: 'Open in contacts' }).click()
    await page.getByText('2 rows').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a segment of two criteria takes at most 9 presses, shows no error before it is saved, and never expires', async () => {
    const { page, open, complaints, close } = await window()
    let presses = 0
    const press = async (target: Locator): Promise<void> => {
      presses++
      await target.click()
      assert.equal(await page.getByRole('alert').count(), 0)
      assert.equal(await page.locator('[data-faulty]').count(), 0)
    }
    await open('/')
    await press(page.getByRole('link', { name: 'Audience', exact: true }).first())
    await press(page.getByRole('link', { name: 'Segments', exact: true }).first())
    await press(page.getByRole('link', { name: 'New segment', exact: true }))
    await press(page.getByRole('button', { name: 'Add a criterion' }))
    await press(page.getByRole('option', { name: 'Email', exact: true }))
    await page.getByText('Enter a value to update the count.').waitFor()
    await page.keyboard.type('ann@orchard.example')
    await page.getByText('1', { exact: true }).waitFor()
    await press(page.getByRole('button', { name: 'Add a criterion' }))
    await press(page.getByRole('option', { name: 'Created', exact: true }))
    await page.getByRole('button', { name: 'Email is ann@orchard.example' }).waitFor()
    await press(page.getByRole('button', { name: 'Save' }))
    const name = 'Email is ann@orchard.example and Created is in the last 30 days'
    await page.getByRole('heading', { level: 1, name }).waitFor()
    assert.ok(presses <= 9, `${presses} presses`)
    const { body } = await call('GET', '/segments')
    const made = body.find((segment: { name: string }) => segment.name === name)
    assert.match(made.expiration, /^9999-/)
    await call('DELETE', `/segments/${made.id}`)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a template is a start of a segment, and one that lacks a field says so', async () => {
    const { page, open, complaints, close } = await window()
    await open('/segments/new')
    await page.getByText('Needs a date field for birthdays.').waitFor()
    for (const template of ['Engaged in the last 30 days', 'Never opened', 'New this week', 'Bounced']) {
      await page.getByRole('button', { name: template }).click()
      await page.getByRole('button', { name: 'Remove the criterion' }).first().waitFor()
      await page.getByText(/match(es)? now/).waitFor()
      assert.equal(await page.getByRole('alert').count(), 0)
      await page.getByRole('button', { name: 'Discard' }).click()
    }
    assert.deepEqual(complaints, [])
    await close()
  })

  test('the list is filtered by criteria in the address, and the selected contacts are added to a segment', async () => {
    const list = await stage.segment([], { name: 'Guests' })
    const { page, open, close } = await window()
    const field = (await call('GET', '/fields')).body[0].id
    const filter = { any: [{ type: 'field', field, operator: 'startsWith', value: 'mei' }] }
    await open(`/contacts?filter=${encodeURIComponent(JSON.stringify(filter))}`)
    await page.getByText('1 row', { exact: true }).waitFor()
    await page.getByLabel('Select mei@harbour.example').check()
    await page.getByRole('button', { name: 'Add to a segment' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Static segment').first().click()
    await page.getByRole('option', { name: 'Guests' }).click()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('1 contact is in Guests.').waitFor()
    assert.equal((await call('GET', `/segments/${list}/targets`)).body.length, 1)
    await close()
  })

  test('a contact is added by hand in at most 4 presses, and one that exists is recognised while it is written', async () => {
    const { page, open, complaints, close } = await window()
    await open('/')
    await page.getByRole('link', { name: 'Audience', exact: true }).first().click()
    await page.getByRole('button', { name: 'Add contact' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill('ann@orchard.example')
    await dialog.getByRole('link', { name: 'Open it' }).waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Add contact' }).isDisabled(), true)
    await dialog.getByLabel('Email').fill('émilie@orchard.example')
    await dialog.getByRole('button', { name: 'Add contact' }).click()
    await page.getByRole('heading', { level: 1, name: 'émilie@orchard.example' }).waitFor()
    const { body } = await call('GET', '/targets?unicity=émilie@orchard.example')
    assert.equal((await call('DELETE', `/targets/${body.id}`)).status, 204)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('addresses that are pasted go the way of a file', async () => {
    const { page, open, close } = await window()
    await open('/contacts')
    await page.getByRole('link', { name: 'Import', exact: true }).click()
    await page.getByLabel('Addresses or rows').fill('Ann <ann@orchard.example>, omar@orchard.example')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('cell', { name: 'ann@orchard.example · omar@orchard.example' }).waitFor()
    await page.getByRole('button', { name: 'Import', exact: true }).waitFor()
    await close()
  })

  test('a field is changed for all matches except the deselected ones, and the selection is in the address', async () => {
    const field = (await call('POST', '/fields', { body: { type: 'textField', name: 'Harbour' } })).body.id
    const { page, open, complaints, close } = await window()
    await open('/contacts?selected=all')
    await page.getByText('All 3 selected').or(page.getByText(/all 3/i)).first().waitFor()
    await page.getByLabel('Select mei@harbour.example').uncheck()
    await page.waitForURL(/selected=all-/)
    await page.reload()
    await page.getByText('2 of 3 selected').waitFor()
    await page.getByRole('button', { name: 'Change a field' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Field' }).click()
    await page.getByRole('option', { name: 'Harbour' }).click()
    await dialog.getByLabel('Value', { exact: true }).fill('Porto')
    await dialog.getByRole('button', { name: 'Change', exact: true }).click()
    const job = await eventually(async () =>
      (await call('GET', '/jobs')).body.find(({ type }: { type: string }) => type === 'targets.update'),
    )
    await runJob(stage.context, createJobHandlers(stage.context), { job: job.id })
    await page.getByText('Harbour was changed for 2 contacts. Unchanged: 0.').waitFor()
    const values = (await call('GET', '/targets')).body.map(
      ({ fields }: { fields: Record<string, string> }) => fields[field],
    )
    assert.deepEqual(values, ['Porto', 'Porto', null])
    const csv = page.waitForEvent('download')
    await page.getByLabel('Select ann@orchard.example').check()
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
    const file = readFileSync(await (await csv).path(), 'utf8').split('\r\n')
    assert.deepEqual([file.length, file[1]?.startsWith(`${first},ann@orchard.example,`)], [3, true])
    assert.deepEqual(complaints, [])
    await call('DELETE', `/fields/${field}`)
    await close()
  })

  test('of two people editing one contact, the second sees what changed and chooses', async () => {
    const field = (await call('POST', '/fields', { body: { type: 'textField', name: 'Town' } })).body.id
    const { page, open, close } = await window()
    await open(`/contacts/${first}?tab=fields`)
    await page.getByLabel('Town').fill('Lyon')
    await call('PUT', `/targets/${first}`, { body: { Town: 'Porto' } })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Someone else changed this in the meantime').waitFor()
    await page.getByRole('button', { name: 'Save my version' }).click()
    await page.getByText('The contact is saved.').waitFor()
    assert.equal((await call('GET', `/targets/${first}`)).body.fields[field], 'Lyon')
    await close()
  })

  test('a contact is unsubscribed, subscribed again with a consent, and erased after typing its address', async () => {
    const { page, open, close } = await window()
    await open(`/contacts/${second}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Unsubscribe from email' }).click()
    await page.getByText('Unsubscribed by a user or the API').waitFor()
    await page.getByRole('button', { name: 'Subscribe again…' }).click()
    await page.getByLabel('This contact asked to receive messages again').check()
    await page.getByLabel('How the contact gave consent').fill('asked by phone')
    await page.getByRole('dialog').getByRole('button', { name: 'Subscribe again' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.deepEqual((await call('GET', `/targets/${second}`)).body.redList, {})
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Erase', exact: true }).click()
    const erase = page.getByRole('dialog').getByRole('button', { name: 'Erase' })
    assert.equal(await erase.isDisabled(), true)
    await page.getByLabel('Type omar@orchard.example to confirm').fill('omar@orchard.example')
    await erase.click()
    await page.getByText('omar@orchard.example erased').waitFor()
    assert.equal((await call('GET', `/targets/${second}`)).status, 404)
    await close()
  })

  test('a viewer sees no button that would be refused', async () => {
    const { page, open, close } = await window({ role: 'viewer' })
    await open(`/contacts/${first}`)
    await page.getByText('No messages yet').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Edit' }).count(), 0)
    await open('/segments')
    await page.getByText('Guests').waitFor()
    assert.equal(await page.getByRole('link', { name: /New/ }).count(), 0)
    await open('/pressure')
    await page.getByText('No rules yet').waitFor()
    assert.equal(await page.getByRole('link', { name: /New/ }).count(), 0)
    await close()
  })
})
