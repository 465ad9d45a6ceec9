import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { parseContactId } from '../../../src/lib/ids.ts'
import { storedApplication, storedSubscription } from '../stages/push-applications.ts'
import { startBrowserStage } from './browser-stage.ts'

/** The address of the contact that previews are shown to. */
export const ADA = 'ada@orchard.example'
const HOSTILE = `<img src=x onerror="document.title='taken'"> "quoted" ‮عربي‬`

/** A browser stage with what messages of phones need: contacts with numbers, segments, an agent, an application with a device. */
export async function startPhones() {
  const browserStage = await startBrowserStage()
  const { stage } = browserStage
  const { call, context, gateway, sender } = stage
  // Every gateway, whatever it is of, is the one that records.
  sender.gateways = { ...sender.gateways, named: async () => gateway }

  const made = async (path: string, body: object) => {
    const answer = await call('POST', path, { body })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }

  const { id: phone } = await made('/fields', { type: 'phone', name: 'Mobile' })
  await made('/fields', { type: 'textArea', name: 'Notes' })
  await call('PUT', '/settings/sending', { body: { stopMention: 'STOP 36000' } })
  const ada = await stage.contact(ADA, { Mobile: '+33612345678', Notes: `${HOSTILE} ${'x'.repeat(120)}` })
  const bob = await stage.contact('bob@orchard.example', { Mobile: '+33612345679' })
  await stage.segment([ada, bob], { name: 'Readers' })
  await stage.segment([ada], { name: 'Testers', isTest: true })
  const profile = (
    await made('/channel/rcs/profiles', {
      name: 'Orchard France',
      agent: 'orchard_fr_k2',
      provider: { type: 'capture' },
      fallback: { type: 'sms', sender: 'ORCHARD' },
    })
  ).id
  const application = await storedApplication(stage, {
    routes: [{ name: 'Shop', value: 'orchard://shop', default: true }],
  })
  await context.db.updateTable('applications').set({ name: 'Orchard app' }).where('id', '=', application).execute()
  const device = await storedSubscription(stage, application, { contact: parseContactId(ada)! })
  return { ...browserStage, made, phone, profile, application, device }
}

/** Opens a part of the page of a message. */
export const step = (page: Page, name: string) =>
  page.getByRole('main').getByRole('link', { name, exact: true }).click()

/** A list to choose from, by its label. */
export const box = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true })

/** Chooses the contact of a preview, or of a test. */
export async function previewed(page: Page, typed: string, address: string, label = 'As this contact gets it') {
  const field = box(page, label)
  await field.click()
  await field.fill(typed)
  await page.getByRole('option', { name: address }).click()
}
