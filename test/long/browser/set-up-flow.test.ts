import assert from 'node:assert/strict'
import { suite } from 'node:test'
import type { Page } from 'playwright-core'
import { startBrowserStage } from '../../support/browser/browser-stage.ts'
import { test } from '../../support/browser/launch.ts'

const { stage, window } = await startBrowserStage()
const { call } = stage

const NEW = { timeZone: 'UTC', defaultCountry: 'FRA', culture: 'fr-FR' }

/** Country, zone and language as the account has them. */
async function stored(): Promise<typeof NEW> {
  const [contacts, sending] = await Promise.all([call('GET', '/settings/contacts'), call('GET', '/settings/sending')])
  const { timeZone, defaultCountry } = contacts.body
  return { timeZone, defaultCountry, culture: sending.body.culture }
}

async function store({ culture, ...contacts }: typeof NEW): Promise<void> {
  await call('PUT', '/settings/contacts', { body: contacts })
  await call('PUT', '/settings/sending', { body: { culture } })
}

/** What the set-up shows of country, zone and language. */
async function shown(page: Page, labels: readonly string[]): Promise<string[]> {
  const fields = labels.map((name) => page.getByRole('combobox', { name, exact: true }))
  await fields[0]?.waitFor()
  return Promise.all(fields.map((field) => field.inputValue()))
}

const browsers = [
  {
    view: { locale: 'fr', tag: 'fr-FR', zone: 'Europe/Paris' },
    labels: ['Pays', 'Fuseau horaire', 'Langue des messages'],
    proposed: ['France', 'Europe/Paris', 'français (France)'],
    next: 'Suivant · Domaine',
    expected: { timeZone: 'Europe/Paris', defaultCountry: 'FRA', culture: 'fr-FR' },
  },
  {
    view: { tag: 'en-US', zone: 'America/New_York' },
    labels: ['Country', 'Time zone', 'Language of messages'],
    proposed: ['United States', 'America/New_York', 'American English'],
    next: 'Next · Domain',
    expected: { timeZone: 'America/New_York', defaultCountry: 'USA', culture: 'en-US' },
  },
  {
    view: { tag: 'en', zone: 'Australia/Brisbane' },
    labels: ['Country', 'Time zone', 'Language of messages'],
    proposed: ['Australia', 'Australia/Brisbane', 'Australian English'],
    next: 'Next · Domain',
    expected: { timeZone: 'Australia/Brisbane', defaultCountry: 'AUS', culture: 'en-AU' },
  },
] as const

suite('the set-up of a new account', () => {
  for (const { view, labels, proposed, next, expected } of browsers)
    test(`proposes country, zone and language of a browser set to ${view.tag} in ${view.zone}, and Next saves them`, async () => {
      await store(NEW)
      const { page, open, complaints, close } = await window(view)
      await open('/set-up')
      assert.deepEqual(await shown(page, labels), proposed)
      assert.deepEqual(await stored(), NEW, 'nothing is saved before it is confirmed')
      await page.getByRole('button', { name: next }).click()
      await page.waitForURL(/step=domain/)
      assert.deepEqual(await stored(), expected)
      assert.deepEqual(complaints, [])
      await close()
    })

  test('leaves what somebody has chosen, whatever the browser is set to', async () => {
    const chosen = { timeZone: 'Asia/Tokyo', defaultCountry: 'JPN', culture: 'fr-FR' }
    await store(chosen)
    const { page, open, close } = await window({ tag: 'en-US', zone: 'America/New_York' })
    await open('/set-up')
    assert.deepEqual(await shown(page, ['Country', 'Time zone', 'Language of messages']), [
      'Japan',
      'Asia/Tokyo',
      'French (France)',
    ])
    assert.equal(await page.getByText('come from your browser').count(), 0)
    await close()
  })

  test('stays on the step, with what was entered, when Next cannot save it', async () => {
    const { page, open, close } = await window()
    await open('/set-up')
    await page.getByLabel('Name of the account').fill('')
    await page.getByRole('button', { name: 'Next · Domain' }).click()
    await page.getByText('Not saved', { exact: true }).waitFor()
    assert.doesNotMatch(page.url(), /step=domain/)
    await close()
  })
})
